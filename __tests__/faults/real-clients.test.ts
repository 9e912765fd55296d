import { execFile } from "node:child_process";
import http from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "@jest/globals";
import { takingTurns } from "../fuzz/bounds.ts";
import { engines } from "../helpers/engines.ts";
import { setScene } from "./scene.ts";

type Client = (port: number, path: string, body: Buffer) => Promise<{ status: number; body: string }>;

const byHttpRequest: Client = (port, path, body) =>
  new Promise((resolve, reject) => {
    const req = http.request({ port, path, method: "POST", agent: false, headers: { "Content-Length": body.length } });
    req.on(
      "response",
      (res) => void text(res).then((answer) => resolve({ status: res.statusCode!, body: answer }), reject),
    );
    req.on("error", reject);
    req.end(body);
  });

const byFetch: Client = async (port, path, body) => {
  const res = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body: new Uint8Array(body),
    headers: { connection: "close" },
  });
  return { status: res.status, body: await res.text() };
};

const byCurl: Client = (port, path, body) =>
  new Promise((resolve, reject) => {
    const parameters = [
      "-s",
      "-w",
      "\n%{http_code}",
      "-H",
      "Expect:",
      "--data-binary",
      "@-",
      `http://127.0.0.1:${port}${path}`,
    ];
    const child = execFile("curl", parameters, (error, stdout) => {
      const [answer = "", status = ""] = stdout.split("\n");
      if (error === null) resolve({ status: Number(status), body: answer });
      else reject(new Error("curl failed", { cause: error }));
    });
    child.stdin!.on("error", () => undefined);
    child.stdin!.end(body);
  });

const clients: readonly (readonly [string, Client])[] = [
  ["http.request", byHttpRequest],
  ["fetch", byFetch],
  ["curl", byCurl],
];

const large = Buffer.alloc(20_000_000, "x");

/** A client that is still sending must read why its upload was refused, not only a broken connection. */
describe.each(engines)("a client in the middle of a large upload reads the answer: $name", ({ create, turn }) => {
  /** In the short form each client meets each case at one engine. */
  const clientsOf = (place: number) => takingTurns(clients, engines.length, place + turn);

  test.each(clientsOf(0))("%s, body over the limit", async (_name, send) => {
    const scene = await setScene(create(), { route: { Limits: { Body: 1_000 } } });
    expect(await send(scene.running.port, "/x", large)).toMatchObject({
      status: 413,
      body: expect.stringContaining("body-too-large"),
    });
    await scene.leave();
  });

  test.each(clientsOf(1))("%s, upstream refuses the connection", async (_name, send) => {
    const scene = await setScene(create());
    await scene.upstream.refuse();
    expect(await send(scene.running.port, "/x", large)).toMatchObject({
      status: 502,
      body: expect.stringContaining("upstream-refused"),
    });
    await scene.leave();
  });

  test.each(clientsOf(2))("%s, upstream answers early and closes", async (_name, send) => {
    const early = "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 5\r\n\r\nearly";
    const scene = await setScene(create(), {
      serveOne: ({ socket, until }) => void until("\r\n\r\n").then(() => socket.end(early)),
    });
    expect(await send(scene.running.port, "/x", large)).toEqual({ status: 413, body: "early" });
    await scene.leave();
  });

  test.each(clientsOf(3))("%s, upstream answers early and reads no further", async (_name, send) => {
    const early = "HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nearly";
    const scene = await setScene(create(), {
      serveOne: ({ socket, until, write }) =>
        void until("\r\n\r\n").then(() => {
          socket.pause();
          write(early);
        }),
    });
    expect(await send(scene.running.port, "/x", large)).toEqual({ status: 413, body: "early" });
    await scene.leave();
  });
});
