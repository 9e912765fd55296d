import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import { createAnswer, metadataResponder, type Responder } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { startGateway } from "../helpers/start-gateway.ts";

const piping: Responder = async (answer, _context, respond) => {
  answer.body = answer.body.pipe(new PassThrough());
  await respond();
};
const noTransforms = {};
const transforms = { DownstreamHeaderTransform: { "X-A": "a" } };
const json = { Metadata: {}, Response: [1] };

const rows = [
  { title: "pipes it", responder: piping, route: noTransforms, gets: [1] },
  { title: "pipes it behind header transforms", responder: piping, route: transforms, gets: [1] },
  { title: "wraps it", responder: metadataResponder(), route: noTransforms, gets: json },
  { title: "wraps it behind header transforms", responder: metadataResponder(), route: transforms, gets: json },
];

test.each(rows)("an answer for several clients is each one's own where a responder $title", async (row) => {
  const shared = createAnswer({ status: 200, headers: { "Content-Type": "application/json" }, body: "[1]" });
  const handlers = [() => Promise.resolve(shared)];
  const target = { Host: "127.0.0.1", Port: 1 };
  const route = { UpstreamPathTemplate: "/x", DownstreamPathTemplate: "/x", DownstreamHostAndPorts: [target] };
  const { port, close } = await startGateway(
    { Routes: [{ ...route, ...row.route }] },
    { handlers, responder: row.responder },
  );
  const bodies: unknown[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { body } = await request({ port, path: "/x" });
    bodies.push(body.length === 0 ? "" : JSON.parse(String(body)));
  }
  await close();
  expect(bodies).toEqual([row.gets, row.gets, row.gets]);
  expect(shared.headers).toEqual({ "content-type": "application/json" });
});
