import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { createExplain } from "../../src/explain/explain-request.ts";
import { parseConfig } from "../../src/index.ts";

type Row = [method: string, target: string, status: number, downstreamTarget: string | null, port: number | null];
type Case = { id: string; config: object; requests: Row[] };

const fixture = new URL("../fixtures/vectors/routing.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, "utf8")) as { cases: Case[] };

/** What an explanation says, in the words of a recorded row. */
function explainCase({ config, requests }: Case) {
  const explain = createExplain(parseConfig(config, { logger: false }));
  return requests.map(([method, path]) => ({ method, path, explanation: explain({ method, path }) }));
}

describe("explanations of the requests recorded from Ocelot", () => {
  test("lead where they really went, at the port that they went to", () => {
    const wrong = cases.flatMap((recorded) =>
      explainCase(recorded)
        .map(({ method, path, explanation: { outcome, forwarded } }, index) => {
          const [, , status, target, port] = recorded.requests[index]!;
          const url = new URL(forwarded?.url ?? "http://none");
          const found = {
            status: { forwarded: 200, websocket: 200, aggregate: 200, refused: 400, "no-route": 404 }[outcome],
            // Not as the URL class spells it, but as it is sent.
            target: forwarded?.url.slice(url.origin.length) ?? null,
            port: Number(url.port) || null,
          };
          return { id: recorded.id, method, path, found, expected: { status, target, port } };
        })
        .filter(({ found, expected }) => JSON.stringify(found) !== JSON.stringify(expected)),
    );
    expect(wrong).toEqual([]);
    expect(cases.flatMap(({ requests }) => requests)).toHaveLength(1771);
  });

  test("name one route that takes the request, tell of each other one why it does not, and agree with themselves", () => {
    const odd = cases.flatMap((recorded) =>
      explainCase(recorded).filter(({ explanation: { routes, route } }) => {
        const firstThatFits = routes.findIndex(({ verdict }) => verdict !== "does-not-match");
        const takers = routes.filter(({ verdict }) => verdict === "takes");
        const isConsistent =
          routes[firstThatFits]?.id === route &&
          takers.length === (route === undefined ? 0 : 1) &&
          routes[firstThatFits]?.verdict !== "passed-by";
        return !isConsistent || routes.some(({ reasons }) => reasons.length === 0);
      }),
    );
    expect(odd).toEqual([]);
  });
});
