import { expect, test } from "@jest/globals";
import { configOf, type Parsed } from "./scene.ts";
import { scene, routes, ofSchema, many } from "./offering.ts";

test("a document that offers very many values in all is shown without some of them", async () => {
  const item = { get: { parameters: [ofSchema({ enum: many(500) })], responses: { 200: { description: "" } } } };
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`/x${index}/{a}`, item]));
  scene.say({ openapi: "3.0.3", info: { title: "Web", version: "1" }, paths });
  await scene.use(configOf(scene.service, routes));
  const { json } = await scene.get("/swagger/docs/v1/shop");
  const shown = Object.values<Parsed>(json.paths).map(({ get }) => Object.hasOwn(get.parameters[0].schema, "enum"));
  expect([shown.length, shown.filter(Boolean).length]).toEqual([300, 200]);
});
