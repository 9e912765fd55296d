import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { accessLog, type DelegatingHandler } from "../../src/index.ts";
import { type Scene, startScene } from "./scene.ts";

const lines: string[] = [];
let scene: Scene;

const moves: Readonly<Record<string, (path: string) => string>> = {
  within: (path) => path.replace("/api/", "/api/v2/"),
  under: (path) => `/base${path}`,
  back: (path) => path.replace(/^\/([^/]+)\/([^/?]+)/, "/$2/$1"),
  query: (path) => path.replace(/^\/api\/([^/]+)\/(.*)/, "/api/$2?owner=$1"),
};

const move: DelegatingHandler = (outgoing, next, { req }) => {
  outgoing.path = moves[String(req.headers["x-move"])]?.(outgoing.path) ?? outgoing.path;
  return next();
};

const user = { ChangeDownstreamPathTemplate: { user: "Claims[sub] > value" } };
const templates = ["/api/{user}/{rest}", "/{user}/{rest}", "/{rest}/{user}", "/{rest}?{user}=1", "/{rest}?of.{user}=1"];

beforeAll(async () => {
  scene = await startScene(
    templates.map((DownstreamPathTemplate, index) => ({
      UpstreamPathTemplate: `/${index}/{rest}`,
      DownstreamPathTemplate,
      ...user,
    })),
    { handlers: [move], observers: [accessLog({ info: (line) => lines.push(JSON.stringify(line)) })] },
  );
});
afterAll(() => scene.close());

test.each<[string, number, string | undefined, string, string]>([
  ["in the middle", 0, undefined, "/api/ada.lovelace/z", "/api/***/z"],
  ["behind what the client has chosen", 2, undefined, "/z/ada.lovelace", "/z/***"],
  ["as the name of a parameter", 3, undefined, "/z?ada.lovelace=1", "/z?***"],
  ["within the name of a parameter", 4, undefined, "/z?of.ada.lovelace=1", "/z?***"],
  ["moved back by a handler", 0, "within", "/api/v2/ada.lovelace/z", "/***"],
  ["moved below another path", 0, "under", "/base/api/ada.lovelace/z", "/***"],
  ["moved below another path from the beginning", 1, "under", "/base/ada.lovelace/z", "/***"],
  ["moved to the end", 1, "back", "/z/ada.lovelace", "/***"],
  ["moved into the query", 0, "query", "/api/z?owner=ada.lovelace", "/***"],
])("a claim is in no log %s", async (_title, route, how, arrives, shown) => {
  lines.length = 0;
  const headers = how === undefined ? {} : { "x-move": how };
  const { arrived } = await scene.ask({ path: `/${route}/z`, headers }, { sub: "ada.lovelace" });
  expect(arrived?.target).toBe(arrives);
  const { target } = JSON.parse(lines.join("")) as { target: string };
  expect(target).toBe(`http://127.0.0.1:${scene.upstreamPort}${shown}`);
});
