import { afterAll, beforeAll, expect, test } from "@jest/globals";
import express from "express";
import { accessLog, createGateway, parseConfig } from "../../src/index.ts";
import { request } from "../helpers/send-raw.ts";
import { type RunningGateway, serve, startGateway } from "../helpers/start-gateway.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

type Line = Readonly<{ path: string; target: string; mountPath: string }>;

const lines: Line[] = [];
let tell = (): void => undefined;
let upstream: Upstream;
let gateway: RunningGateway;

const messages: string[] = [];
const log = accessLog({
  info(fields, message) {
    lines.push(fields as Line);
    messages.push(message);
    tell();
  },
});

function configuration(): object {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: upstream.port }];
  return {
    Routes: [{ UpstreamPathTemplate: "/{all}", DownstreamPathTemplate: "/{all}", DownstreamHostAndPorts }],
  };
}

beforeAll(async () => {
  upstream = await startUpstream((_req, res) => res.end("ok"));
  gateway = await startGateway(configuration(), { observers: [log] });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

async function nextLine(): Promise<Line> {
  while (lines.length === 0) await new Promise<void>((resolve) => (tell = resolve));
  return lines.shift()!;
}

/** What the log says of a request, in both of its URLs. */
async function ask(path: string): Promise<string> {
  await request({ port: gateway.port, path });
  const line = await nextLine();
  expect(line.target).toBe(upstream.origin + line.path);
  return line.path;
}

const secret = "s3cr3t-v4lue";
const inUrl = `https://x/cb?token=${secret}`;
const once = encodeURIComponent;

test.each<[spelling: string, asked: string, shown: string]>([
  ["as it is", `/x?to=${inUrl}`, "/x?to=https://x/cb?token=***"],
  ["encoded", `/x?to=${once(inUrl)}`, "/x?to=***"],
  ["its slashes encoded", "/x?to=https%3A%2F%2Fx%2Fcb%3Ftoken=" + secret, "/x?to=***"],
  ["its question mark encoded", `/x?to=https://x/cb%3Fa=1%26token=${secret}`, "/x?to=***"],
  ["encoded twice", `/x?to=${once(once(inUrl))}`, "/x?to=***"],
  ["encoded three times", `/x?to=${once(once(once(inUrl)))}`, "/x?to=***"],
  ["in a URL in a URL", `/x?to=${once(`https://y?next=${once(inUrl)}`)}`, "/x?to=***"],
  ["in an encoded fragment", `/x?to=y%23access_token=${secret}`, "/x?to=***"],
  ["behind an encoded semicolon", `/x?a=1%3Btoken=${secret}`, "/x?a=***"],
  ["behind an encoded sign", `/x?token%3D${secret}&page=2`, "/x?***&page=2"],
  ["behind a name that is encoded twice", `/x?%2574oken=${secret}`, "/x?%2574oken=***"],
  ["behind a name as ASP.NET reads it", `/x?%u0074oken=${secret}`, "/x?%u0074oken=***"],
  ["before a host", `/x?to=https://me:${secret}@x/`, "/x?to=***"],
  ["before a host, encoded", `/x?to=${once(`https://me:${secret}@x/`)}`, "/x?to=***"],
  ["in JSON", `/x?q={"a":[{"token":"${secret}"}]}`, "/x?q=***"],
  ["in encoded JSON", `/x?q=${once(`{"a":1,"token" : "${secret}"}`)}`, "/x?q=***"],
  ["in JSON in JSON", `/x?q=${once(JSON.stringify({ a: JSON.stringify({ token: secret }) }))}`, "/x?q=***"],
  ["in a parameter of a path", `/x;token=${secret}/y`, "/x;token=***/y"],
  ["in a parameter of a path, its sign encoded", `/x;token%3D${secret}/y`, "/x;***/y"],
  [
    "as the id of a session",
    `/x;jsessionid=${secret}?PHPSESSID=${secret}&sid=${secret}`,
    "/x;jsessionid=***?PHPSESSID=***&sid=***",
  ],
  ["in a segment", `/token=${secret}/y`, "/token=***/y"],
  ["in a URL that is a segment", `/go/${once(inUrl)}/y`, "/go/***/y"],
  ["before a host in a path", `/go/https://me:${secret}@x/y`, "/go/https://***@x/y"],
])("a secret of a nested URL, %s, is masked", async (_spelling, asked, shown) => {
  expect(await ask(asked)).toBe(shown);
});

test.each<[value: string, asked: string, shown: string]>([
  ["with a question mark", "/x?password=Correct?Horse9&page=2", "/x?password=***&page=2"],
  ["with a semicolon and an equals sign", "/x?password=Correct;Horse=9&page=2", "/x?password=***&page=2"],
  ["that begins with a semicolon", "/x?password=;Horse9", "/x?password=***"],
  ["that begins with a number sign, within another", "/x?to=/y%3Fpassword=%23Horse9", "/x?to=***"],
  ["behind a semicolon", "/x?a=1;password=Correct?Horse9&page=2", "/x?a=1;password=***&page=2"],
  ["in the query of a nested URL", "/x?to=https://x/cb?token=ab;cd?ef", "/x?to=https://x/cb?token=***"],
  ["in JSON, with separators", '/x?q={"password":"Correct?Horse;9"}&page=2', "/x?q=***&page=2"],
  ["in JSON, with an ampersand", '/x?q={"a":["b"],"password":"Correct&Horse"}&page=2', "/x?q=***&page=2"],
  ["in JSON, behind another member with an ampersand", '/x?q={"a":"b&c","password":"d&Horse"}', '/x?q={"a":"b&***'],
  ["in JSON, with a bracket", '/x?q={"password":"}a&Horse"}&page=2', "/x?q=***&page=2"],
  ["in JSON in a path, behind another member with a slash", '/{"a":"b/c","token":"d/Horse=="}/y', '/{"a":"b/***/y'],
  ["in JSON, with equals signs", '/x?{"password":"Correct=Horse="}&page=2', "/x?***&page=2"],
  ["in JSON behind a semicolon", '/x?q={"a":"b;c","password":"Correct=Horse"}', '/x?q={"a":"b;***'],
  ["behind an encoded sign, with equals signs", "/x?token%3DCorrect==&page=2", "/x?***&page=2"],
  ["before a host, with a semicolon", "/x?to=https://me:Correct;Horse9@x/&page=2", "/x?to=***&page=2"],
  ["before a host, with an equals sign", "/x?https://me:Correct=Horse9@x/", "/x?***"],
  ["before a host, in JSON that escapes slashes", '/x?q={"to":"https:\\/\\/me:Correct@x"}', "/x?q=***"],
  ["in a path, with a semicolon", "/x;token=Correct;Horse=9/y", "/x;token=***/y"],
  ["in a segment, with a semicolon", "/token=Correct;Horse9/y", "/token=***/y"],
  ["in JSON in a path", "/%7B%22token%22:%22Correct/Horse==%22%7D/y", "/***/y"],
  ["in JSON that is a segment, with equals signs", '/{"token":"Correct=="}/y', "/***/y"],
  ["before a host in a path, with a semicolon", "/go/https:%2F%2Fme:Correct;Horse9@x/y", "/go/***/y"],
  ["before a host in a path, in JSON", '/{"to":"https:\\/\\/me:Correct@x"}/y', '/{"to":"https:\\/\\/***@x"}/y'],
  ["in JSON in a path, with a question mark", '/x/{"password":"Correct?Horse"}/y', "/x/***/y"],
  ["in JSON in a path, with an ampersand behind a question mark", '/{"token":"a?b&Horse"}?page=2', "/***?page=2"],
  ["in JSON in a path, encoded but for the question mark", "/x/%7B%22token%22:%22a?Horse%22%7D", "/x/***"],
  ["in JSON with single quotes, with an ampersand", "/x?q={'password':'Correct&Horse'}&page=2", "/x?q=***&page=2"],
  [
    "in JSON in JSON that begins behind an ampersand",
    String.raw`/x?q={"a":"b&{\u0022password\u0022:\u0022c&Horse\u0022}"}&page=2`,
    '/x?q={"a":"b&***&page=2',
  ],
  ["before a host, with an ampersand", "/x?to=http://me:Correct&Horse@x/y&page=2", "/x?to=http://***@x/y&page=2"],
  ["before a host, an ampersand behind digits", "/x?to=http://me:12&Horse@x/y&page=2", "/x?to=http://***@x/y&page=2"],
  ["before a host, without a name", "/x?to=http://Correct&Horse@x/y", "/x?to=http://***@x/y"],
  ["before a host, with what looks like a parameter", "/x?to=http://me:Correct&a=Horse@x/y", "/x?to=http://***@x/y"],
  [
    "before a host, encoded but for an ampersand",
    "/x?to=http%3A%2F%2Fme%3ACorrect&Horse%40x",
    "/x?to=http%3A%2F%2F***%40x",
  ],
  ["before a host, with a slash", "/x?to=http://me:Correct/Horse@x/&page=2", "/x?to=***&page=2"],
  ["before a host, with a question mark", "/x?to=http://me:Correct?Horse@x/&page=2", "/x?to=***&page=2"],
  ["before a host, more digits than a port has", "/x?to=http://me:123456/7@x/&page=2", "/x?to=***&page=2"],
  ["before a host in a path, more digits than a port has", "/go/http://me:123456/7@x/y", "/go/http://***@x/y"],
  ["before a host in a path, with an ampersand", "/go/http://me:Correct&Horse@x/y", "/go/http://***@x/y"],
  ["before a host in a path, with a slash", "/go/http://me:Correct/Horse@x/y", "/go/http://***@x/y"],
  ["before a host in a path, with a question mark", "/go/http://me:Correct?Horse@x/y", "/go/http://***@x/y"],
  [
    "before a host in a path, encoded, with a question mark",
    "/go/http%3A%2F%2Fme:a?Horse@x/y",
    "/go/http%3A%2F%2F***@x/y",
  ],
  ["before a host, without a scheme", "/x?to=//me:Horse@x/y", "/x?to=***"],
  ["before a host in a path, behind an address, with a slash", "/x/http://me@x.de:a/Horse@h/y", "/x/http://***@h/y"],
  [
    "before a host in a path, behind an address, with a question mark",
    "/x/http://me@x.de:a?Horse@h",
    "/x/http://***@h",
  ],
  ["before a host, behind an address, with a slash", "/x?to=http://me@x.de:a/Horse@h/y&page=2", "/x?to=***&page=2"],
  ["before a host, behind an address, like a parameter", "/x?to=http://me@x.de:a&b=Horse@h", "/x?to=***@h"],
  ["before a host, behind an address, escaped", "/x/http:%2F%2Fme%40x.de:a/Horse%40h", "/x/***%40h"],
  ["before a host, behind one slash", "/x?u=http:/me:Horse@h/y", "/x?u=***"],
  ["before a host, behind no slash", "/x?u=HTTP:me:Horse@h/y", "/x?u=***"],
  ["before a host, behind backslashes", "/x?u=http:\\\\me:Horse@h/y", "/x?u=***"],
  ["before a host, behind a slash and a backslash", "/x?u=wss:/\\me:Horse@h/y", "/x?u=***"],
  ["before a host, behind one slash, escaped", "/x?u=http%3A%2Fme%3AHorse%40h", "/x?u=***"],
  ["before a host in a path, behind one slash", "/x/http:/me:Horse@h/y", "/x/http:/***@h/y"],
  ["before a host in a path, behind no slash", "/x/http:me:Horse@h/y", "/x/http:***@h/y"],
  ["before a host behind one slash, without a name", "/x?u=http:/:Horse@h/y", "/x?u=***"],
  ["before a host behind one slash, a name in another alphabet", "/x?u=https:/%C3%BCli:Horse@h/y", "/x?u=***"],
  ["before a host in a path, behind one slash, an odd name", "/x/https:/$u:Horse@h/y", "/x/https:/***@h/y"],
  ["before a host in a path, behind backslashes", "/x/http:\\\\me:Horse@h/y", "/x/http:\\\\***@h/y"],
  ["before a host, behind a name such as us;er", "/x?u=http://us;er:a/Horse@h", "/x?u=***"],
  ["before a host in a path, behind a name such as us;er", "/x/http://us;er:a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name such as us,er", "/x?u=http://us,er:a/Horse@h", "/x?u=***"],
  ["before a host in a path, behind a name such as us,er", "/x/http://us,er:a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name such as us'er", "/x?u=http://us'er:a/Horse@h", "/x?u=***"],
  ["before a host in a path, behind a name such as us'er", "/x/http://us'er:a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name such as (u)", "/x?u=http://(u):a/Horse@h", "/x?u=***"],
  ["before a host in a path, behind a name such as (u)", "/x/http://(u):a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name such as a=b", "/x?u=http://a=b:a/Horse@h", "/x?u=***"],
  ["before a host in a path, behind a name such as a=b", "/x/http://a=b:a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name such as us&er", "/x?u=http://us&er:a/Horse@h", "/x?u=http://***@h"],
  ["before a host in a path, behind a name such as us&er", "/x/http://us&er:a/Horse@h", "/x/http://***@h"],
  ["before a host, behind a name with a password's beginning", "/x/http://me:a@b:c/Horse@h/y", "/x/http://***@h/y"],
])("a secret is masked to its end: one %s", async (_value, asked, shown) => {
  expect(await ask(asked)).toBe(shown);
});

test.each<[spelling: string, json: string]>([
  ["a line end before the colon", `{"password"\n:"${secret}"}`],
  ["a tab before the colon", `{"password"\t:"${secret}"}`],
  ["both ends of a line and blanks before the colon", `{"password"   \r\n      :"${secret}"}`],
  ["more blanks before an equals sign", `a=1, password   =  ${secret}`],
  ["a name of several words", `{"password of me":"${secret}"}`],
  ["a name with a bracket", `{"password[0]":"${secret}"}`],
  ["a name with separators", `{"password/of,me?":"${secret}"}`],
  ["an escaped name", String.raw`{"to\u006ben":"${secret}"}`],
  ["JSON in JSON, as .NET escapes its quotes", String.raw`{"a":"{\u0022password\u0022:\u0022${secret}\u0022}"}`],
  ["JSON in JSON, with escaped white space", String.raw`{"a":"{\"password\"\n\t:\"${secret}\"}"}`],
  ["JSON in JSON in JSON", JSON.stringify(JSON.stringify(JSON.stringify({ password: secret })))],
  ["a nested parameter with a bracket", `https://x?password[0]=${secret}`],
  ["a host with escaped slashes", String.raw`{"to":"https:\/\/me:${secret}@x"}`],
])("a secret is recognised in a value: %s", async (_spelling, json) => {
  for (const spelt of [once(json), once(once(json))]) expect(await ask(`/x?q=${spelt}`)).toBe("/x?q=***");
});

test.each([
  ["/x?password=Correct#Horse9&page=2", "/x?password=***&page=2"],
  ['/x/{"password":"Correct#Horse9"}/y', "/x/***/y"],
  ["/go/http://me:Correct#Horse9@x/y", "/go/http://***@x/y"],
  ["/go/http://me@x.de:Correct#Horse9@x/y", "/go/http://***@x/y"],
  ["/go/http:/%0D/me:Horse9@x/y", "/go/http:/%0D/***@x/y"],
])("a secret of a URL that is refused is masked to its end: %s", async (path, shown) => {
  expect(await request({ port: gateway.port, path })).toMatchObject({ status: 400 });
  expect(await nextLine()).toMatchObject({ path: shown });
});

test.each([
  "/x?to=https%3A%2F%2Fx%2Fcb%3Fpage%3D2",
  "/x?to=https://key.example/cb%3Fpage%3D2",
  "/x?q=what+is+a+token%3D",
  "/x?data=abckeyQ%3D%3D&page=2",
  "/x?time=12:30&q=%22a%22:1",
  "/x?to=https://x/@me",
  "/x?to=//x/@me",
  "/x?to=https://x/y&email=me@example.org",
  "/x?to=https://x&email=me@example.org",
  "/x?to=http://localhost:3000&email=me@example.org",
  "/x?to=http%3A%2F%2Flocalhost%3A3000%2Fy&at=12:30&email=me@example.org",
  "/x?image=docker://alpine:3.18&to=myapp://open:settings",
  "/x?to=http://[::1]:80/y&email=me@example.org",
  "/x?to=http://h:{port}/y&from=mongodb://h1:27017,h2:27017/db",
  '/x?q={"url":"http://localhost:8080","at":"12:30"}',
  "/x?ids[]=1&email=me@example.org",
  "/x/a:b@c?email=me@example.org&mail=mailto:me@example.org",
  "/x?scheme=http:&email=me@example.org",
  "/x?q=http:+see+me@example.org",
  "/x?q=http:%20see%20me@example.org",
  '/x?q={"scheme":"http:","email":"me@example.org"}',
  "/x/myhttp:me@example.org",
  "/x?to=http://x&at=12:30:00&email=me@example.org",
  "/x?to=http://x;v=1&at=a:b&email=me@example.org",
  "/x?q={'to':'http://x','at':'12:30'}&email=me@example.org",
  "/x?q=(to:'http://x',at:now)&email=me@example.org",
  "/x?from=mongodb://h1,h2:27017/db&email=me@example.org",
  "/go/https://x:8080/@me?email=me@example.org",
  "/the-token/keys%2Ftoken%3D/y",
  "/x?%=&%zz=1&%ff",
  "/x?a=1;b=2?c=3&e={f;g}&h=4",
  "/x?to=https://x/token/y?page=2;size=3",
  "/x;lang=en;view=keyboard/y",
  `/x?q=${once('{"a":"a token", "b": ["the key", "x=1"]}')}`,
  `/x?q=${once("the key  is a=1")}`,
])("what holds no secret stays readable: %s", async (asked) => {
  expect(await ask(asked)).toBe(asked);
});

test.each<[mount: string, asked: string, shown: string]>([
  ["/t/:apiToken/gw", `/t/${secret}/gw/x`, "/t/***/gw"],
  ["/t/:apiToken/gw", "/t/s%33cr%33t%20v/gw/x", "/t/***/gw"],
  ["/t/:apiToken/gw", "/t/ab/gw/x", "/t/***/gw"],
  ["/t/*keys/gw", "/t/one-key/other-key/gw/x", "/t/***/***/gw"],
  ["/t/:team/gw", "/t/north;token=abcd/gw/x", "/t/north;token=***/gw"],
  ["/t/:team/gw", "/t/north/gw/x", "/t/north/gw"],
])("of the mount path %s, asked for by %s, secrets are masked", async (mount, asked, shown) => {
  const handler = createGateway(parseConfig(configuration(), { logger: false }), { observers: [log], logger: false });
  const mounted = await serve(express().use(mount, handler), handler);
  try {
    await request({ port: mounted.port, path: asked });
    expect(await nextLine()).toMatchObject({ mountPath: shown, path: "/x" });
    expect(messages.at(-1)).toContain(`GET ${shown}/x -> `);
  } finally {
    await mounted.close();
  }
});

test.each<[of: string, filling: string]>([
  ["plain parameters", "a&"],
  ["parameters that are escaped", "a%5B=1&"],
  ["parameters that are escaped twice", "a%255B=1&"],
])("in a query of very many %s the last ones are masked, unseen, and the first ones are not", async (_of, filling) => {
  const path = `/x?${filling.repeat(7_500 / filling.length)}%2574oken=${secret}`;
  const shown = await ask(path);
  expect(shown.startsWith(`/x?${filling.repeat(40)}`)).toBe(true);
  expect(shown.endsWith("&***")).toBe(true);
});
