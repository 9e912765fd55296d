import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { askForElse, configOfAll, type Got, type Scene, startScene } from "./scene.ts";

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
    const { answer } = await startSlow((res) => sendAgainAndAgain(res, piece));
    const others = await Promise.all(["second", "third"].map(ask));
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    const { status, json } = await answer;
    expect([status, json.code]).toEqual([502, "document-unavailable"]);
    expect(json.detail).toBe(
      'The OpenAPI document "v1/slow" cannot be had: The service took longer than a second for 1 MiB, and others waited.',
    );
  });

  test("takes its time where nobody waits", async () => {
    const { answer } = await startSlow((res) => setTimeout(() => res.end(), 2_500));
    expect((await answer).status).toBe(200);
  });

  /** Resolves when the slow document has the turn, and goes on in its way. */
  async function startSlow(goOn: (res: ServerResponse) => void): Promise<{ answer: Promise<Got> }> {
    scene.say((req, res) => {
      if (!req.url!.endsWith("?slow")) res.end(longer);
      else res.write(longer, () => goOn(res));
    });
    await scene.use(configOfAll(scene.service, ["slow", "second", "third"]), { engine: create() });
    const answer = ask("slow");
    await askForElse(scene);
    return { answer };
  }

  function ask(name: string): Promise<Got> {
    return scene.get(`/swagger/docs/v1/${name}`);
  }
});

function sendAgainAndAgain(res: ServerResponse, piece: string): void {
  const timer = setInterval(() => res.write(piece), 20);
  res.on("close", () => clearInterval(timer));
}
