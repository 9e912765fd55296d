import http from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import { parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { closeAll, cleanUpLater, gatewayFor, routeTo, upstreamFor } from "./scene.ts";

afterEach(closeAll);

const connections = 50;
const reloads = 20;

/** Every reload changes one route, adds one and removes one; the one that is asked for stays or changes in turn. */
function configOf(port: number, version: number): object {
  return {
    Routes: [
      routeTo(port, "/steady/{id}"),
      routeTo(port, "/changing/{id}", { Metadata: { version } }),
      routeTo(port, `/only-${version}`),
    ],
    GlobalConfiguration: { Limits: { Connect: 5 + (version % 3) } },
  };
}

test("20 reloads at 50 connections, and no request fails", async () => {
  const { port } = await upstreamFor();
  const { port: gatewayPort, gateway } = await gatewayFor(configOf(port, 0));
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  cleanUpLater(() => Promise.resolve(agent.destroy()));
  const answers = new Map<string, number>();
  let isOver = false;
  const clients = Array.from({ length: connections }, async (_, index) => {
    for (let round = 0; !isOver || round === 0; round += 1) {
      const path = `/${round % 2 === 0 ? "steady" : "changing"}/${index}`;
      const { status, body } = await request({ port: gatewayPort, path, agent });
      const outcome = body.toString() === `GET ${path}` ? String(status) : `${status} ${body.toString()}`;
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
    }
  });
  for (let version = 1; version <= reloads; version += 1) {
    const { added, changed } = await gateway.reload(parseConfig(configOf(port, version), { logger: false }));
    expect([added, changed]).toEqual([[`/only-${version}`], ["/steady/{id}", "/changing/{id}"]]);
    await request({ port: gatewayPort, path: `/only-${version}`, agent });
  }
  isOver = true;
  await Promise.all(clients);
  expect([...answers.keys()]).toEqual(["200"]);
  expect(answers.get("200")).toBeGreaterThan(connections);
});
