import { describe, expect, test } from "@jest/globals";
import express from "express";
import express4 from "express4";
import { engines } from "../helpers/engines.ts";
import { sendThrough } from "./forwarded-request.ts";

const json = '{"a":"\u00e9"}';

const rows = [
  ["application/json; charset=utf-16le", "application/json; charset=utf-8"],
  ["application/json; charset = utf-16le", "application/json; charset = utf-8"],
  ["application/json; Charset=UTF-16LE; v=1", "application/json; Charset=utf-8; v=1"],
  ['application/json; charset="utf-16le"; v="1"', 'application/json; charset=utf-8; v="1"'],
  ['application/json; x="; charset=q"; charset=utf-16le', "application/json; charset=utf-8"],
  ['application/json; charset="utf-\\16le"', "application/json; charset=utf-8"],
  ["application/json; charset=utf-16le; Charset=utf-16le; v=1", "application/json; charset=utf-8"],
  ["application/json; charset*=utf-8''latin1; charset=utf-16le", "application/json; charset=utf-8"],
] as const;

describe.each(engines)("a body that is written again says that it is UTF-8 ($name)", ({ create }) => {
  test.each(rows)("%s", async (type, told) => {
    const body = Buffer.from(json, "utf16le");
    for (const parser of [express.json(), express4.json()]) {
      const headers = { "content-type": type, "content-length": body.length };
      const send = { method: "POST", body, headers };
      const { arrived } = await sendThrough({
        engine: create(),
        place: "in front",
        handlers: [parser],
        send,
      });
      expect([arrived?.headers["content-type"], arrived?.body.toString()]).toEqual([told, json]);
    }
  });
});
