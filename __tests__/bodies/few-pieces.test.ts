import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { chunksOf } from "./chunks-of.ts";
import { end, type RawUploads, startRawUploads } from "./start-raw-uploads.ts";
import { untilTrue } from "./until-true.ts";

const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const oneByte = "1\r\na\r\n";

describe.each(engines)("$name: the body of a request in short chunks", ({ create }) => {
  let uploads: RawUploads;

  beforeEach(async () => void (uploads = await startRawUploads({ engine: create() })));
  afterEach(() => uploads.close());

  test("arrives whole, in few chunks", async () => {
    const count = 30_000;
    const client = await uploads.connect();
    client.write(head + oneByte.repeat(count) + end);
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /);
    const chunks = chunksOf(uploads.arrived());
    expect(chunks.join("")).toBe("a".repeat(count));
    expect(chunks.length).toBeLessThan(count / 100);
  });

  test("arrives in its order, whatever the lengths of its chunks", async () => {
    const lengths = [1, 1, 2_000, 1, 1_023, 1_024, 1, 20_000, 3, 3, 900, 900, 70_000, 1];
    const parts = Array.from({ length: 20 }, () => lengths).flat();
    const texts = parts.map((length, index) => String.fromCharCode(97 + (index % 26)).repeat(length));
    const client = await uploads.connect();
    client.write(head + texts.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join("") + end);
    await once(client, "data");
    expect(chunksOf(uploads.arrived()).join("") === texts.join("")).toBe(true);
  });

  test("goes on at once, though more of it is to come", async () => {
    const client = await uploads.connect();
    client.write(head + oneByte);
    await untilTrue(() => uploads.arrived().endsWith("a") || uploads.arrived().endsWith("a\r\n"));
    client.write("1\r\nb\r\n1\r\nc\r\n2\r\nde\r\n");
    await untilTrue(() => uploads.arrived().includes("de"));
    client.write(end);
    await once(client, "data");
    expect(chunksOf(uploads.arrived()).join("")).toBe("abcde");
  });
});
