import { afterEach, describe, expect, test } from "@jest/globals";
import type { DelegatingHandler } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { type CachedRoute, type Got, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute | undefined;
afterEach(async () => {
  await route?.close();
  route = undefined;
});

const internal: Readonly<Record<string, string>> = { ann: "ben", ben: "carl", carl: "dora" };

/** Sends on under another name than the client's. */
const rename: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers["x-tenant"] = internal[String(outgoing.headers["x-tenant"])] ?? "nobody";
  return next();
};

/** Says by what the client can be told, as far as the service should know it. */
const tellRegion: DelegatingHandler = async (outgoing, next) => {
  outgoing.headers["x-region"] = `of ${String(outgoing.headers["x-place"])}`;
  return next();
};

describe.each(engines)("a cache before the handlers, with $name", ({ create }) => {
  test.each(["Ttl", "Rfc"])(
    "gives nobody what was for somebody else under the name that a handler has made of his, with Mode %s",
    async (Mode) => {
      await start(rename, "X-Tenant", Mode);
      const got: string[] = [];
      for (const name of ["ann", "ben", "ann", "ben", "carl", "dora"]) got.push(whatCame(await askAs(name)));
      expect(got).toEqual([
        ...["for ben, call 1: stored", "for carl, call 2: stored", "for ben, call 1: hit", "for carl, call 2: hit"],
        ...["for dora, call 3: stored", "for nobody, call 4: stored"],
      ]);
    },
  );

  test("gives those who ask at the same time what is for them", async () => {
    await start(rename, "X-Tenant", "Ttl");
    const got = await Promise.all(["ann", "ben", "carl"].map(askAs));
    expect(got.map(({ body }) => body.split(",")[0])).toEqual(["for ben", "for carl", "for dora"]);
  });

  test("keeps nothing that differs by a header of which only a handler knows what it is made of", async () => {
    await start(tellRegion, "X-Region", "Ttl");
    const ask = (place: string): Promise<Got> => route!.ask({ headers: { "x-place": place } });
    const got = [await ask("north"), await ask("south"), await ask("north")];
    expect(got.map(({ body }) => body)).toEqual([
      "for of north, call 1",
      "for of south, call 2",
      "for of north, call 3",
    ]);
  });

  test("gives again what a handler in JavaScript has made, whose headers are numbers", async () => {
    const count: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      Object.assign(answer.headers, { "x-count": 5, "x-counts": [6, 7] });
      return answer;
    };
    await start(count, "X-Tenant", "Ttl");
    const got = [await askAs("ann"), await askAs("ann")];
    expect(got.map(({ headers: { "x-count": one, "x-counts": several } }) => [one, several])).toEqual([
      ["5", "6, 7"],
      ["5", "6, 7"],
    ]);
    expect(got.map(whatCame)).toEqual(["for ann, call 1: stored", "for ann, call 1: hit"]);
  });

  test("keeps nothing of what a handler in JavaScript has made that cannot be sent", async () => {
    let calls = 0;
    const spoil: DelegatingHandler = async (_outgoing, next) => {
      const answer = await next();
      calls += 1;
      if (calls === 1) Object.assign(answer.headers, { "x-gone": undefined });
      return answer;
    };
    await start(spoil, "X-Tenant", "Ttl");
    await askAs("ann");
    const { status, headers } = await askAs("ann");
    expect([status, headers["x-gone"], calls]).toEqual([200, undefined, 2]);
  });

  test("gives again what differs by Host, which is the one of the service", async () => {
    route = await startCachedRoute({ headers: { Vary: "Host" } }, { options: { engine: create() } });
    expect([(await route.ask()).body, (await route.ask()).body]).toEqual(["answer 1", "answer 1"]);
  });

  async function start(handler: DelegatingHandler, varying: string, Mode: string): Promise<void> {
    route = await startCachedRoute(
      {
        answer(req, res, call) {
          res.setHeader("Cache-Control", "max-age=60").setHeader("Vary", varying);
          res.end(`for ${String(req.headers[varying.toLowerCase()])}, call ${call}`);
        },
      },
      {
        route: { CacheOptions: { TtlSeconds: 60, Mode, BeforeHandlers: true } },
        options: { engine: create(), handlers: [handler] },
      },
    );
  }

  function askAs(name: string): Promise<Got> {
    return route!.ask({ headers: { "x-tenant": name } });
  }
});

function whatCame({ body, headers }: Got): string {
  return `${body}: ${/stored|hit/.exec(String(headers["cache-status"]))?.[0]}`;
}
