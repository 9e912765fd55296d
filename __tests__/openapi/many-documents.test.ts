import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { askForElse, configOfAll, type Scene, startScene } from "./scene.ts";

const longer = " ".repeat(300_000);
const document = JSON.stringify({ openapi: "3.0.0", info: { title: "Own", version: "1" }, paths: {} });

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

test.each(engines)(
  "a long document is read when the one before is made, and keeps no short one waiting ($name)",
  async ({ create }) => {
    let finish: (() => void) | undefined;
    scene.say((req, res) => {
      if (req.url!.endsWith("?short")) res.end(document);
      else if (!req.url!.endsWith("?first")) res.end(document + longer);
      else res.write(longer, () => (finish = () => res.end(document)));
    });
    await scene.use(configOfAll(scene.service, ["first", "second", "third", "short"]), { engine: create() });
    const made: string[] = [];
    const ask = async (name: string): Promise<void> => {
      expect((await scene.get(`/swagger/docs/v1/${name}`)).status).toBe(200);
      made.push(name);
    };

    const first = ask("first");
    await askForElse(scene);
    const others = ["second", "third"].map(ask);
    await ask("short");
    await askForElse(scene);
    expect(made).toEqual(["short"]);
    finish!();
    await Promise.all([first, ...others]);
    expect(made.slice(0, 2)).toEqual(["short", "first"]);
  },
);
