import http from "node:http";
import { request, sendBytes } from "../helpers/send-raw.ts";

/** An answer as a client of any kind sees it. */
export type SeenAnswer = { status: number; headers: Record<string, string>; body: Buffer };

/** One request over one kind of connection. */
export type Ask = (port: number, method: string, path: string) => Promise<SeenAnswer>;

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

/** Closes what the kept connections hold open. */
export function closeTransports(): void {
  agent.destroy();
}

function askWith(headers: http.OutgoingHttpHeaders, chosen?: http.Agent): Ask {
  return async function ask(port, method, path) {
    const parts = { port, method, path, headers };
    const answer = await request(chosen === undefined ? parts : { ...parts, agent: chosen });
    return { status: answer.status, headers: answer.headers as Record<string, string>, body: answer.body };
  };
}

async function askOldFashioned(port: number, method: string, path: string): Promise<SeenAnswer> {
  const text = await sendBytes(port, `${method} ${path} HTTP/1.0\r\nContent-Length: 0\r\n\r\n`);
  const end = text.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = text.slice(0, end).split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(": ", 1)[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
  );
  return { status: Number(statusLine.split(" ")[1]), headers, body: Buffer.from(text.slice(end + 4), "latin1") };
}

/** Every kind of connection that a client may come with. */
export const transports: Readonly<Record<string, Ask>> = {
  "keep-alive": askWith({}, agent),
  close: askWith({ connection: "close" }),
  "HTTP/1.0": askOldFashioned,
};
