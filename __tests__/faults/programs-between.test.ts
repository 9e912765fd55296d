import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import type { Readable } from "node:stream";
import { describe, expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** Lets a body go through something else. */
type Through = (body: Readable) => Readable;

type Course = Readonly<{
  name: string;
  handler: (through: Through) => DelegatingHandler;
  /** Which bytes the client sends, and the service gives. */
  sent: number;
  given: number;
  /** How the exchange ends. */
  end: (client: net.Socket, upstream: Upstream) => Promise<unknown>;
}>;

const uploads: Course["handler"] = (through) => (outgoing, next) => {
  outgoing.body = through(outgoing.body as Readable);
  return next();
};

const downloads: Course["handler"] = (through) => async (_outgoing, next) => {
  const answer = await next();
  answer.body = through(answer.body);
  return answer;
};

/** More than the input of a program takes while nobody reads it, but so little that what is before it lets go of it. */
const short = 250_000;
const long = 8_000_000;

const leaves: Course["end"] = (client) => once(client.destroy(), "close");
const leavesWithAnswer: Course["end"] = async (client, upstream) => {
  await once(client, "data");
  return leaves(client, upstream);
};
const leavesUpload: Course["end"] = async (client, upstream) => {
  const [req] = (await once(upstream.server, "request")) as [Readable];
  await once(req, "data");
  return leaves(client, upstream);
};
const isAnswered: Course["end"] = async (client) =>
  expect(String((await once(client, "data"))[0])).toMatch(/^HTTP\/1.1 413/);

const courses: readonly Course[] = [
  { name: "a short upload whose client leaves", handler: uploads, sent: short, given: 0, end: leavesUpload },
  { name: "a short answer whose client leaves", handler: downloads, sent: 0, given: short, end: leavesWithAnswer },
  { name: "a long answer whose client leaves", handler: downloads, sent: 0, given: long, end: leavesWithAnswer },
  { name: "an upload that is answered early", handler: uploads, sent: long, given: 2, end: isAnswered },
];

/** A program that never takes in what it is given, and ends when nobody takes what it gives: its input fails then. */
const program = "while echo x; do sleep 0.01; done";

describe.each(engines)(
  "A program between bodies ($name) ends with the exchange, and its failure ends nothing else",
  ({ create }) => {
    test.each(courses)("$name", async ({ handler, sent, given, end }) => {
      const programs: ChildProcess[] = [];
      const upstream = await startUpstream((_req, res) => {
        if (given > 0) res.writeHead(given === 2 ? 413 : 200).end(Buffer.alloc(given));
      });
      const throughProgram = handler((body) => {
        const running = spawn("sh", ["-c", program], { stdio: ["pipe", "pipe", "inherit"] });
        programs.push(running);
        body.pipe(running.stdin);
        return running.stdout;
      });
      const host = { Host: "127.0.0.1", Port: upstream.port };
      const Routes = [{ UpstreamPathTemplate: "/", DownstreamPathTemplate: "/", DownstreamHostAndPorts: [host] }];
      const gateway = await startGateway({ Routes }, { engine: create(), handlers: [throughProgram] });
      const client = net.connect(gateway.port, "127.0.0.1").on("error", () => undefined);
      client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${sent}\r\n\r\n`);
      client.write(Buffer.alloc(sent));
      await end(client, upstream);
      const [running] = programs;
      if (running!.exitCode === null && running!.signalCode === null) await once(running!, "close");
      client.destroy();
      await gateway.close();
      await upstream.close();
    });
  },
);
