import { afterAll, beforeAll } from "@jest/globals";
import { type Scene, startScene } from "./scene.ts";

export let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

// What a document comes to counts, however short it is itself.
export const one = "/swagger/docs/v1/shop";
export const all = { UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}" };
export const info = { title: "t", version: "1" };
export const responses = { 200: { description: "" } };

export function byNumber<Made>(length: number, make: (index: number) => readonly [string, Made]): Record<string, Made> {
  return Object.fromEntries(Array.from({ length }, (_, index) => make(index)));
}

/** A document with an operation that answers with the schema. */
export function answering(schema: object, schemas: object): object {
  const answers = { 200: { description: "", content: { "a/b": { schema } } } };
  return { openapi: "3.0.0", info, paths: { "/a": { get: { responses: answers } } }, components: { schemas } };
}
