/** `npm run bench -- websockets`: what an idle WebSocket keeps, what a message costs, and what is left behind. */
import { median } from "./statistics.ts";
import { type Client, closeClients, openClient } from "./websockets/client.ts";
import { type Relay, startRelay } from "./websockets/relay.ts";

const idleSockets = 1_000;
const memoryBound = 15 * 1024;
const memoryTurns = 5;
const rounds = 10_000;
const warmUpRounds = 2_000;
const atOnce = 50;
const talkers = 16;
const talkMilliseconds = 2_000;
const talks = 9;
const costBound = 0.9;

const failures: string[] = [];

function report(text: string, isGood: boolean, bound: string): void {
  console.log(`${text}   (bound ${bound})`);
  if (!isGood) failures.push(`${text}; the bound is ${bound}.`);
}

function openBatch(port: number, count: number): Promise<Client[]> {
  return Promise.all(Array.from({ length: count }, () => openClient(port)));
}

async function openMany(port: number, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) clients.push(...(await openBatch(port, atOnce)));
  return clients;
}

async function openAndClose(port: number, count: number): Promise<void> {
  for (let done = 0; done < count; done += atOnce) await closeClients(await openBatch(port, atOnce));
}

/** Resident bytes for each idle WebSocket of a gateway that has just been started. */
async function measureIdle(echoPort: number): Promise<number> {
  const { port, usage, stop } = await startRelay("waymark", echoPort);
  // A gateway at work has its code and its caches already.
  await openAndClose(port, warmUpRounds);
  const before = await usage();
  const clients = await openMany(port, idleSockets);
  const during = await usage();
  await Promise.all(clients.map(({ echo }) => echo()));
  await closeClients(clients);
  stop();
  return (during.memory - before.memory) / idleSockets;
}

async function measureMemory(echoPort: number): Promise<void> {
  const measured: number[] = [];
  // Now and then the heap grows by more than what is in it: that happens once, whatever the number of WebSockets.
  for (let turn = 0; turn < memoryTurns; turn += 1) measured.push(await measureIdle(echoPort));
  const each = median(measured);
  report(`${(each / 1024).toFixed(1)} KB for each of ${idleSockets} idle WebSockets`, each <= memoryBound, "15 KB");
}

async function measureRounds({ port, usage }: Relay): Promise<void> {
  const before = await usage();
  await openAndClose(port, rounds);
  const after = await usage();
  const left = after.handles - before.handles;
  const grown = (after.heap - before.heap) / 1024;
  report(`${left} handles left after ${rounds} WebSockets, ${grown.toFixed(0)} KB on the heap`, left <= 0, "0");
}

/** Messages per second of the relay's CPU time. */
async function talk({ port, usage }: Relay): Promise<number> {
  const clients = await openBatch(port, talkers);
  await Promise.all(clients.map(({ echo }) => echo()));
  const before = await usage();
  const end = performance.now() + talkMilliseconds;
  const counts = await Promise.all(
    clients.map(async ({ echo }) => {
      let count = 0;
      for (; performance.now() < end; count += 1) await echo();
      return count;
    }),
  );
  const after = await usage();
  await closeClients(clients);
  // Each message goes there and back.
  const messages = 2 * counts.reduce((sum, count) => sum + count, 0);
  return (messages * 1e6) / (after.cpu - before.cpu);
}

async function measureCost(gateway: Relay, pipe: Relay): Promise<void> {
  const measured: Readonly<{ gateway: number; pipe: number }>[] = [];
  for (let turn = 0; turn <= talks; turn += 1) {
    // At the same time, so that whatever else the machine does slows down both.
    const [throughGateway, throughPipe] = await Promise.all([talk(gateway), talk(pipe)]);
    measured.push({ gateway: throughGateway, pipe: throughPipe });
  }
  // The first turn warms up.
  const counted = measured.slice(1);
  const ratio = median(counted.map((turn) => turn.gateway / turn.pipe));
  const each = (name: "gateway" | "pipe"): string => Math.round(median(counted.map((turn) => turn[name]))).toString();
  const text = `${each("gateway")} messages per CPU second, ${each("pipe")} through a bare net pipe: ${ratio.toFixed(2)} times`;
  report(text, ratio >= costBound, `${costBound}`);
}

const echo = await startRelay("echo");
await measureMemory(echo.port);
const gateway = await startRelay("waymark", echo.port);
const pipe = await startRelay("net pipe", echo.port);
await measureCost(gateway, pipe);
await measureRounds(gateway);
for (const relay of [gateway, pipe, echo]) relay.stop();
for (const failure of failures) console.error(`Missed: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
