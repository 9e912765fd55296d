import { describe, expect, test } from "@jest/globals";
import { maskMessage } from "../../src/config/problems/mask-url.ts";
import { ConfigError, parseConfig } from "../../src/index.ts";

function refusalOf(text: string): string {
  try {
    parseConfig(text, { logger: false });
  } catch (error) {
    return (error as ConfigError).message;
  }
  throw new Error("The configuration was accepted.");
}

const quoted = (text: string): string => JSON.stringify(text);

/** The line that is shown, and the carets below it. */
function excerptOf(text: string): string[] {
  return refusalOf(text).split("\n").slice(4, 6);
}

describe("what is shown of a configuration", () => {
  test("keeps the literal values of parameters in templates to itself, in its columns", () => {
    const line = `{ "Routes": [{ "DownstreamPathTemplate": "/{b}?code=s3same&a=s3same&id={b}", "UpstreamPathTemplate": "/a" }] }`;
    const [shown, carets] = excerptOf(line);
    expect(shown).toContain(`"DownstreamPathTemplate": "/{b}?code=******&a=******&id={b}"`);
    expect(carets!.indexOf("^")).toBe(shown!.indexOf('{ "Downstream'));
    expect(refusalOf(line)).not.toContain("s3same");
  });

  test("keeps metadata with telling names to itself, and shows the keys of the format", () => {
    const line = `{ "Routes": [{ "Key": "orders", "Metadata": { "apiToken": "s3\\"same", "team": "a" }, "Priority": "x" }] }`;
    expect(excerptOf(line)[0]).toBe(
      `  1 | { "Routes": [{ "Key": "orders", "Metadata": { "apiToken": "********", "team": "a" }, "Priority": "x" }] }`.slice(
        0,
        106,
      ),
    );
  });

  test.each([
    [
      "among the keys",
      ["s3same", { Name: "a", Sha256: "a".repeat(64) }],
      'expected an object such as { "Name": …, "Sha256": … }, found a text',
    ],
    ["in place of them", "s3same", 'expected a list of objects such as { "Name": …, "Sha256": … }, found a text'],
  ])("keeps an API key to itself that stands %s, as it is and not as its digest", (_where, Keys, says) => {
    const AuthenticationSchemes = { Partners: { Type: "ApiKey", Keys } };
    const refusal = refusalOf(JSON.stringify({ Routes: [], GlobalConfiguration: { AuthenticationSchemes } }));
    expect(refusal).toContain(says);
    expect(refusal).not.toContain("s3same");
  });

  test("does so too in a long line, where the excerpt begins within the secret", () => {
    const secret = "s3same".repeat(12);
    const line = `{ "Routes": [{ "UpstreamPathTemplate": "/a?sig=${secret}", "Priority": "x" }] }`;
    expect(excerptOf(line)[0]).toContain("***");
    expect(refusalOf(line)).not.toContain("s3same");
  });

  test.each([
    ["an ampersand written as .NET writes it", String.raw`"DownstreamPathTemplate": "/b/{x}?a={x}\u0026apikey=s3same"`],
    ["a value with a blank", `"DownstreamPathTemplate": "/b/{x}?apikey=a s3same"`],
    ["a number", `"Metadata": { "password": 5353 }`],
    ["a list", `"Metadata": { "tokens": ["s3same", { "a": 5353 }], "b": 1 }`],
    ["an object", `"Metadata": { "secrets": { "db": "s3same" } }`],
    ["a name with escapes", String.raw`"Metadata": { "p\u0061ssword": "s3same" }`],
    ["the secret of a scheme", `"Secret": "s3same"`],
    ["the secret of a client", `"ClientSecret": "s3same"`],
    ["the secret of a client, however its name is written", `"clientSECRET": "s3same"`],
    ["a key that stands where its digest should", `"Sha256": "s3same"`],
    ["keys that stand where one digest should", `"sha256": ["s3same", { "Name": "s3same" }]`],
    ["an API key under another name than its digest's", `"Keys": [{ "Name": "a", "Key": "s3same" }]`],
    ["an API key under any name", `"keys": [{ "Value": { "is": ["s3same", 5353] } }]`],
    ["an API key in place of its entry", `"Keys": [{ "Name": "a" }, "s3same", ["s3same", 5353]]`],
    ["an API key in place of all entries", `"Keys": "s3same"`],
    ["the key of pseudonyms", `"IdentityKey": "s3same"`],
    ["a name and a password before a host", `"UpstreamHost": "https://u:s3same@h"`],
    ["a parameter in the URL of a document", `"Config": [{ "Url": "http://h/doc?apikey=s3same" }]`],
    ["a parameter in the URL of Redis", `"Redis": { "Url": "redis://h?password=s3same" }`],
    ["a parameter to its end", `"DownstreamPathTemplate": "/t?apikey=ab#s3same;s3same?s3same"`],
    ["a parameter in the URL of a server of tokens", `"Url": "https://h/introspect?a=1&client_secret=s3same#b"`],
    ["a password before a host whose sign is missing", `"BaseUrl": "https://u:s3same.example.org"`],
    ["a password before a host, with a slash", `"BaseUrl": "https://u:a/s3same@h"`],
    ["a password of more digits than a port has", `"BaseUrl": "https://u:53535353"`],
    ["a password that begins with digits and a slash", `"BaseUrl": "https://u:5353/x@h"`],
    ["a password that begins with digits and a question mark", `"BaseUrl": "https://:5353?s3same@h"`],
    ["a password that begins with digits and an escaped slash", `"BaseUrl": "https://u:5353%2Fx@h"`],
    ["a password that begins with digits and a semicolon", `"BaseUrl": "https://u:5353;pw.h"`],
    ["a password that begins with digits and an ampersand", `"BaseUrl": "https://u:5353&pw.h"`],
    ["a password that begins with digits and a comma", `"BaseUrl": "https://u:5353,pw.h"`],
    ["a password that begins with digits, in a comment", `"Timeout": 1, // see https://u:5353/x@h\n"Key": "a"`],
    ["a password before a host, with an escape", String.raw`"BaseUrl": "https://u:a\rs3same@h"`],
    ["a password before a host, with a control character in the name", String.raw`"Host": "u\u0001:s3same@h"`],
    ["a password before a host, with a line end between the slashes", String.raw`"BaseUrl": "https:/\r/s3same@h"`],
    ["a parameter with a line end in its name", String.raw`"DownstreamPathTemplate": "/t?api\rkey=s3same"`],
    ["a parameter with a blank of another kind in its name", `"DownstreamPathTemplate": "/t?api\u00a0key=s3same"`],
    ["a password before a host in a comment", `"Timeout": 1, // https://u:s3same@h\n"Key": "a"`],
    ["a password behind an e-mail address, with a slash", `"BaseUrl": "http://me@x.de:a/s3same@h:80"`],
    ["a password behind an e-mail address, with digits", `"BaseUrl": "http://me@x.de:80/s3same@h:80"`],
    ["a password behind an e-mail address, before a host whose sign is missing", `"Url": "redis://me@x.de:s3same.h"`],
    ["a password behind an e-mail address, without a scheme", `"Host": "me@x.de:s3same@h"`],
    ["a password behind an e-mail address in a comment", `"Timeout": 1, // https://me@x.de:a/s3same@h\n"Key": "a"`],
    ["a password behind a name with a semicolon", `"BaseUrl": "http://us;er:a/s3same@h"`],
    ["a list of API keys whose name is misspelt", `"Kesy": [{ "Name": "a", "Key": "s3same" }]`],
    ["a secret in JSON", `"Metadata": { "a": ${quoted('{"client_secret": "s3same"}')} }`],
    ["a secret deep in JSON", `"Metadata": { "a": ${quoted('{"b": [{ "c": { "apiKey": 5353 } }]}')} }`],
    ["a secret in JSON as .NET writes it", String.raw`"Metadata": { "a": "{\u0022token\u0022:\u0022s3same\u0022}" }`],
    ["a secret in JSON that is a text of JSON", `"Metadata": { "a": ${quoted(quoted('{"token":"s3same"}'))} }`],
    ["a secret in JSON within JSON", `"Metadata": { "a": ${quoted(`{"b":${quoted('{"token":"s3same"}')}}`)} }`],
    ["a secret in JSON with single quotes", `"Metadata": { "a": "{'client_secret': 's3same'}" }`],
    ["a secret in JSON without quotes", `"Metadata": { "a": "{client_secret: s3same}" }`],
    ["a secret in JSON that is broken", `"Metadata": { "a": ${quoted('{"client_secret": "s3same",')} }`],
    ["a secret in JSON with a comment", `"Metadata": { "a": ${quoted('/* b */ {"client_secret": "s3same"}')} }`],
    ["a secret under a misspelt name in JSON", `"Metadata": { "a": ${quoted('{"pasword": "s3same"}')} }`],
    ["a secret in JSON without a colon", `"Metadata": { "a": ${quoted('{"password""s3same"}')} }`],
    [
      "a name with a backslash for a letter",
      String.raw`"UpstreamHeaderTransform": { "A\thorization": "Bearer s3same" }`,
    ],
    ["a name with one for an underscore", String.raw`"Metadata": { "api\token": "s3same" }`],
    ["a brace for the sign of a query", `"DownstreamPathTemplate": "/{id}{apikey=s3same&x=1"`],
    ["a query without its sign", `"DownstreamPathTemplate": "/{id}apikey=s3same"`],
    ["a parameter with a blank in its name", `"DownstreamPathTemplate": "/{id}?ap key=s3same"`],
    ["a parameter without an equals sign", `"DownstreamPathTemplate": "/{id}?apikeys3same&x=1"`],
    ["a parameter with a sign for the equals sign", `"DownstreamPathTemplate": "/{id}?apikey&s3same&x=1"`],
    ["a parameter whose value holds an ampersand", `"DownstreamPathTemplate": "/{id}?apikey=a&s3same"`],
    ["a default under a misspelt name", `"Metadata": { "a": "\${API_TOKNE:-s3same}" }`],
    ["a default with a hyphen less", `"Metadata": { "a": "\${API_TOKEN:s3same}" }`],
    ["a default with a colon less", `"Metadata": { "a": "\${API_TOKEN-s3same}" }`],
    ["a default with a brace less", `"Metadata": { "a": "$API_TOKEN:-s3same}" }`],
    ["a default without its sign", `"Metadata": { "a": "{API_TOKEN:-s3same}" }`],
    ["a default with a sign in its name", `"Metadata": { "a": "\${API}TOKEN:-s3same}" }`],
    ["a default with a brace within", `"Metadata": { "a": "\${API_TOKEN:-a}s3same}" }`],
    ["a secret in JSON behind other words", `"Metadata": { "a": ${quoted('b: {"client_secret": "s3same"}')} }`],
    ["credentials in JSON", `"Metadata": { "a": ${quoted('{"b": "Bearer s3same"}')} }`],
    ["a password before a host in JSON", `"Metadata": { "a": ${quoted('["http://u:s3same@h"]')} }`],
    ["a secret in JSON among expressions", `"AddQueriesToRequest": { "a": ${quoted('{"token":"s3same"}')} }`],
    ["a secret in JSON under an unknown key", `"Metadat": { "a": ${quoted('{"token":"s3same"}')} }`],
    ["a secret in JSON in a line that cannot be read", `"Metadata": { "a": ${quoted('{"token":"s3same"}')} } x`],
  ])("masks %s", (_reason, member) => {
    const message = refusalOf(`{ "Routes": [{\n"Priority": "x", ${member} }] }`);
    expect(message).toContain("Priority");
    expect(message).not.toMatch(/s3same|5353/);
  });

  test.each([
    ["Key", "s3same", "******"],
    ["Key", [{ Name: "acme", Key: "s3same" }], "******"],
    ["Kesy", [{ Name: "acme", Value: "s3same" }], "******"],
    ["Partner", "s3same", "******"],
    ["Isuer", "https://issuer.example", "https://issuer.example"],
    ["Audeince", "orders", "orders"],
  ])("of a scheme's %s, which it does not know, %j is shown as %s", (name, value, shown) => {
    const scheme = JSON.stringify({ Type: "ApiKey", [name]: value });
    const text = `{ "Routes": [], "GlobalConfiguration": { "AuthenticationSchemes": { "P":\n${scheme} } } }`;
    const refusal = refusalOf(text);
    expect(refusal).toContain(`"${shown}"`);
    expect(refusal).not.toContain("s3same");
  });

  test.each([
    "https://h:99999/x y",
    "https://h:{port}",
    "ftp://h:21",
    "//h/@me",
    "https://[::1]:80/@me",
    "https://h:80/@me",
    "https://h:80;",
    "https://h:80;https://other:81",
    "mongodb://h:27017,other:27017/db",
    "https://h:80%2Fx",
    "net.tcp://h:80;Timeout=5",
    "net.tcp://h;Timeout=00:05:00",
    "//h/me@x.de",
  ])("shows %s, which holds no password", (url) => {
    expect(refusalOf(`{ "Routes": [{\n"Priority": "x", "BaseUrl": "${url}" }] }`)).toContain(`"${url}"`);
  });

  test.each([
    "/v1/{name}/keys:rotate",
    "{service}/keys:rotate",
    "{BaseUrl}/token?key={key}",
    "http://{token}:80",
    '{"team": "a: b"}',
    "it's 12:30",
  ])("shows %s, which is no JSON with a secret", (text) => {
    const member = `"Metadata": { "a": ${quoted(text)} }`;
    expect(refusalOf(`{ "Routes": [{\n"Priority": "x", ${member} }] }`)).toContain(quoted(text));
  });

  test("shows the words of a comment", () => {
    const comment = `// see GET http://h:80/@me?a={b} at 12:30, or me@example.org: "ok"`;
    expect(refusalOf(`{ "Routes": [{\n"Priority": "x", ${comment}\n}] }`)).toContain(comment);
  });

  test("shows what an entry of API keys may hold, and what stands behind them", () => {
    const keys = `"Keys": [{ "Name": "acme", "Claims": { "r": ["admin"] } }], "Header": "X-Own"`;
    const shown = refusalOf(`{ "Routes": [{\n"Priority": "x", ${keys} }] }`);
    for (const text of ["acme", "admin", "X-Own"]) expect(shown).toContain(text);
  });

  test.each([`"SwaggerKey": "orders"`, `"AuthenticationProviderKey": "Bearer"`, `"ClientIdHeader": "X-Client"`])(
    "shows what is no secret: %s",
    (member) => {
      expect(refusalOf(`{ "Routes": [{\n"Priority": "x", ${member} }] }`)).toContain(member);
    },
  );

  test("shows the digest of a key", () => {
    const digest = "0aF9".repeat(16);
    expect(refusalOf(`{ "Routes": [{\n"Sha256": "${digest}", "Priority": "x" }] }`)).toContain(digest.slice(-40));
  });

  test("masks a value on the line behind its name, and nothing that comes after", () => {
    const text = `{ "Routes": [{ "Metadata": { "password":\n"s3same", "b": "shown" }, "Priority":\n"x", "Timeout": "y" }] }`;
    expect(refusalOf(text)).not.toContain("s3same");
    expect(refusalOf(text)).toContain(`"x", "Timeout": "y"`);
  });

  test("shows what the naming service reads", () => {
    const template = "/{b}?PartitionKind=Int64Range&PartitionKey={c}&Timeout=7";
    const line = `{ "Routes": [{\n"DownstreamPathTemplate": "${template}", "UpstreamPathTemplate": "/{b}" }] }`;
    expect(refusalOf(line)).toContain("PartitionKind=Int64Range&PartitionKey={c}&Timeout=7");
  });

  test("what a terminal would obey is written out in the message, and blank in the line", () => {
    const message = refusalOf(`{ "Routes": [{ "Priority": "\u202e1\u009b31m" }] }`);
    expect(message).toContain(String.raw`"\u202e1\u009b31m"`);
    expect(message).toContain(`"\ufffd1\ufffd31m"`);
    expect(message).not.toMatch(/[\u009b\u202e]/);
  });
});

describe("what a message says of URLs", () => {
  test.each([
    ["a quote in a password", 'Invalid URL: http://u:a"s3same@h', "Invalid URL: http://***@h"],
    ["quotes around a password", 'Invalid URL: http://u:"s3same"@h, "a"', 'Invalid URL: http://***@h, "a"'],
    ["a quote in a URL within quotes", 'Invalid URL: "http://u:a"s3same@h"', 'Invalid URL: "http://***@h"'],
    ["a quote that is not closed", '"http://u:s3same@h" and "a', '"http://***@h" and "a'],
    ["a backslash at its end", '"http://u:s3same@h\\', '"http://***@h\\'],
  ])("masks them beside %s", (_what, message, shown) => {
    expect(maskMessage(message)).toBe(shown);
  });

  test("keeps what is quoted apart, and what stands between", () => {
    const message = `("x:y") is no "https://h:80/@me", {"a":"b"} ["c"]="d": see me@example.org`;
    expect(maskMessage(message)).toBe(message);
  });
});
