/** A gateway with the metadata responder in a process of its own: `gateway-process.ts <port of the upstream> <maxBytes>`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { processorTime } from "../helpers/processor-time.ts";
import { createGateway, metadataResponder, parseConfig } from "../../src/index.ts";

/** What a gateway's process went through since it was told to begin. */
export type Strain = Readonly<{ megabytes: number; longestPause: number }>;

const [upstreamPort, maxBytes] = process.argv.slice(2).map(Number);
const route = {
  UpstreamPathTemplate: "/{path}",
  DownstreamPathTemplate: "/{path}",
  DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstreamPort }],
  Metadata: { a: "b" },
};
const gateway = createGateway(parseConfig({ Routes: [route] }), {
  responder: metadataResponder({ maxBytes: maxBytes! }),
  logger: false,
});

let memoryBefore = 0;
let peak = 0;
let longestPause = 0;
let wallBefore = performance.now();
let cpuBefore = cpuTime();

function cpuTime(): number {
  return processorTime() / 1_000;
}

/** Late by the clock alone, the process had to wait for others; late by its own work, it has blocked. */
function watchTime(): void {
  longestPause = Math.max(longestPause, Math.min(performance.now() - wallBefore, cpuTime() - cpuBefore));
  wallBefore = performance.now();
  cpuBefore = cpuTime();
}

/** Looking up the memory takes a while itself, which must not count. */
function watchMemory(): void {
  watchTime();
  peak = Math.max(peak, process.memoryUsage.rss());
  wallBefore = performance.now();
  cpuBefore = cpuTime();
}

function begin(): void {
  globalThis.gc?.();
  memoryBefore = process.memoryUsage.rss();
  peak = memoryBefore;
  cpuBefore = cpuTime();
  wallBefore = performance.now();
  longestPause = 0;
}

setInterval(watchTime, 1);
setInterval(watchMemory, 10);
process.on("disconnect", () => process.exit());
process.on("message", (message) => {
  if (message === "begin") begin();
  process.send?.({ megabytes: (peak - memoryBefore) / 1_048_576, longestPause } satisfies Strain);
});
const server = createServer(gateway).listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as AddressInfo).port);
});
