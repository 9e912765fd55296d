import { describe, expect, test } from "@jest/globals";
import { eachOf } from "../fuzz/bounds.ts";
import { editsOf } from "./edits.ts";
import { ConfigError, parseConfig } from "../../src/index.ts";

/** All that is told of a configuration that cannot be used: its message, its problems and what is logged. */
function toldOf(text: string): string {
  const logged: string[] = [];
  const log = (_problem: object, line: string): void => void logged.push(line);
  const logger = { error: log, warn: log, info: () => undefined, debug: () => undefined };
  try {
    parseConfig(text, { logger });
  } catch (error) {
    const { message, problems } = error as ConfigError;
    return [message, JSON.stringify(problems), ...logged].join("\n");
  }
  throw new Error("The configuration was accepted.");
}

const inOneLine = (member: string): string => `{ "Routes": [{ "Priority": "x", ${member}, "Timeout": "y" }] }`;
const inLines = (member: string): string =>
  `{\n  "Routes": [\n    {\n      "Priority": "x", ${member},\n      "Timeout": "y"\n    }\n  ]\n}`;

function expectHidden(member: string): void {
  for (const text of [inOneLine(member), inLines(member)]) expect(toldOf(text)).not.toMatch(/s3same|5353/);
}

describe("what is shown of a configuration whose secrets stand under misspelt names", () => {
  test.each([
    ...["Secert", "Scret", "Secrett", "Sekret", "Seecrett", "ClientSecert", "client_secert", "JWT-Secert"],
    ...["Pasword", "Pasvord", "Psswrod", "dbpasword", "DbPasswrd", "ApiKye", "apikye", "Api_Kye", "ApiKy", "API-KYE"],
    ...[
      "Tokne",
      "Tokken",
      "AccessTokne",
      "accesstokne",
      "IdentityKye",
      "StickyKy",
      "Stickyxey",
      "Credntials",
      "Signatrue",
      "PrivateKye",
    ],
    ...["Conectionstring", "Autorization", "Passphrse", "Sha265"],
  ])("masks the value of %s", (name) => {
    expectHidden(`"${name}": "s3same"`);
    expectHidden(`"Metadata": { "${name}": ["s3same", 5353] }`);
  });

  test.each([
    ...["SwaggerKey", "Key", "Header", "Headers", "Type", "Kind", "Secure", "Taken", "Passport", "Socket", "Kinds"],
    ...["Discrete", "Past", "Better", "Then", "Server", "Scheme", "Hedaer", "RouteKye", "Section", "Path", "Author"],
  ])("shows the value of %s, which is no secret's", (name) => {
    expect(toldOf(inOneLine(`"Priority": "x", "Metadata": {}, "${name}": { "of": "shown" }`))).toContain("shown");
  });

  const global = (member: string): string => `{ "Routes": "x", "GlobalConfiguration": { ${member} } }`;
  const provider = (member: string): string => global(`"ServiceDiscoveryProvider": { "Type": "Consul", ${member} }`);
  const scheme = (member: string): string => global(`"AuthenticationSchemes": { "P": { "Type": "Jwt", ${member} } }`);

  test.each([
    ["IdentityKey", global],
    ["StickyKey", global],
    ["Token", provider],
    ["Secret", scheme],
    ["ClientSecret", scheme],
  ])("masks what a hint takes for %s", (key, textOf) => {
    const twice = [...editsOf(key, ["q"])].flatMap((once) => [...editsOf(once, ["x"])]);
    const refusals = eachOf(twice, 23).map((name) => toldOf(textOf(`"${name}": "s3same"`)));
    const hinted = refusals.filter((refusal) => refusal.includes(`did you mean "${key}"?`));
    expect(hinted.length).toBeGreaterThanOrEqual(5);
    for (const refusal of hinted) expect(refusal).not.toContain("s3same");
  });

  test.each(["StickyKy", "Stickyxey", "IdentityKy", "ClientSecrt"])(
    "masks %s where it stands in no known place, in a comment and in a line that cannot be read",
    (name) => {
      const members = [`"Other": { "${name}": "s3same" }`, `"Key": "a" // ${name}: s3same`, `"${name}": "s3same`];
      for (const member of members)
        expect(toldOf(`{ "Routes": [{ "Priority": "x", ${member}\n}] }`)).not.toContain("s3same");
    },
  );

  test("shows a digest under a misspelt name", () => {
    const digest = "0aF9".repeat(16);
    expect(toldOf(`{ "Routes": [{\n"Sha265": "${digest}", "Priority": "x" }] }`)).toContain(digest.slice(-40));
  });
});

