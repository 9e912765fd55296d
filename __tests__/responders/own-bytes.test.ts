import { afterEach, expect, test } from "@jest/globals";
import { metadataResponder, type Responder } from "../../src/index.ts";
import { changingPieces, changingWrites, mask } from "../helpers/change-in-place.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

const running: (RunningGateway | Upstream)[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(({ close }) => close()));
});

const masking = changingPieces(mask);
const wrapping = metadataResponder();
const { matched, started } = wrapping;
const wrapAndMask: Responder = (answer, context, respond) =>
  wrapping(answer, context, () => Promise.resolve(masking(answer, context, respond)));

test.each([
  ["wraps JSON, to a responder", "/json", { responder: Object.assign(wrapAndMask, { matched, started }) }],
  ["wraps JSON, to middleware", "/json", { responder: wrapping, middleware: [changingWrites(mask)] }],
  ["composes answers, to a responder", "/all", { responder: masking }],
  ["composes answers, to middleware", "/all", { middleware: [changingWrites(mask)] }],
])("What the gateway adds where it %s is in bytes of this answer's own", async (_what, path, options) => {
  let finish: () => unknown = () => undefined;
  const upstream = await startUpstream((req, res) => {
    if (req.url === "/text") return void res.setHeader("content-type", "text/plain").end("hello");
    res.setHeader("content-type", "application/json").write("[1");
    finish = () => res.end("]");
  });
  const route = (Key: string) => ({
    ...{ Key, UpstreamPathTemplate: `/${Key}`, DownstreamPathTemplate: `/${Key}` },
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
  });
  const all = { UpstreamPathTemplate: "/all", RouteKeys: ["text", "json"] };
  const gateway = await startGateway({ Routes: [route("text"), route("json")], Aggregates: [all] }, options);
  running.push(upstream, gateway);
  const get = async (headers = {}): Promise<string> => {
    const answer = await fetch(gateway.origin + path, { headers });
    finish();
    return answer.text();
  };
  const got = [await get(), await get({ "x-name": "ann" }), await get()];
  expect(got.map((text) => text.includes("#"))).toEqual([false, true, false]);
});
