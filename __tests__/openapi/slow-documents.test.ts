import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { GatewayChange } from "../../src/index.ts";
import { longTurns } from "../../src/openapi-pages/turns-of-document.ts";
import { engines } from "../helpers/engines.ts";
import { configOfAll, type Got, type Scene, startScene } from "./scene.ts";

const document = JSON.stringify({ openapi: "3.0.0", info: { title: "Own", version: "1" }, paths: {} });
const longer = document + " ".repeat(300_000);

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

describe.each(engines)("a long document with $name", ({ create }) => {
  test.each([
    ["stands still", ""],
    ["comes by single bytes", " "],
    ["comes slowly", " ".repeat(1_000)],
  ])("gives its turn to those that wait where it %s", async (_, piece) => {
    const { answer, changes } = await startSlow((res) => sendAgainAndAgain(res, piece));
    const others = await Promise.all(["second", "third"].map(ask));
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    const { status, json } = await answer;
    expect([status, json.code]).toEqual([502, "document-unavailable"]);
    expect(json.detail).toBe(
      'The OpenAPI document "v1/slow" cannot be had: The service took longer than a second for 1 MiB, and others waited.',
    );
    expect(changes).toEqual([]);
  });

  test("counts against its service where no answer begins", async () => {
    scene.say((req) => req.socket.destroy());
    const { changes } = await use(["gone"]);
    expect((await ask("gone")).status).toBe(502);
    expect(changes).toMatchObject([{ kind: "breaker", name: scene.service.origin, state: "open" }]);
  });

  test("does not count against its service where it breaks off in its middle", async () => {
    scene.say((_req, res) => void res.write(longer, () => res.destroy()));
    const { changes } = await use(["broken"]);
    expect((await ask("broken")).status).toBe(502);
    expect(changes).toEqual([]);
  });

  test("takes its time where nobody waits", async () => {
    const { answer } = await startSlow((res) => setTimeout(() => res.end(), 2_500));
    expect((await answer).status).toBe(200);
  });

  /** Resolves when the slow document, which goes on in its way, has the turn that it has waited for. */
  async function startSlow(
    goOn: (res: ServerResponse) => void,
  ): Promise<Readonly<{ answer: Promise<Got>; changes: readonly GatewayChange[] }>> {
    scene.say((req, res) => {
      if (!req.url!.endsWith("?slow")) res.end(longer);
      else res.write(longer, () => goOn(res));
    });
    const { changes } = await use(["slow", "second", "third"]);
    const handOn = await longTurns.take();
    const answer = ask("slow");
    while (!longTurns.areAwaited()) await new Promise((resolve) => setTimeout(resolve, 2));
    handOn();
    return { answer, changes };
  }

  /** Puts a gateway in front of the service that leaves it alone after a single failure, and notes what it tells of it. */
  async function use(names: readonly string[]): Promise<Readonly<{ changes: readonly GatewayChange[] }>> {
    const changes: GatewayChange[] = [];
    const observer = { begin: () => undefined, changed: (change: GatewayChange) => changes.push(change) };
    const GlobalConfiguration = { QoSOptions: { MinimumThroughput: 1 } };
    const config = { ...configOfAll(scene.service, names), GlobalConfiguration };
    await scene.use(config, { engine: create(), observers: [observer] });
    return { changes };
  }

  function ask(name: string): Promise<Got> {
    return scene.get(`/swagger/docs/v1/${name}`);
  }
});

function sendAgainAndAgain(res: ServerResponse, piece: string): void {
  const timer = setInterval(() => res.write(piece), 20);
  res.on("close", () => clearInterval(timer));
}
