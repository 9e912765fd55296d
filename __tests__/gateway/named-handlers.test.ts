import { afterEach, expect, test } from "@jest/globals";
import { createGateway, type DelegatingHandler, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";
import { startUpstream } from "../helpers/start-upstream.ts";

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function configOf(names: readonly string[], port = 9): ReturnType<typeof parseConfig> {
  const target = { DownstreamPathTemplate: "/", DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  const Routes = [
    { Key: "named", UpstreamPathTemplate: "/named", DelegatingHandlers: names, ...target },
    { Key: "plain", UpstreamPathTemplate: "/plain", ...target },
  ];
  return parseConfig({ Routes }, { logger: false });
}

function signing(name: string): DelegatingHandler {
  return async function sign(outgoing, next) {
    outgoing.headers["x-order"] = `${String(outgoing.headers["x-order"] ?? "")}${name}`;
    return next();
  };
}

test("handlers run in the route's order, behind those of all routes, each once", async () => {
  const upstream = await startUpstream((req, res) => res.end(req.headers["x-order"] ?? "none"));
  ends.push(upstream.close);
  const [all, both, own] = [signing("a"), signing("b"), signing("c")];
  const gateway = createGateway(configOf(["own", "both", "own"], upstream.port), {
    handlers: [all, both],
    namedHandlers: { both, own },
    logger: false,
  });
  const running = await serve(gateway, gateway);
  ends.push(running.close);
  const bodies = ["/named", "/plain"].map(async (path) => {
    const { body } = await request({ port: running.port, path });
    return body.toString();
  });
  expect(await Promise.all(bodies)).toEqual(["acb", "ab"]);
});

test.each([
  [
    "there are no names",
    ["sign"],
    {},
    '"DelegatingHandlers" of route "named" names "sign": the option namedHandlers of createGateway() has no names.',
  ],
  [
    "the name is another one",
    ["sign"],
    { trace: signing("t") },
    '"DelegatingHandlers" of route "named" names "sign": the option namedHandlers of createGateway() has "trace".',
  ],
  [
    "the name is mistyped",
    ["trcae"],
    { trace: signing("t"), sign: signing("s") },
    '"DelegatingHandlers" of route "named" names "trcae": the option namedHandlers of createGateway() has "trace", "sign". Did you mean "trace"?',
  ],
  [
    "the name differs in case",
    ["Trace"],
    { trace: signing("t") },
    '"DelegatingHandlers" of route "named" names "Trace": the option namedHandlers of createGateway() has "trace". Upper and lower case count: did you mean "trace"?',
  ],
  [
    "the name is only inherited",
    ["toString"],
    {},
    '"DelegatingHandlers" of route "named" names "toString": the option namedHandlers of createGateway() has no names.',
  ],
])("the start fails where %s", (_case, names, namedHandlers, message) => {
  const start = (): unknown => createGateway(configOf(names), { namedHandlers, logger: false });
  expect(start).toThrow(expect.objectContaining({ code: "name-unknown", message }));
});

test("a reload that names an unknown handler leaves everything as it was", async () => {
  const gateway = createGateway(configOf([]), { logger: false });
  await expect(gateway.reload(configOf(["sign"]))).rejects.toMatchObject({ code: "name-unknown" });
  expect(gateway.health().routes).toBe(2);
  await gateway.close();
});
