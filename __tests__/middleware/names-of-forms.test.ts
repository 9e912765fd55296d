import { describe, expect, test } from "@jest/globals";
import express, { type RequestHandler } from "express";
import express4 from "express4";
import { engines } from "../helpers/engines.ts";
import { places, sendThrough } from "./forwarded-request.ts";

const form = "application/x-www-form-urlencoded";
const extended = express.urlencoded({ extended: true });
const extended4 = express4.urlencoded({ extended: true }) as RequestHandler;
const simple = express.urlencoded({ extended: false });
const simple4 = express4.urlencoded({ extended: false }) as RequestHandler;
const json = express.json({ type: "*/*" });

/** Names that the parser has made of others, and of which, written again, a service would read a third. */
const unclear: readonly (readonly [name: string, sent: string, parser: RequestHandler])[] = [
  ...[
    "[[role]]x=admin",
    "[[role]]x=admin&",
    "[user[role]]=admin",
    "[user[role]]=admin&&",
    "user[[role]]=admin&a=b",
    "a[b]=1&[[user]]x[role]=admin",
    "list[][[role]]=1",
    "user[name=1",
  ].flatMap((sent) => [["extended", sent, extended] as const, ["extended of Express 4", sent, extended4] as const]),
  ["simple", "user[role]=admin", simple],
  ["simple", "user%5Brole%5D=admin", simple],
  ["simple", "a=b&ids[]=1&ids[]=2", simple],
  ["of JSON", '{"user[role]":"admin"}', json],
  ["of JSON", '{"user":{"[role]":"admin"}}', json],
];

describe.each(engines)("brackets in names of forms ($name)", ({ create }) => {
  describe.each(places)("%s", (place) => {
    async function send(parser: RequestHandler, sent: string, isChunked: boolean) {
      const framing = isChunked ? { "transfer-encoding": "chunked" } : { "content-length": sent.length };
      const headers = { "content-type": form, ...framing };
      const body = { method: "POST", body: sent, headers };
      const { arrived, answer } = await sendThrough({ engine: create(), place, handlers: [parser], send: body });
      return arrived?.body.toString() ?? (JSON.parse(answer.body.toString()) as { code: string }).code;
    }

    test.each(unclear)("are refused where the parser has left them: %s, %s", async (_name, sent, parser) => {
      expect(await send(parser, sent, false)).toBe("body-consumed");
      expect(await send(parser, sent, true)).toBe("body-consumed");
    });

    test("arrive where the parser knows none, and tells so", async () => {
      const sent = "%5Brole%5D=a&user%5Bname%5D%5B%5D=b";
      for (const isChunked of [false, true]) expect(await send(simple4, sent, isChunked)).toBe(sent);
    });

    test("arrive where the parser has read all of them", async () => {
      const sent = "user%5Bname%5D=b&list%5B0%5D%5Ba%5D=1&a=%5B%5D";
      for (const parser of [extended, extended4]) expect(await send(parser, sent, false)).toBe(sent);
    });
  });
});
