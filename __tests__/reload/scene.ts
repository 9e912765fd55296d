import type { IncomingMessage, ServerResponse } from "node:http";
import type { GatewayOptions } from "../../src/index.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const cleanups: (() => Promise<unknown>)[] = [];

/** Closes what a test has started, the last first. */
export async function closeAll(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** Remembers what is to be closed after the test. */
export function cleanUpLater(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup);
}

type Answer = (req: IncomingMessage, res: ServerResponse) => void | Promise<void>;

/** An upstream that answers with the target it was asked for, or as a test wants. */
export async function upstreamFor(answer?: Answer): Promise<Upstream> {
  const upstream = await startUpstream(answer && ((req, res) => void answer(req, res)));
  cleanUpLater(upstream.close);
  return upstream;
}

/** A gateway that is closed after the test. */
export async function gatewayFor(config: unknown, options: GatewayOptions = {}): Promise<RunningGateway> {
  const running = await startGateway(config, options);
  cleanUpLater(running.close);
  return running;
}

/** A route from a path to the same path of an upstream, with whatever else it is to have. */
export function routeTo(port: number, path: string, more: object = {}): object {
  return {
    UpstreamPathTemplate: path,
    DownstreamPathTemplate: path,
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
    ...more,
  };
}

/** The status and body of an answer. */
export async function ask(origin: string, path: string): Promise<string> {
  const answer = await fetch(origin + path);
  return `${answer.status} ${await answer.text()}`;
}

/** A logger that keeps what it is told, by level. */
export function createLogBook(): Readonly<{
  logger: Exclude<NonNullable<GatewayOptions["logger"]>, false>;
  lines: string[];
}> {
  const lines: string[] = [];
  const at = (level: string) => (_fields: object, message: string) => void lines.push(`${level}: ${message}`);
  return { logger: { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") }, lines };
}

const mostPatience = 4_000;

/** Waits until something holds, but not for ever. */
export async function until(holds: () => boolean, patience = mostPatience): Promise<void> {
  const end = performance.now() + patience;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Still not so: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A promise, and what fulfils it. */
export function createSignal(): Readonly<{ given: Promise<void>; give: () => void }> {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}
