import { expect } from "@jest/globals";
import { request, type Scene, type SceneOptions } from "../scene.ts";
import type { Wire } from "../wire.ts";

/** One thing that goes wrong, and what must come of it. */
export type Fault = Readonly<{ name: string; options?: SceneOptions; play: (scene: Scene) => Promise<void> }>;

/** A route whose upstream must answer soon. */
export const short = { Timeout: 0.2 };

/** The head of a request with a body of ten bytes. */
export const upload = request("POST", "/x", "Content-Length: 10");

/** The head of a request with a body in chunks. */
export const chunks = request("POST", "/x", "Transfer-Encoding: chunked");

/** Asks a service that resets behind the head of its answer; gives the client. */
export async function askWhoResets({ client, upstream }: Pick<Scene, "client" | "upstream">): Promise<Wire> {
  const sender = client();
  sender.write(request("GET", "/x", "Connection: close"));
  const service = await upstream.next();
  await service.until("\r\n\r\n");
  service.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
  setTimeout(() => service.socket.resetAndDestroy(), 30);
  return sender;
}

/** More than fits into the buffers on the way. */
export const large = "x".repeat(4_000_000);

/** A play: the client gets this status and code, which tells it nothing of the upstream. */
export function answers(status: number, code: string) {
  return async ({ client, logged }: Scene, bytes = request("GET", "/x")) => {
    const { write, until, received } = client();
    write(bytes);
    await until(`"code":"${code}"`);
    expect(received()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(received()).not.toContain("127.0.0.1");
    expect(logged).toContain(code);
  };
}
