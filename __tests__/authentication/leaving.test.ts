import { expect, test } from "@jest/globals";
import express from "express";
import {
  type Authenticator,
  createGateway,
  type Gateway,
  type GatewayHandler,
  parseConfig,
  type RecognisedIdentity,
} from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { serve } from "../helpers/start-gateway.ts";

const leave: GatewayHandler = (_req, _res, next) => next("router");

/** Whoever shows a name in a header has it; the header does not travel. */
function byHeader(header: string): Authenticator {
  const recognise: Authenticator = ({ headers }) => {
    const id = headers[header];
    return typeof id === "string" ? { id, claims: { sub: id } } : undefined;
  };
  return Object.assign(recognise, { reads: { headers: [header] } });
}

/** A gateway that asks for a name in a header, and leads every request out again. */
function createLocked(header: string, ...middleware: GatewayHandler[]): Gateway {
  const route = {
    UpstreamPathTemplate: "/{rest}",
    DownstreamPathTemplate: "/{rest}",
    DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: 1 }],
    AuthenticationOptions: { AuthenticationProviderKeys: ["Named"] },
  };
  const config = parseConfig({ Routes: [route] }, { logger: false });
  const authentication = { Named: byHeader(header) };
  return createGateway(config, { logger: false, authentication, middleware: [...middleware, leave] });
}

const sent = { "x-first": "ada", "x-second": "grace" };

test.each<[what: string, earlier: unknown]>([
  ["no identity where there was none", undefined],
  ["the identity that earlier middleware had set", { name: "of the app" }],
])(
  'behind a gateway that a request leaves by next("router"), there is %s, and every credential',
  async (_what, earlier) => {
    const gateway = createLocked("x-first");
    let behind: unknown;
    const app = express()
      .use((_req, res, next) => {
        if (earlier !== undefined) res.locals.identity = earlier;
        next();
      })
      .use(gateway, (req, res) => {
        behind = { has: "identity" in res.locals, identity: res.locals.identity as unknown, headers: req.headers };
        res.end();
      });
    const running = await serve(app, gateway);
    try {
      await request({ port: running.port, path: "/x", headers: sent });
      expect(behind).toMatchObject({ has: earlier !== undefined, headers: sent });
      expect((behind as { identity: unknown }).identity).toBe(earlier);
    } finally {
      await running.close();
    }
  },
);

test("a second gateway finds out for itself who is asking", async () => {
  const seen: (RecognisedIdentity | undefined)[] = [];
  const note: GatewayHandler = (_req, res, next) => {
    seen.push(res.locals.identity);
    next();
  };
  const [first, second] = [createLocked("x-first", note), createLocked("x-second", note)];
  const running = await serve(express().use(first, second), first);
  try {
    const { status } = await request({ port: running.port, path: "/x", headers: sent });
    const refused = await request({ port: running.port, path: "/x", headers: { "x-first": "ada" } });
    expect([status, refused.status]).toEqual([404, 401]);
    expect(seen.map((identity) => identity?.id)).toEqual(["ada", "grace", "ada"]);
  } finally {
    await Promise.all([running.close(), second.close({ grace: 0 })]);
  }
});
