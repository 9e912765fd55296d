import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createGateway, inspector, parseConfig } from "../../src/index.ts";
import { describeWithNginx, type RunningNginx, startNginx } from "../helpers/nginx.ts";
import { request } from "../helpers/send-raw.ts";
import { configFor, type Scene, showSecret, startScene } from "./scene.ts";

const inside = ["/main.js", "/elements.js", "/explain.js", "/traffic.js", "/routes", "/traffic"];
const secretOf = (link: string): string => new URLSearchParams(new URL(link).hash.slice(1)).get("token")!;

describe("the inspector opens by its link", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.close());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    request({ port: scene.port, path: `/_gateway${path}`, headers });

  const strangers: [who: string, cookie: () => string][] = [
    ["nobody's cookie", () => ""],
    ["an empty one", () => scene.cookie.replace(/=.*/, "=")],
    ["one of another start", () => scene.cookie.replace(/=.*/, `=${"x".repeat(43)}`)],
    ["the secret in its place", () => scene.cookie.replace(/=.*/, `=${secretOf(scene.link)}`)],
    ["one of another port", () => scene.cookie.replace(/-\d+=/, "-1=")],
    ["ten thousand bytes of others", () => "a=b;".repeat(2_500)],
  ];

  test.each(strangers)("and to %s shows the way in only", async (_who, cookie) => {
    const entrance = await ask("/", { Cookie: cookie() });
    expect([entrance.status, entrance.headers["content-type"]]).toEqual([403, "text/html; charset=utf-8"]);
    expect(entrance.body.toString()).toContain("inspector(gateway).link(address)");
    for (const path of inside) {
      const answer = await ask(path, { Cookie: cookie() });
      expect([path, answer.status, answer.body.toString()]).toEqual([path, 403, expect.stringContaining("link")]);
    }
    expect((await ask("/style.css")).status).toBe(200);
  });

  test("with a cookie for its folder, which no script reads and no other site sends", async () => {
    const { status, headers, body } = await showSecret(scene.port, scene.link);
    expect([status, body.length]).toEqual([204, 0]);
    expect(headers["set-cookie"]).toEqual([`${scene.cookie}; HttpOnly; SameSite=Strict`]);
    expect(scene.cookie).toMatch(new RegExp(`^waymark-inspector-${scene.port}=[\\w-]{43}$`));
    expect(scene.cookie).not.toContain(secretOf(scene.link));
    expect((await ask("/", { Cookie: `a=b; ${scene.cookie}; c=d` })).status).toBe(200);
    expect((await ask("/routes", { Cookie: `${scene.cookie.replace(/=.*/, "=old")}; ${scene.cookie}` })).status).toBe(
      200,
    );
  });

  test.each([
    ["a wrong secret", { "X-Waymark-Secret": "x".repeat(43) }],
    ["an empty secret", { "X-Waymark-Secret": "" }],
    ["a very long secret", { "X-Waymark-Secret": "x".repeat(10_000) }],
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["the same site, another origin", { "Sec-Fetch-Site": "same-site" }],
    ["another host", { Host: "evil.example" }],
    ["a proxy", { "X-Forwarded-For": "127.0.0.1" }],
  ])("and refuses %s", async (_reason, headers) => {
    const answer = await showSecret(scene.port, scene.link, headers);
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([403, undefined]);
  });

  test("whose secret stands in no answer", async () => {
    const paths = ["/", "/open.js", "/routes", "/nothing"];
    const answers = await Promise.all(paths.map((path) => ask(path, { Cookie: scene.cookie })));
    const everything = JSON.stringify(answers.map(({ rawHeaders, body }) => [rawHeaders, body.toString()]));
    expect(everything).not.toContain(secretOf(scene.link));
  });

  test("which is another one at each start, but where the secret is given", async () => {
    const other = await startScene();
    expect(secretOf(other.link)).not.toBe(secretOf(scene.link));
    expect(
      (await request({ port: other.port, path: "/_gateway/routes", headers: { Cookie: scene.cookie } })).status,
    ).toBe(403);
    await other.close();
    const secret = "shared by workers, %+&#".replaceAll(" ", "-");
    const [one, two] = await Promise.all([startScene({ secret }), startScene({ secret })]);
    const cookie = one.cookie.replace(/-\d+=/, `-${two.port}=`);
    expect((await request({ port: two.port, path: "/_gateway/routes", headers: { Cookie: cookie } })).status).toBe(200);
    await Promise.all([one.close(), two.close()]);
  });
});

describe("the link", () => {
  const gateway = createGateway(parseConfig(configFor(1), { logger: false }), { logger: false });
  const { link } = inspector(gateway, { secret: "0123456789abcdef" });

  test.each([
    ["http://localhost:8080/_gateway", "http://localhost:8080/_gateway/#token=0123456789abcdef"],
    ["http://localhost:8080/_gateway/", "http://localhost:8080/_gateway/#token=0123456789abcdef"],
    [new URL("https://inspect.example"), "https://inspect.example/#token=0123456789abcdef"],
  ])("to %s", (address, expected) => {
    expect(link(address)).toBe(expected);
  });

  test("to what is no address is refused", () => {
    expect(() => link("/_gateway")).toThrow(/link\(\) takes the address .* received "\/_gateway"/);
  });

  test.each([["short"], [""], ["with a blank in the middle"], [7], [null]])("has no secret such as %j", (secret) => {
    expect(() => inspector(gateway, { secret: secret as string })).toThrow(/"secret" of inspector\(\) is a text of at/);
  });
});

describeWithNginx("the inspector behind nginx with its defaults", () => {
  let scene: Scene;
  let nginx: RunningNginx;
  beforeAll(async () => {
    scene = await startScene();
    nginx = await startNginx(scene.port);
  });
  afterAll(async () => {
    await nginx.close();
    await scene.close();
  });

  test("shows everybody who reaches nginx the way in only", async () => {
    expect((await request({ port: nginx.port, path: "/gw/orders/7" })).status).toBe(200);
    for (const path of ["/", ...inside]) {
      const answer = await request({ port: nginx.port, path: `/_gateway${path}`, headers: { Host: "public.example" } });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.body.toString()).not.toMatch(/waymark-token|orders/);
    }
  });
});
