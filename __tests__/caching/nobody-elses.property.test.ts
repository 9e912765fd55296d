import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { engines } from "../helpers/engines.ts";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";
import { type Asked, askAt } from "./cached-route.ts";
import { firstSeed } from "../fuzz/bounds.ts";

/** A request of somebody, and whom the service takes him for. */
type Somebody = Readonly<{ asked: Asked; who: string }>;

const credential = fc.constantFrom("ann", "ben", "eve");
const carrier = fc.constantFrom("authorization", "cookie", "x-api-key", "x-badge", "nothing");
const settings = [
  {},
  { Header: "Authorization" },
  { Header: "Cookie" },
  { Header: "X-Api-Key" },
  { By: "Identity" },
  { EnableContentHashing: true },
  { Mode: "Rfc" },
] as const;

const somebody = fc
  .record({
    carrier,
    name: credential,
    method: fc.constantFrom("GET", "HEAD", "POST"),
    accept: fc.constantFrom("text/html", "text/css"),
    setting: fc.nat({ max: settings.length - 1 }),
    says: fc.constantFrom("nothing", "vary", "vary-carrier", "cookie", "private", "no-store"),
    isLocked: fc.boolean(),
  })
  .map(({ carrier: header, name, method, accept, setting, says, isLocked }): Somebody => {
    const value = header === "cookie" ? `user=${name}` : name;
    const headers = { accept, ...(header === "nothing" ? {} : { [header]: value }) };
    const path = `/${isLocked ? "locked" : "open"}/${setting}/${says}`;
    const body = method === "POST" ? { body: "same" } : {};
    return { asked: { method, path, headers, ...body }, who: header === "nothing" ? "nobody" : `${header} ${value}` };
  });

let upstream: Upstream;
const gateways: RunningGateway[] = [];

beforeAll(async () => {
  // It answers everybody with what is his alone, and often forgets to say so.
  upstream = await startUpstream((req, res) => {
    const { authorization, cookie, "x-api-key": key, "x-badge": badge, accept } = req.headers;
    const who = { authorization, cookie, "x-api-key": key, "x-badge": badge };
    const [told] = Object.entries(who).filter(([, value]) => value !== undefined);
    const says = req.url!.split("/").at(-1);
    if (says === "vary") res.setHeader("Vary", "Accept");
    if (says === "vary-carrier") res.setHeader("Vary", "Accept, Authorization, Cookie, X-Api-Key, X-Badge");
    if (says === "cookie") res.setHeader("Set-Cookie", "sid=1");
    res.setHeader("Cache-Control", says === "private" || says === "no-store" ? says : "max-age=60");
    const isTold = says === "vary" || says === "vary-carrier";
    res.setHeader("X-For", told === undefined ? "nobody" : told.join(" "));
    res.setHeader("X-Accept", isTold ? String(accept) : "any");
    req.on("end", () => res.end(says)).resume();
  });
  const badge = Object.assign(
    (req: { headers: Record<string, unknown> }) => {
      const name = req.headers["x-badge"];
      return typeof name === "string" ? { id: name, claims: {}, token: name } : undefined;
    },
    { reads: { headers: ["x-badge"] }, forwards: true },
  );
  const Routes = ["open", "locked"].flatMap((kind) =>
    settings.map((CacheOptions, index) => ({
      UpstreamPathTemplate: `/${kind}/${index}/{rest}`,
      DownstreamPathTemplate: `/${kind}/${index}/{rest}`,
      DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: upstream.port }],
      CacheOptions: { TtlSeconds: 60, ...(kind === "open" && "By" in CacheOptions ? {} : CacheOptions) },
      ...(kind === "locked" ? { AuthenticationOptions: { AuthenticationProviderKeys: ["Badge"] } } : {}),
    })),
  );
  for (const { create } of engines)
    gateways.push(await startGateway({ Routes }, { engine: create(), authentication: { Badge: badge } }));
});
afterAll(() => Promise.all([...gateways, upstream].map(({ close }) => close())));

test("nobody ever gets what was for somebody else, whoever asks in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(somebody, { minLength: 4, maxLength: 24 }), fc.boolean(), async (people, atOnce) => {
      for (const { port } of gateways) {
        const ask = async ({ asked, who }: Somebody): Promise<void> => {
          const { status, headers } = await askAt(port, asked);
          if (status === 401) return;
          expect({ asked, for: headers["x-for"] }).toEqual({ asked, for: who });
          if (headers["x-accept"] !== "any") expect(headers["x-accept"]).toBe(asked.headers!.accept);
        };
        if (atOnce) await Promise.all(people.map(ask));
        else for (const one of people) await ask(one);
      }
    }),
    { seed: firstSeed, numRuns: 25 },
  );
});
