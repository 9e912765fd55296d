import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import WebSocket from "ws";
import { type Authenticator, fromMiddleware } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { closeAll, type LiveParts, open, refusal, startEcho, startLive } from "./live.ts";

afterEach(closeAll);

const byName: Authenticator = Object.assign(
  ({ headers }: IncomingMessage) =>
    headers["x-name"] === undefined ? undefined : { id: "1", claims: { sub: String(headers["x-name"]), plan: "a b" } },
  { reads: { headers: ["x-name"] } },
);

/** As middleware of sessions does: it knows the client by a cookie, and renews that with the answer. */
const bySession = fromMiddleware(
  ({ headers }, res, next) => {
    if (headers.cookie !== "sid=1") {
      res.status(401).end();
      return;
    }
    res.setHeader("Set-Cookie", "sid=2; HttpOnly");
    next();
  },
  () => ({ sub: "ada" }),
);

const lockedBy = (name: string): object => ({ AuthenticationOptions: { AuthenticationProviderKey: name } });

describe.each(engines)("A WebSocket on a locked route, with $name", ({ create }) => {
  const start = (echoPort: number, { route, options }: LiveParts): ReturnType<typeof startLive> =>
    startLive(echoPort, { route: { ...route }, options: { ...options, engine: create() } });

  test("is opened upstream with what claims put into headers, path and query, in place of the client's", async () => {
    const echo = await startEcho();
    const { url } = await start(echo.port, {
      route: {
        ...lockedBy("Named"),
        DownstreamPathTemplate: "/rooms/{room}/{user}",
        AddHeadersToRequest: { "X-User": "Claims[sub] > value" },
        AddQueriesToRequest: { plan: "Claims[plan] > value" },
        ChangeDownstreamPathTemplate: { user: "Claims[sub] > value" },
      },
      options: { authentication: { Named: byName } },
    });
    const socket = await open(`${url}?plan=free`, { headers: { "x-name": "ada", "x-user": "root" } });
    expect(echo.arrivals.map(({ url: target, headers }) => [target, headers["x-user"]])).toEqual([
      ["/rooms/main/ada?plan=a%20b", "ada"],
    ]);
    socket.terminate();
    expect((await refusal(url)).status).toBe(401);
    expect(echo.arrivals).toHaveLength(1);
  });

  test("of which the session is middleware's is opened from its own pages only, and its answer has the new cookie", async () => {
    const echo = await startEcho();
    const { url, origin } = await start(echo.port, {
      route: lockedBy("Session"),
      options: { authentication: { Session: bySession } },
    });
    const foreign = { headers: { cookie: "sid=1", origin: "https://evil.example" } };
    expect(await refusal(url, foreign)).toMatchObject({ status: 403 });
    expect(await refusal(url, { headers: { cookie: "sid=0", origin } })).toMatchObject({ status: 401 });
    expect(echo.arrivals).toHaveLength(0);
    const socket = new WebSocket(url, { headers: { cookie: "sid=1", origin } });
    const [[answer]] = (await Promise.all([once(socket, "upgrade"), once(socket, "open")])) as [[IncomingMessage], []];
    expect(answer.statusCode).toBe(101);
    expect(answer.headers["set-cookie"]).toEqual(["sid=2; HttpOnly"]);
    socket.terminate();
  });
});