describe("what is shown of a configuration that cannot be read", () => {
  test.each([
    ["a quote that is not closed", `"Secret": "s3same`],
    ["a quote that is not closed, and blanks", `"Secret": "the s3same words`],
    ["a quote that is not opened", `"Secret": s3same"`],
    ["no quotes", `"Secret": the s3same words`],
    ["a quote within the value", `"Secret": "abc"s3same"`],
    ["a quote and a comma within the value", `"Secret": "abc", s3same"`],
    ["two quotes in front", `"Secret": ""s3same"`],
    ["single quotes", `'Secret': 's3same'`],
    ["typographic quotes", `“Secret”: “s3same”`],
    ["a name without quotes", `Secret: "s3same"`],
    ["a name that is not closed", `"Secret: "s3same"`],
    ["a name that is not opened", `Secret": "s3same"`],
    ["an ampersand for the quote before the name", `&Secret": "s3same"`],
    ["a question mark for it", `?Secret": "s3same"`],
    ["a question mark for it, and blanks", `?Secret" = "s3same"`],
    ["an ampersand for it before a list", `&Keys": [{ "Name": "acme", "Key": "s3same" }]`],
    ["an ampersand for it in a comment", `"Key": "a" x // &Secret": "s3same"`],
    ["the end of the line for the colon, behind another secret", `"Token": "a", "Secret"\n "s3same"`],
    ["a quote in the name of API keys", `"Key"": [{ "Name": "acme", "Key": "s3same" }]`],
    ["a bracket within a value without quotes", `"Secret": ab}s3same`],
    ["a bracket within a secret of a comment", `x // password: ab}s3same`],
    ["a quote for the equals sign of a parameter", `"DownstreamPathTemplate": "/b?c=1&id"s3same"`],
    ["the end of the line for it", `"DownstreamPathTemplate": "/b?id\ns3same"`],
    ["a quote within the sign of a default", `"a": "\${API_TOKEN"-s3same}"`],
    ["a quote within the name", `"Sec"ret": "s3same"`],
    ["the end of the line within the name", `"Sec\nret": "s3same"`],
    ["no colon", `"Secret" "s3same"`],
    ["no colon and one quote less", `"Secret s3same"`],
    ["an equals sign for the colon", `"Secret" = "s3same"`],
    ["a comma for the colon", `"Secret", "s3same"`],
    ["two colons", `"Secret":: "s3same"`],
    ["a bracket for the colon", `"Secret"} "s3same"`],
    ["a bracket behind the colon", `"Secret":} "s3same"`],
    ["a comma behind the colon", `"Secret":, "s3same"`],
    ["a stray character behind the colon", `"Secret": x"s3same"`],
    ["a stray character before the colon", `"Secret"x: "s3same"`],
    ["a stray character behind the value", `"Secret": "abc" s3same`],
    ["a comment that is not closed", `"Secret": /*"s3same"`],
    ["the end of the line within the value", `"Secret": "abc\ns3same"`],
    ["a key of several lines", `"Secret": "-----BEGIN\ns3same==\n\ns3same==\n-----END"`],
    ["the value in the next line, without quotes", `"Secret":\ns3same words`],
    ["no comma before the name", `"Key": "a" "Secret": "s3same"`],
    ["no comma behind the value", `"Secret": "s3same" "Key": "a"`],
    ["a quote too many in front of all", `"" "Secret": "s3same"`],
    ["a misspelt name", `"Secert": "s3same`],
    ["a number with a stray character", `"Password": 5353x`],
    ["a list that is broken", `"Tokens": ["s3same", "s3same]`],
    ["a fault in a list of several lines, and one in its name", `Secret": [\n"s3same" x,\n"s3same" y\n]`],
    ["a fault in an object of several lines, and one in its name", `Secret": {\n"a": "b",\n"c": "s3same" x\n}`],
    ["a bracket for the colon before an object", `"Secret"] {\n"a": "s3same" x\n}`],
    ["a name of API keys that is not opened", `Keys": ["s3same"]`],
    ["a name of API keys without quotes", `Keys: [\n"s3same" x\n]`],
    ["no colon before an API key", `"Keys" "s3same"`],
    ["a template that is not closed", `"DownstreamPathTemplate": "/b?id=s3same`],
    ["a template that is not opened", `"DownstreamPathTemplate": /b?id=s3same"`],
    ["a quote within the parameter of a template", `"DownstreamPathTemplate": "/b?id=ab"s3same"`],
    ["a quote and a comma within it", `"DownstreamPathTemplate": "/b?id=ab", s3same"`],
    ["a text within it", `"DownstreamPathTemplate": "/b?id=ab"x"s3same"`],
    ["a quote in the name of the parameter", `"DownstreamPathTemplate": "/b?i"d=s3same"`],
    ["a quote before the value of the parameter", `"DownstreamPathTemplate": "/b?id="s3same"`],
    ["a quote behind the name of the parameter", `"DownstreamPathTemplate": "/b?id"=s3same"`],
    ["a URL that is not closed", `"BaseUrl": "https://u:s3same@h`],
    ["a URL that is not closed, its sign missing", `"BaseUrl": "https://u:s3same.h`],
    ["a URL that is not closed, digits in front", `"BaseUrl": "https://u:12/s3same@h`],
    ["a URL that is not closed, a password of digits", `"BaseUrl": "https://u:53535353`],
    ["a URL that is not closed, digits before a semicolon", `"BaseUrl": "https://u:12;s3same.h`],
    ["a URL that is not closed, behind an e-mail address", `"BaseUrl": "https://me@x.de:a/s3same@h`],
    ["a URL that is not closed, behind an e-mail address, its sign missing", `"BaseUrl": "https://me@x.de:s3same.h`],
    ["an address without a scheme that is not closed, behind an e-mail address", `"Host": "me@x.de:s3same@h`],
    ["the end of the line within a parameter", `"DownstreamPathTemplate": "/b?id=ab\ns3same", "Key": "a"`],
    ["the end of the line before a parameter", `"DownstreamPathTemplate": "/b?id=\ns3same", "Key": "a"`],
    ["the end of the line in the name of a parameter", `"DownstreamPathTemplate": "/b?i\nd=s3same", "Key": "a"`],
    ["ends of lines within a parameter", `"DownstreamPathTemplate": "/b?id=ab\r\n\t5353\r\n\r\n s3same&b=5353"`],
    ["the end of the line within a password", `"BaseUrl": "https://u:ab\n  s3same@h"`],
    ["the end of the line within a password that begins with digits", `"BaseUrl": "https://u:12\ns3same@h"`],
    ["the end of the line before a password", `"BaseUrl": "https://u:\ns3same@h"`],
    ["the end of the line within a name before a host", `"BaseUrl": "https://ab\ns3same@h"`],
    ["the end of the line within a password whose sign is missing", `"BaseUrl": "https://u:ab\ns3same.h"`],
    ["the end of the line within a password without a scheme", `"Host": "u:ab\ns3same@h"`],
    ["the end of the line within a secret in JSON", String.raw`"a": "{\"client_secret\": \"ab` + '\ns3same\\"}"'],
    ["the end of the line within a number in JSON", String.raw`"a": "{\"client_secret\": 12` + '\n5353}"'],
    ["the end of the line before a secret in JSON", String.raw`"a": "{\"client_secret\":` + '\n\\"s3same\\"}"'],
    ["the end of the line before the colon in JSON", String.raw`"a": "{\"client_secret\"` + '\n: \\"s3same\\"}"'],
    ["the end of the line within a name in JSON", String.raw`"a": "{\"client_` + '\nsecret\\": \\"s3same\\"}"'],
    ["ends of lines in JSON", `"a": "{\n  \\"client_secert\\": \\"ab\n  5353\n  s3same\\"\n}"`],
    ["the end of the line in JSON within JSON", String.raw`"a": "{\"b\": \"{\\\"token\\\": \\\"ab` + "\ns3same"],
    ["the end of the line in the URL of JSON", String.raw`"a": "{\"b\": \"http://h?c=ab` + '\ns3same\\"}"'],
    ["the end of the line within a secret in words", `"a": "the password: ab\ns3same"`],
    ["the end of the line within the default of a variable", `"a": "\${API_TOKEN:-ab\ns3same}"`],
    ["a misspelt name of API keys", `"Kesy": [{ "Key": "s3same" }] x`],
    ["a comment of the same line", `x // "Secret": "s3same"`],
    ["a comment between brackets of its own", `x /* Secret: s3same */`],
  ])("masks a secret beside %s", (_fault, member) => {
    expectHidden(member);
  });

  test.each([
    [
      "the fault behind a secret",
      `"Secret": "s3same" "Key": "a", "Timeout" "y"`,
      `"Secret": ******** "Key": "a", "Timeout" "y"`,
    ],
    ["what is no secret", `"Url": "http://a" "Key": "token"`, `"Url": "http://a" "Key": "token"`],
    ["a port", `"Url":"http://h:80/a","Mail":"me@example.org" x`, `"http://h:80/a","Mail":"me@example.org" x`],
    ["words of templates", `"DownstreamPathTemplate": "/tokens/{key}" x`, `"/tokens/{key}" x`],
    [
      "what stands behind a template",
      `"DownstreamPathTemplate": "/b?id=ab", "Key": "a" "Timeout": "y"`,
      `"DownstreamPathTemplate": "/b?id=**", "Key": "a" "Timeout"`,
    ],
    ["the line behind a template that is not closed", `"Path": "/b?id=ab,\n"Key": "a" x`, `"Key": "a" x`],
    ["the line behind a URL that is not closed", `"Path": "https://u:ab@h,\n} ] "Key": "a" x`, `} ] "Key": "a" x`],
    ["what is empty", `"Secret": null "Token": "", "Key": x`, `"Secret": null "Token": ""`],
  ])("shows %s, with line and column", (_what, member, shown) => {
    const told = toldOf(`{ "Routes": [{\n${member} }] }`);
    expect(told).toContain(shown);
    expect(told).toMatch(/line 2, column \d+ \(json-syntax\)/);
  });
});
