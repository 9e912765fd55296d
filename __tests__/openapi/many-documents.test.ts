import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { documentPath, type Scene, startScene } from "./scene.ts";

const longer = " ".repeat(300_000);
const document = JSON.stringify({ openapi: "3.0.0", info: { title: "Own", version: "1" }, paths: {} });

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

/** A configuration of services, each with a document of its own. */
function configOfAll(names: readonly string[]): object {
  const { port, origin } = scene.service;
  return {
    Routes: [
      {
        UpstreamPathTemplate: "/{all}",
        DownstreamPathTemplate: "/{all}",
        DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }],
      },
    ],
    SwaggerEndPoints: names.map((name) => ({ Key: name, Config: [{ Url: `${origin}${documentPath}?${name}` }] })),
  };
}

/** Long enough for whatever has come to be read. */
async function askForElse(): Promise<void> {
  for (let count = 0; count < 20; count += 1) expect((await scene.get("/else")).status).toBe(200);
}

test.each(engines)(
  "a long document is read when the one before is made, and keeps no short one waiting ($name)",
  async ({ create }) => {
    let finish: (() => void) | undefined;
    scene.say((req, res) => {
      if (req.url!.endsWith("?short")) res.end(document);
      else if (!req.url!.endsWith("?first")) res.end(document + longer);
      else res.write(longer, () => (finish = () => res.end(document)));
    });
    await scene.use(configOfAll(["first", "second", "third", "short"]), { engine: create() });
    const made: string[] = [];
    const ask = async (name: string): Promise<void> => {
      expect((await scene.get(`/swagger/docs/v1/${name}`)).status).toBe(200);
      made.push(name);
    };

    const first = ask("first");
    await askForElse();
    const others = ["second", "third"].map(ask);
    await ask("short");
    await askForElse();
    expect(made).toEqual(["short"]);
    finish!();
    await Promise.all([first, ...others]);
    expect(made.slice(0, 2)).toEqual(["short", "first"]);
  },
);
