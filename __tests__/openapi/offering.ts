import { afterAll, beforeAll } from "@jest/globals";
import { type Scene, startScene } from "./scene.ts";

export let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.close());

// Tools fill in what a document offers: a service must not have others ask for what is another one's.
export const elsewhere = { SwaggerKey: null, DownstreamPathTemplate: "/elsewhere" };
export const routes = [
  { UpstreamPathTemplate: "/{everything}", DownstreamPathTemplate: "/{everything}" },
  { ...elsewhere, UpstreamPathTemplate: "/admin/{everything}" },
  { ...elsewhere, UpstreamPathTemplate: "/a/b" },
  { ...elsewhere, UpstreamPathTemplate: "/list?kind=all" },
  { ...elsewhere, UpstreamPathTemplate: "/header", UpstreamHeaderTemplates: { "X-Kind": "all" } },
];

export const inPath = (more: object, name = "a"): object => ({ name, in: "path", required: true, ...more });
export const ofSchema = (schema: object, name = "a"): object => inPath({ schema }, name);
export const many = (length: number): string[] => Array.from({ length }, (_, index) => `v${index}`);
