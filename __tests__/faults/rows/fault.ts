import { expect } from "@jest/globals";
import { request, type Scene, type SceneOptions } from "../scene.ts";

/** One thing that goes wrong, and what must come of it. */
export type Fault = Readonly<{ name: string; options?: SceneOptions; play: (scene: Scene) => Promise<void> }>;

/** A route whose upstream must answer soon. */
export const short = { Timeout: 0.2 };

/** The head of a request with a body of ten bytes. */
export const upload = request("POST", "/x", "Content-Length: 10");

/** The head of a request with a body in chunks. */
export const chunks = request("POST", "/x", "Transfer-Encoding: chunked");

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
