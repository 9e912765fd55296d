import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { type Scene, startScene } from "./scene.ts";

const longRole = "http://schemas.microsoft.com/ws/2008/06/identity/claims/role";
const longName = "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier";

describe.each(engines)("A claim in a header, with $name", ({ create }) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene(
      [
        { AddHeadersToRequest: { "X-Out": "Claims[v] > value" } },
        { UpstreamPathTemplate: "/part/{rest}", AddHeadersToRequest: { X_Part: "Claims[v] > value[1] > |-" } },
        { UpstreamPathTemplate: "/long/{rest}", AddHeadersToRequest: { "X-Out": `Claims[${longRole}] > value` } },
        { UpstreamPathTemplate: "/short/{rest}", AddHeadersToRequest: { "X-Out": "Claims[role] > value" } },
        { UpstreamPathTemplate: "/name/{rest}", AddHeadersToRequest: { "X-Out": `Claims[${longName}] > value` } },
        { UpstreamPathTemplate: "/odd/{rest}", AddHeadersToRequest: { "X-Out": "Claims[__proto__] > value" } },
        { UpstreamPathTemplate: "/built/{rest}", AddHeadersToRequest: { "X-Out": "Claims[constructor] > value" } },
        { UpstreamPathTemplate: "/open/{rest}", AuthenticationOptions: {} },
      ],
      { engine: create() },
    );
  });
  afterAll(() => scene.close());

  test.each<[string, unknown, string]>([
    ["a text", "a,b", "a,b"],
    ["an empty text", "", ""],
    ["null is an empty text", null, ""],
    ["a number", 1.5, "1.5"],
    ["a large number", 1e21, "1e+21"],
    ["an integer that no number holds", 123456789012345678901n, "123456789012345678901"],
    ["true", true, "true"],
    ["several", ["a", null, 1, { b: 2n ** 60n }], `a,1,{"b":${2n ** 60n}}`],
    ["an object", { a: [1, "x"] }, '{"a":[1,"x"]}'],
    ["outer blanks go", "\t a\tb ", "a\tb"],
    ["percent signs stay", "%0d%0aX: 1", "%0d%0aX: 1"],
    ["a long one", "a".repeat(9_000), "a".repeat(9_000)],
  ])("%s", async (_title, v, text) => {
    const { status, arrived } = await scene.ask({}, { v });
    expect(status).toBe(200);
    expect(arrived?.headers["x-out"]).toBe(text);
  });

  test.each<[string, unknown, string]>([
    ["a line break", "a\r\nX-Evil: 1", "claim-unfit"],
    ["a bare line feed", "a\nb", "claim-unfit"],
    ["a NUL", "a\0b", "claim-unfit"],
    ["a character beyond ASCII", "Zoë", "claim-unfit"],
    ["half a character", "\ud800", "claim-unfit"],
    ["100 kB", "a".repeat(100_000), "claim-unfit"],
    ["an empty list", [], "claim-missing"],
    ["a list of nothing", [null], "claim-missing"],
    ["nothing", undefined, "claim-missing"],
  ])("%s is refused, and nothing is sent", async (_title, v, code) => {
    expect(await scene.ask({}, { v })).toMatchObject({ status: 403, code, arrived: undefined });
  });

  test.each<[string, string, object, string | undefined]>([
    ["a part", "/part/z", { v: "a|b" }, "b"],
    ["a part at another delimiter", "/part/z", { v: "a-b|c" }, "b"],
    ["a part that is missing", "/part/z", { v: "a" }, undefined],
    ["a long name finds a short one", "/long/z", { role: "r" }, "r"],
    ["a long name finds all short ones", "/name/z", { sub: "a", nameid: "b" }, "a,b"],
    ["a long name finds itself first", "/long/z", { role: "r", [longRole]: "l" }, "l"],
    ["a short name finds a long one", "/short/z", { [longRole]: "l" }, "l"],
    ["a short name finds itself first", "/short/z", { role: "r", [longRole]: "l" }, "r"],
    ["no short name finds another", "/short/z", { roles: "r" }, undefined],
    ["letters of another case are another name", "/short/z", { Role: "r" }, undefined],
    ["a claim like a member of all objects", "/odd/z", JSON.parse('{"__proto__":"p"}'), "p"],
    ["what all objects have is no claim", "/odd/z", {}, undefined],
    ["what is built in is no claim", "/built/z", {}, undefined],
  ])("%s", async (_title, path, claims, expected) => {
    const { status, code, arrived } = await scene.ask({ path }, claims);
    expect([status, code]).toEqual(expected === undefined ? [403, "claim-missing"] : [200, undefined]);
    expect(arrived?.headers["x-out"] ?? arrived?.headers.x_part).toBe(expected);
  });

  test.each([
    ["as it is set", { "x-out": "root" }],
    ["with an underscore", { x_out: "root" }],
    ["in capitals", { "X-OUT": "root" }],
    ["with another character", { "x.out": "root" }],
    ["twice", { "X-Out": ["root", "root"] }],
    ["with the value of the claim", { "x-out": "alice" }],
    ["named by Connection", { "x-out": "root", connection: "close, x-out" }],
  ])("is never a client's, spelt %s", async (_title, headers) => {
    for (const path of ["/x/z", "/open/z"]) {
      const { arrived } = await scene.ask({ path, headers }, { v: "alice" });
      const { rawHeaders } = arrived!;
      const found = rawHeaders.filter((_text, at) => at % 2 === 0 && /^x.out$/i.test(rawHeaders[at]!));
      expect(found.map((name) => [name, rawHeaders[rawHeaders.indexOf(name) + 1]])).toEqual(
        path === "/x/z" ? [[expect.stringMatching(/^x-out$/i), "alice"]] : [],
      );
    }
  });
});

