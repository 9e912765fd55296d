import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { configOfAll, type Scene, startScene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

test.each(engines)(
  "a service that is not done within ten seconds is told from one that hangs up ($name)",
  async (one) => {
    scene.say((req, res) => {
      if (req.url!.endsWith("?gone")) res.write("{", () => res.destroy());
      else if (req.url!.endsWith("?short")) res.write("{");
      else if (req.url!.endsWith("?long")) res.write(" ".repeat(300_000));
    });
    const names = ["gone", "silent", "short", "long"];
    await scene.use(configOfAll(scene.service, names), { engine: one.create() });
    const answers = await Promise.all(names.map((name) => scene.get(`/swagger/docs/v1/${name}`)));
    const late = "The service did not finish its answer within 10 seconds.";
    const reasons = answers.map(({ status, json }) => [status, String(json.detail).split(" cannot be had: ")[1]]);
    expect(reasons).toEqual([
      [502, "The upstream closed the connection in the middle of its answer."],
      ...[late, late, late].map((reason) => [502, reason]),
    ]);
  },
  30_000,
);
