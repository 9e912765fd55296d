import type { IncomingMessage } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { createProfile, describeInBrowser } from "../helpers/browser.ts";
import { configOf, configOfTwo, type Scene, startScene } from "./scene.ts";

const markup = "<img src=x onerror=alert(1)>";
const key = "k".repeat(20);

const answer = {
  200: {
    description: `well ${markup}`,
    content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } },
  },
};
const document = {
  openapi: "3.0.3",
  info: { title: `Shop ${markup}`, version: "1", description: markup },
  paths: {
    "/orders/{id}": {
      get: {
        summary: `Reads an order ${markup}`,
        description: markup,
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" }, description: markup },
          { name: "part", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
        ],
        responses: answer,
      },
    },
    "/orders": {
      post: {
        summary: "Writes an order",
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Order" } } } },
        responses: answer,
      },
    },
    "/far": { get: { summary: "Elsewhere", responses: answer } },
  },
  components: {
    schemas: {
      Order: { type: "object", properties: { id: { type: "integer" }, next: { $ref: "#/components/schemas/Order" } } },
    },
  },
};

const routes = [
  {
    UpstreamPathTemplate: "/shop/orders/{all}",
    DownstreamPathTemplate: "/orders/{all}",
    AuthenticationOptions: { AuthenticationProviderKey: "Keys" },
  },
  { UpstreamPathTemplate: "/elsewhere", DownstreamPathTemplate: "/far", UpstreamHost: "far.example" },
];

/** Knows one key. */
const Keys = Object.assign(
  ({ headers }: IncomingMessage) => (headers["x-api-key"] === key ? { id: "n", claims: {} } : undefined),
  { reads: { headers: ["X-Api-Key"] } },
);

