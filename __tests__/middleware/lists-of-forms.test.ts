import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import express4 from "express4";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

type Passage = Readonly<{ parser?: RequestHandler; sent: string | Buffer; headers?: Record<string, string> }>;

const extended = express.urlencoded({ extended: true });
const chunked = { "transfer-encoding": "chunked" };
const long = Array.from({ length: 12 }, (_, at) => `tags[${at}]=${at}`).join("&");

/** What a writer writes, and what browsers write for it. */
const rows = [
  ["names that repeat", "ids=1&ids=2&o[k]=v"],
  ["brackets, as people write them", "ids[]=1&ids[]=2&a=b"],
  ["brackets, as browsers write them", "ids%5B%5D=1&ids%5B%5D=2&a=two+words%21"],
  ["brackets, as jQuery writes them", "ids%5B%5D=1&ids%5B%5D=two+(words!)"],
  ["brackets, as encodeURIComponent writes them", "ids%5B%5D=1&ids%5B%5D=two%20(words!)"],
  ["brackets, as qs writes them where only values are escaped", "ids[]=1&ids[]=two%20(words)"],
  ["brackets of lists within others", "n[k][]=1&n[k][]=2&list[]=3&o[k]=v"],
  ["brackets of lists of one, too", "ids[]=1&ids[]=2&one[]=1"],
  ["numbers", "tags[0]=a&tags[1]=b"],
  ["numbers, as browsers write them", "tags%5B0%5D=a&tags%5B1%5D=b"],
  ["numbers of more than a digit", long],
  ["the number of a list of one", "tags[0]=a"],
] as const;

describe.each(engines)("lists of a form that a parser has read keep how they are spelt ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    async function send({ parser = extended, sent, headers = {} }: Passage) {
      const framing = headers["transfer-encoding"] === undefined ? { "content-length": Buffer.byteLength(sent) } : {};
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const { arrived } = await sendThrough({
        engine: create(),
        place,
        handlers: [parser],
        send: { method: "POST", body: sent, headers: { ...type, ...framing, ...headers } },
      });
      return arrived?.body.toString();
    }

    test.each(rows)("%s", async (_how, sent) => {
      for (const parser of [extended, express4.urlencoded({ extended: true }) as RequestHandler])
        expect(await send({ parser, sent })).toBe(new URLSearchParams(sent).toString());
    });

    test("brackets that are part of the name for a parser that knows none", async () => {
      const parser = express4.urlencoded({ extended: false }) as RequestHandler;
      for (const sent of ["ids[]=1&ids[]=2", "ids%5B%5D=1&ids%5B%5D=2"])
        expect(await send({ parser, sent })).toBe("ids%5B%5D=1&ids%5B%5D=2");
    });

    const list = "ids[]=1&ids[]=2";

    test.each([
      ["in chunks", { sent: list, headers: chunked }],
      ["compressed", { sent: gzipSync(list), headers: { "content-encoding": "gzip" } }],
      ["with a sign that needed no escape", { sent: "ids[]=%31%32%33&ids[]=2" }],
    ])("%s, where nobody can tell, names repeat", async (_how, passage) => {
      expect(await send(passage)).toMatch(/^ids=(?:1|123)&ids=2$/);
    });

    test("a list of one shows a client that writes brackets, where nobody can tell", async () => {
      expect(await send({ sent: "ids[]=1&ids[]=2&one[]=1", headers: chunked })).toBe(
        "ids%5B%5D=1&ids%5B%5D=2&one%5B%5D=1",
      );
    });

    test("spellings that are mixed become names that repeat", async () => {
      expect(await send({ sent: "ids[]=1&ids[]=2&tags[0]=a&tags[1]=b" })).toBe("ids=1&ids=2&tags=a&tags=b");
    });
  });
});
