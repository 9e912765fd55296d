import { once } from "node:events";
import net from "node:net";
import { describe, expect, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { request } from "../helpers/send-raw.ts";
import { until } from "../reload/scene.ts";
import { get, startStreams } from "./start-streams.ts";

describe.each(engines)("requests behind an answer that goes on, with $name,", ({ create }) => {
  test("are read no further than some of them, and all have their answers when it is over", async () => {
    const { port, server, streams } = await startStreams(create);
    const accepted = once(server, "connection") as Promise<[net.Socket]>;
    const client = net.connect(port, "127.0.0.1").setEncoding("latin1");
    const [served] = await accepted;
    let received = "";
    client.on("data", (text: string) => (received += text));
    const count = 4_000;
    client.write(get("/stream") + get("/fast/a").repeat(count - 1) + get("/fast/last"));
    await until(() => received.includes("</stream>"));
    for (let others = 0; others < 5; others += 1) {
      // An answer that goes on is no client that may have left.
      streams[0]!.write(".");
      await request({ port, path: "/fast/other" });
    }
    expect(served.bytesRead).toBeLessThan(100_000);
    streams[0]!.end();
    await until(() => received.includes("</last>"), 60_000);
    expect(received.split("</a>")).toHaveLength(count);
    client.destroy();
  });
});
