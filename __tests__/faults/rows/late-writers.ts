import { setImmediate as later } from "node:timers/promises";
import { expect } from "@jest/globals";
import compression from "compression";
import type { GatewayHandler } from "../../../src/index.ts";
import { request, type SceneOptions } from "../scene.ts";
import { answering, type Check, type Row } from "./row.ts";

type Response = Parameters<GatewayHandler>[1];

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n";
const sized = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf";

/** Goes on, and acts once the upstream's answer has begun, as middleware does that thinks it takes too long. */
const onceBegun =
  (act: (res: Response) => unknown): GatewayHandler =>
  async (_req, res, next) => {
    next();
    while (!res.headersSent) await later();
    await later();
    act(res);
  };

/** Keeps a function that it will call past whatever stands there by then. */
const keeping =
  (name: "write" | "end", ...parts: unknown[]): GatewayHandler =>
  (req, res, next) => {
    const kept = Reflect.get<Response, "write" | "end">(res, name);
    return onceBegun(() => Reflect.apply(kept as () => unknown, res, parts))(req, res, next);
  };

/** Leaves the pieces to Node for a moment, which joins them. */
const corks: GatewayHandler = (_req, res, next) => {
  res.cork();
  next();
  setTimeout(() => res.uncork(), 20);
};

const toldOnce: Check = ({ logged }) => expect(logged).toEqual(["handler-misuse"]);
const noBytesOfOthers: Check = async (scene, wire) => {
  await toldOnce(scene, wire);
  expect(wire.received()).not.toContain("others");
};

function during(name: string, act: (res: Response) => unknown): Row[] {
  return [
    ["whose length is told", sized],
    ["in chunks", chunked],
  ].map(([body, answer]) => cutRow(`${name}, during a body ${body}`, onceBegun(act), { serveOne: answering(answer) }));
}

function cutRow(name: string, middleware: GatewayHandler, options: SceneOptions): Row {
  return {
    name: `middleware ${name}`,
    options: { ...options, gateway: { middleware: [middleware] } },
    gets: "cut",
    more: noBytesOfOthers,
  };
}

/** Acts when an answer has ended and is still on its way, for which clients that read slowly give much time. */
const whenEnded =
  (act: (res: Response) => unknown): GatewayHandler =>
  (_req, res, next) => {
    res.once("prefinish", () => act(res));
    next();
  };

function afterwards(name: string, act: (res: Response) => unknown, isBefore: boolean): Row {
  const late = whenEnded(act);
  return {
    name: `middleware ${name} when the answer has ended, ${isBefore ? "before the gateway" : "in it"}`,
    options: {
      serveOne: answering(),
      ...(isBefore ? { before: [late] } : { gateway: { middleware: [late] } }),
    },
    gets: ["ok"],
    more: ({ logged }) => expect(logged.join()).toContain("write after end"),
  };
}

/** Code that goes on writing though the answer is somebody else's. */
export const lateWriterRows: readonly Row[] = [
  ...during("writes", (res) => res.write("others")),
  ...during("writes and ends", (res) => {
    res.write("others");
    res.end();
  }),
  ...during("ends with text", (res) => res.end("others")),
  ...during("ends", (res) => res.end()),
  ...during("writes again and again", (res) => {
    for (let round = 0; round < 3; round += 1) res.write("others");
  }),
  {
    ...cutRow(
      "writes during a body that is compressed",
      onceBegun((res) => res.write("others")),
      {
        serveOne: answering(chunked),
        before: [compression({ threshold: 0, filter: () => true }) as GatewayHandler],
      },
    ),
    send: request("GET", "/x", "Accept-Encoding: gzip"),
  },
  ...[
    { body: "whose length is told", answer: sized },
    { body: "in chunks", answer: chunked },
  ].flatMap(({ body, answer }) => [
    cutRow(`writes by a function that it has kept, during a body ${body}`, keeping("write", "others"), {
      serveOne: answering(answer),
    }),
    cutRow(`ends with text by a function that it has kept, during a body ${body}`, keeping("end", "others"), {
      serveOne: answering(answer),
    }),
    {
      ...cutRow(`ends by a function that it has kept, during a body ${body}`, keeping("end"), {
        serveOne: answering(answer),
      }),
      more: () => undefined,
    },
  ]),
  {
    name: "middleware corks an answer and uncorks it while the body comes",
    options: { serveOne: answering(chunked), gateway: { middleware: [corks] } },
    gets: ["4\r\nhalf\r\n"],
    more: ({ logged }) => expect(logged).toEqual([]),
  },
  ...[true, false].flatMap((isBefore) => [
    afterwards("writes", (res) => res.write("others"), isBefore),
    afterwards("ends with text", (res) => res.end("others"), isBefore),
  ]),
];