describeInBrowser("the page of the OpenAPI documents in Chromium", () => {
  let profile: BrowserContext;
  let scene: Scene;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    [profile, scene] = await Promise.all([createProfile(), startScene()]);
  });
  afterAll(async () => {
    await profile.close();
    await scene.close();
  });

  beforeEach(async () => {
    scene.say(document);
    scene.service.requests.splice(0);
    const config = configOf(scene.service, routes);
    await scene.use(config, { authentication: { Keys } });
    page = await profile.newPage();
    page.setDefaultTimeout(5_000);
    complaints = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(`${scene.origin}/swagger`);
    await page.getByText("3 of 3 operations").waitFor();
  });
  afterEach(() => page.close());

  async function open(summary: string): Promise<void> {
    await page.locator("summary").filter({ hasText: summary }).click();
  }

  test("shows what clients can call, and all texts as texts", async () => {
    expect(page.url()).toBe(`${scene.origin}/swagger/`);
    expect(await page.locator("#operations summary").allInnerTexts()).toEqual([
      `GET/shop/orders/{id} – Reads an order ${markup}`,
      "POST/shop/orders – Writes an order",
      "GET/elsewhere – Elsewhere",
    ]);
    await open("Reads an order");
    await page.getByText(`200 well ${markup}`).waitFor();
    await page.locator("#filter").fill("post");
    await page.getByText("1 of 3 operations").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("sends a request through the gateway, and shows the answer", async () => {
    await open("Reads an order");
    await page.getByLabel("id (path)").fill("a/b?c#d");
    await page.getByLabel("part (query, optional)").fill("x,y z");
    await page.getByLabel("X-Trace (header, optional)").fill("t1");
    await page.getByRole("button", { name: "Send GET /shop/orders/{id}" }).click();
    await page.getByText("401 Unauthorized").waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes("401 (Unauthorized)"))).toEqual([]);
    await page.getByLabel("Keys").fill(key);
    await page.getByRole("button", { name: "Send GET /shop/orders/{id}" }).click();
    await page.getByText(/200 OK, after \d+ ms/).waitFor();
    await page.getByText("GET /orders/a%2Fb%3Fc%23d?part=x&part=y+z").waitFor();
    const arrived = scene.service.requests.at(-1)!;
    expect(arrived.headers["x-trace"]).toBe("t1");
    expect(complaints).toEqual([]);
  });

  test("fills in a body as the schema asks for it, circles included", async () => {
    await page.getByLabel("Keys").fill(key);
    await open("Writes an order");
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toMatch(/^\{\n {2}"id": 0,\n {2}"next": \{/);
    await page.getByLabel("Body", { exact: true }).fill('{"id":7}');
    await page.getByRole("button", { name: "Send POST /shop/orders" }).click();
    await page.getByText(/200 OK, after \d+ ms/).waitFor();
    const arrived = scene.service.requests.at(-1)!;
    expect([arrived.headers["content-type"], arrived.body.toString()]).toEqual(["application/json", '{"id":7}']);
    expect(complaints).toEqual([]);
  });

  test("sends nothing that would go elsewhere, or is not complete", async () => {
    await open("Reads an order");
    const send = page.getByRole("button", { name: "Send GET /shop/orders/{id}" });
    await page.getByLabel("id (path)").fill("..");
    await send.click();
    await page.getByText("id cannot be .. in a path.").waitFor();
    await page.getByLabel("id (path)").fill("");
    await send.click();
    await page.getByText("id is missing.").waitFor();
    await open("Elsewhere");
    await page.getByRole("button", { name: "Send GET /elsewhere" }).click();
    await page.getByText("This operation is at http://far.example.").waitFor();
    expect(scene.service.requests.map(({ target }) => target)).toEqual(["/openapi.json"]);
    expect(complaints).toEqual([]);
  });

  test("leaves it to people what stands in a path", async () => {
    const parameters = ["path", "query"].map((place) => ({
      name: place.slice(0, 1),
      in: place,
      required: true,
      schema: { type: "string", enum: ["only"] },
    }));
    const remove = { summary: "Removes", parameters, responses: answer };
    scene.say({ ...document, paths: { "/orders/{p}": { delete: remove } } });
    await scene.use(configOf(scene.service, routes), { authentication: { Keys } });
    await page.reload();
    await open("Removes");
    const [inPath, inQuery] = [page.getByLabel("p (path)"), page.getByLabel("q (query)")];
    const values = [await inPath.inputValue(), await inPath.getAttribute("placeholder"), await inQuery.inputValue()];
    expect(values).toEqual(["", "only", "only"]);
    await page.getByRole("button", { name: "Send DELETE" }).click();
    await page.getByText("p is missing.").waitFor();
    expect(scene.service.requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("sends the path that it shows, or nothing", async () => {
    const read = (...names: string[]): object => ({
      get: { parameters: names.map((name) => ({ name, in: "path", required: true })), responses: answer },
    });
    const open = { UpstreamPathTemplate: "/shop/{all}", DownstreamPathTemplate: "/orders/{all}" };
    const paths = {
      "/shop/../far": read(),
      "/shop/%2e%2E/far": read(),
      "/shop/.{part}/far": read("part"),
      "/shop/x\\y": read(),
      "/shop/ü {part}|%2F": read("part"),
    };
    scene.say({ ...document, paths });
    await scene.use(configOf(scene.service, [open], { TransformByOcelotConfig: false }));
    await page.reload();
    await page.getByText("5 of 5 operations").waitFor();
    scene.service.requests.splice(0);
    const send = async (path: string, value?: string): Promise<Locator> => {
      const row = page.locator("#operations details").filter({ hasText: path });
      await row.locator("summary").click();
      if (value !== undefined) await row.locator("input").fill(value);
      await row.getByRole("button").click();
      return row;
    };

    const dots = await send("/shop/../far");
    await dots.getByText("A browser would ask for /far, not for /shop/../far.").waitFor();
    const escapes = await send("/shop/%2e%2E/far");
    await escapes.getByText("A browser would ask for /far, not for /shop/%2e%2E/far.").waitFor();
    const backslash = await send("/shop/x\\y");
    await backslash.getByText("A browser would ask for /shop/x/y, not for /shop/x\\y.").waitFor();
    const filled = await send("/shop/.{part}/far", "%2e");
    await filled.getByText("GET /orders/.%252e/far").waitFor();
    const encoded = await send("/shop/ü", "a/b");
    await encoded.getByText("GET /orders/%C3%BC%20a%2Fb%7C%2F").waitFor();
    expect(scene.service.requests).toHaveLength(2);
    expect(complaints).toEqual([]);
  });

  test("says why there is no document, and shows another one", async () => {
    const config = configOf(scene.service, routes, {
      Config: [
        { Name: "Away", Version: "v0", Url: `${scene.service.origin}/nothing` },
        { Name: "Shop", Version: "v1", Url: `${scene.service.origin}/openapi.json` },
      ],
    });
    await scene.use(config, { authentication: { Keys: () => undefined } });
    await page.reload();
    await page.getByText('The OpenAPI document "v0/shop" cannot be').waitFor();
    await page.getByLabel("Service").selectOption("Shop v1");
    await page.getByText("3 of 3 operations").waitFor();
  });

  test("shows the operations of all services at once", async () => {
    const other = { UpstreamPathTemplate: "/other/{all}", DownstreamPathTemplate: "/orders/{all}" };
    scene.say((_, res) => res.end(JSON.stringify(document)));
    await scene.use(configOfTwo(scene.service, routes, [other]), { authentication: { Keys } });
    await page.reload();
    await page.getByText("3 of 3 operations").waitFor();
    await page.getByLabel("Service").selectOption("All services");
    await page.getByText("5 of 5 operations").waitFor();
    await page.locator("#filter").fill("other_v1");
    await page.getByText("2 of 5 operations").waitFor();
    expect(complaints).toEqual([]);
  });
});