describe("A claim in a path", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene([
      {
        DownstreamPathTemplate: "/u/{v}/{rest}?id={v}",
        ChangeDownstreamPathTemplate: { v: "Claims[v] > value" },
      },
      {
        UpstreamPathTemplate: "/own/{rest}",
        DownstreamPathTemplate: "/own/{rest}",
        ChangeDownstreamPathTemplate: { rest: "Claims[v] > value" },
      },
      {
        UpstreamPathTemplate: "/query/{rest}",
        DownstreamPathTemplate: "/{rest}?id={v}",
        ChangeDownstreamPathTemplate: { v: "Claims[v] > value" },
      },
      {
        UpstreamPathTemplate: "/behind?a={a}&b={b}",
        DownstreamPathTemplate: "/behind?a={a}&b={b}&id={v}",
        ChangeDownstreamPathTemplate: { v: "Claims[v] > value" },
      },
      {
        UpstreamPathTemplate: "/named/{key}?a={a}&b={b}",
        DownstreamPathTemplate: "/named?a={a}&{key}=1&b={b}&id={v}",
        ChangeDownstreamPathTemplate: { v: "Claims[v] > value" },
      },
      {
        UpstreamPathTemplate: "/middle?{all}",
        DownstreamPathTemplate: "/middle?q={all}&id={v}",
        ChangeDownstreamPathTemplate: { v: "Claims[v] > value" },
      },
    ]);
  });
  afterAll(() => scene.close());

  test.each<[string, string, string, string]>([
    [
      "stays in its segment and its parameter",
      "/x/z",
      "a/b?c#d&e=f+g",
      "/u/a%2Fb%3Fc%23d&e=f+g/z?id=a%2Fb%3Fc%23d%26e%3Df%2Bg",
    ],
    ["keeps its percent signs", "/x/z", "a%2fb%", "/u/a%252fb%25/z?id=a%252fb%25"],
    ["is UTF-8", "/x/z", "Zoë", "/u/Zo%C3%AB/z?id=Zo%C3%AB"],
    ["is never filled again", "/x/z", "{rest}", "/u/%7Brest%7D/z?id=%7Brest%7D"],
    ["may be empty in a parameter", "/query/z", "", "/z?id="],
    ["goes before the client's value", "/own/mine", "alice", "/own/alice"],
    ["that is what the client sent is still a claim", "/own/a%2Fb", "a%2Fb", "/own/a%252Fb"],
    ["of two dots stays a parameter", "/query/z", "..", "/z?id=.."],
    ["goes before the client's parameter", "/query/z?id=9&o=1", "7", "/z?id=7&o=1"],
  ])("%s", async (_title, path, v, arrives) => {
    const { status, arrived } = await scene.ask({ path }, { v });
    expect([status, arrived?.target]).toEqual([200, arrives]);
  });

  const semicolons = (count: number): string => ";x".repeat(count);
  const encoded = (count: number): string => "%3Bx".repeat(count);

  test.each<[string, string, string]>([
    [
      "before 500 parameters of services that split at semicolons",
      `/behind?a=1${semicolons(250)}&b=2${semicolons(247)}`,
      `/behind?a=1${semicolons(250)}&b=2${semicolons(247)}&id=7`,
    ],
    [
      "before more of them, which become one",
      `/behind?a=1${semicolons(250)}&b=2${semicolons(248)}`,
      `/behind?a=1${encoded(250)}&b=2${encoded(248)}&id=7`,
    ],
    [
      "before more of them in a template that names a parameter by a placeholder",
      `/named/k?a=1${semicolons(250)}&b=2${semicolons(251)}`,
      `/named?a=1${encoded(250)}&k=1&b=2${encoded(251)}&id=7`,
    ],
    [
      "before a query that is taken whole as a value, which is one parameter",
      `/middle?a&a${"&a".repeat(600)}`,
      `/middle?q=a%26a${"%26a".repeat(600)}&id=7`,
    ],
    [
      "in front of any number that the template does not take",
      `/query/z?${"&".repeat(900)}`,
      `/z?id=7&${"&".repeat(900)}`,
    ],
  ])("is not lost behind others, of which services read as many: %s", async (_title, path, arrives) => {
    const { status, arrived } = await scene.ask({ path }, { v: "7" });
    expect([status, arrived?.target]).toEqual([200, arrives]);
  });

  test.each([
    ["no text, which would ask for what is everybody's", ""],
    ["null", null],
    ["two dots", ".."],
    ["one dot", "."],
    ["a way up", "../admin"],
    ["a way up with a backslash", "..\\admin"],
    ["a NUL", "a\0"],
    ["a line break", "a\r\nb"],
    ["half a character, which would become the same as any other half", "a\ud800"],
    ["100 kB", "a".repeat(100_000)],
  ])("is refused for %s, and nothing is sent", async (_title, v) => {
    expect(await scene.ask({}, { v })).toMatchObject({ status: 403, code: "claim-unfit", arrived: undefined });
  });
});

