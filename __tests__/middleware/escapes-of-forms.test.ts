import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import express4 from "express4";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const parsers = {
  extended: express.urlencoded({ extended: true }),
  simple: express.urlencoded({ extended: false }),
  "extended of Express 4": express4.urlencoded({ extended: true }) as RequestHandler,
} as const;
/** The only one that puts a sign of its own in the place of what it cannot read. */
const replacing = express4.urlencoded({ extended: false }) as RequestHandler;

type Sent = Readonly<{ parser: RequestHandler; sent: string | Buffer; headers?: Record<string, string> }>;

const chunked = { "transfer-encoding": "chunked" };

/** Escapes of which a parser makes nothing, and what arrives where that is not as it came. */
const unread: readonly (readonly [what: string, sent: string, arrives?: string])[] = [
  ["a value in another charset", "name=M%FCller"],
  ["such values beside others", "a=%E4+%28x%29&b=%C3%BC&c=1%25"],
  ["such a value twice", "a=%E4&a=%fc"],
  ["such a name", "M%FCller=1"],
  ["such a value beside escapes that some do not write", "a=%FC&b=%28"],
  ["escapes as a text", "name=M%25FCller"],
  ["a part of a letter", "a=%C3&b=1"],
  ["a percent sign alone", "a=1%&b=2", "a=1%25&b=2"],
];

describe.each(engines)("escapes of a form that are no UTF-8 ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    async function send({ parser, sent, headers = {} }: Sent) {
      const framing = headers["transfer-encoding"] === undefined ? { "content-length": Buffer.byteLength(sent) } : {};
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const { arrived, answer } = await sendThrough({
        engine: create(),
        place,
        handlers: [parser],
        send: { method: "POST", body: sent, headers: { ...type, ...framing, ...headers } },
      });
      return arrived?.body.toString() ?? (JSON.parse(answer.body.toString()) as { code: string }).code;
    }

    describe.each(Object.entries(parsers))("arrive as they came behind the parser %s", (_name, parser) => {
      test.each(unread)("%s", async (_what, sent, arrives = sent) => {
        expect(await send({ parser, sent })).toBe(arrives);
      });

      test("or not at all, where the length tells that they were mixed", async () => {
        expect(await send({ parser, sent: "a=%FC&b=%25FC" })).toBe("body-consumed");
      });
    });

    test("in brackets arrive as they came", async () => {
      for (const sent of ["ids%5B%5D=%FC&ids%5B%5D=2", "a%5B%FC%5D=1", "ids%5B0%5D=%FC&ids%5B1%5D=%E4"])
        expect(await send({ parser: parsers.extended, sent })).toBe(sent);
    });

    test("in brackets fail where other brackets and other escapes are as long", async () => {
      const sent = "ids%5B0%5D=%FC&ids%5B1%5D=2";
      expect(await send({ parser: parsers.extended, sent })).toBe("body-consumed");
    });

    test.each([
      ["an escape", { sent: "name=M%FCller" }],
      ["an escape in a name", { sent: "M%FCller=1" }],
      ["an escape beside signs that some leave as they are", { sent: "name=M%FCller&b=%28%29%21" }],
      ["a byte", { sent: Buffer.from("a=\u00fc", "latin1") }],
      ["an escape in chunks", { sent: "name=M%FCller", headers: chunked }],
    ])("fail where the parser has lost them: %s", async (_what, sent) => {
      expect(await send({ parser: replacing, ...sent })).toBe("body-consumed");
    });

    test("are no sign for them that the client has sent itself", async () => {
      for (const parser of [...Object.values(parsers), replacing])
        expect(await send({ parser, sent: "a=%EF%BF%BD+%28x%29" })).toBe("a=%EF%BF%BD+%28x%29");
    });
  });
});