describe("A claim in a query", () => {
  let scene: Scene;
  beforeAll(async () => {
    const added = { AddQueriesToRequest: { loc: "Claims[v] > value", "a b&c": "Claims[sub] > value" } };
    scene = await startScene([
      added,
      { ...added, UpstreamPathTemplate: "/set/{rest}", DownstreamPathTemplate: "/{rest}?loc=fixed" },
      { ...added, UpstreamPathTemplate: "/all/{rest}?{query}", DownstreamPathTemplate: "/{rest}?{query}" },
      {
        AddQueriesToRequest: { loc: "Claims[v] > value" },
        UpstreamPathTemplate: "/kept/{rest}",
        DownstreamPathTemplate: "/{rest}?loc=fixed",
      },
      { ...added, UpstreamPathTemplate: "/taken/{rest}?q={q}", DownstreamPathTemplate: "/{rest}?q={q}" },
    ]);
  });
  afterAll(() => scene.close());

  const own = "a%20b%26c=alice";

  test.each<[string, string, string, string]>([
    ["stands behind the others, byte for byte", "/x/z?a=1+2&b&c=%41", "7", `/x/z?a=1+2&b&c=%41&loc=7&${own}`],
    ["is one parameter", "/x/z", "a&b=c#d", `/x/z?loc=a%26b%3Dc%23d&${own}`],
    ["keeps its percent signs", "/x/z", "a%20b%", `/x/z?loc=a%2520b%25&${own}`],
    ["has its line breaks encoded", "/x/z", "a\r\n\0", `/x/z?loc=a%0D%0A%00&${own}`],
    ["replaces the client's", "/x/z?loc=9&o=1&loc=8", "7", `/x/z?o=1&loc=7&${own}`],
    ["replaces the client's in another case", "/x/z?LOC=9", "7", `/x/z?loc=7&${own}`],
    ["replaces the client's in brackets", "/x/z?loc[]=9", "7", `/x/z?loc=7&${own}`],
    ["replaces the client's encoded", "/x/z?l%6fc=9", "7", `/x/z?loc=7&${own}`],
    ["replaces the client's behind a semicolon", "/x/z?o=1;loc=9", "7", `/x/z?o=1%3Bloc=9&loc=7&${own}`],
    ["leaves what the template sets", "/set/z?loc=9", "7", `/z?loc=fixed&${own}`],
    ["replaces the client's in a query that is taken whole", "/all/z?loc=9&o=1", "7", `/z?o=1&loc=7&${own}`],
  ])("%s", async (_title, path, v, arrives) => {
    const { status, arrived } = await scene.ask({ path }, { v, sub: "alice" });
    expect([status, arrived?.target]).toEqual([200, arrives]);
  });

  const many = (text: string, count: number): string => Array.from({ length: count }, () => text).join("");

  test.each<[string, string, boolean]>([
    ["500 of the client's", `/x/z?a${many("&a", 499)}`, true],
    ["501 of the client's", `/x/z?a${many("&a", 500)}`, false],
    ["500 without names", `/x/z?${many("&", 499)}`, true],
    ["501 without names", `/x/z?${many("&", 500)}`, false],
    ["500 for services that split at semicolons", `/x/z?a${many(";a", 250)}${many("&a", 249)}`, true],
    ["501 for services that split at semicolons", `/x/z?a${many(";a", 250)}${many("&a", 250)}`, false],
    ["501 in a query that is taken whole", `/all/z?${many("&", 500)}`, false],
    ["501 with the parameter of the template", `/set/z?a${many("&a", 499)}`, false],
    ["500 beside a value that the template takes", `/taken/z?q=1${many(";a", 400)}${many("&a", 99)}`, true],
    ["501 beside a value that the template takes", `/taken/z?q=1${many(";a", 400)}${many("&a", 100)}`, false],
    ["600 within a value that the template takes, which become one", `/taken/z?q=1${many(";a", 600)}`, true],
    ["500 beside those that go, since a claim replaces them", `/x/z?a${many("&a", 499)}${many("&loc", 500)}`, true],
    ["any number where the template has the last word, and stands in front", `/kept/z?a${many("&a", 999)}`, true],
  ])("is not lost behind others, of which services read as many: %s", async (_title, path, passes) => {
    const { status, code, arrived } = await scene.ask({ path }, { v: "7", sub: "alice" });
    if (passes) expect([status, arrived?.target]).toEqual([200, expect.stringMatching(/[?&]loc=(?:7|fixed)\b/)]);
    else expect([status, code, arrived]).toEqual([400, "parameters-too-many", undefined]);
  });

  test("of half a character is refused, which would become the same as any other half", async () => {
    const refused = { status: 403, code: "claim-unfit", arrived: undefined };
    expect(await scene.ask({ path: "/x/z" }, { v: "\udc00", sub: "alice" })).toMatchObject(refused);
  });

  test("that is missing refuses the request, also where the template has the last word", async () => {
    for (const path of ["/x/z", "/set/z"]) {
      expect(await scene.ask({ path })).toMatchObject({ status: 403, code: "claim-missing", arrived: undefined });
    }
  });
});
