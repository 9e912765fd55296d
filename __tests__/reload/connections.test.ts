import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { createGateway, type GatewayConfig, parseConfig } from "../../src/index.ts";
import { engines } from "../helpers/engines.ts";
import { serve } from "../helpers/start-gateway.ts";
import { ask, cleanUpLater, closeAll, createSignal, gatewayFor, routeTo, until, upstreamFor } from "./scene.ts";
import { namedCertificate } from "../simulator/self-signed.ts";

afterEach(closeAll);

type Counted = Readonly<{ port: number; opened: Socket[]; slow: ReturnType<typeof createSignal> }>;

/** An upstream that counts its connections, and answers `/slow` when it is told to. */
async function countingUpstream(): Promise<Counted> {
  const slow = createSignal();
  const { port, server } = await upstreamFor(async (req, res) => {
    if (req.url === "/slow") {
      res.write("be");
      await slow.given;
    }
    res.end("gun");
  });
  // Long enough that nobody closes a connection for having waited.
  server.keepAliveTimeout = 60_000;
  const opened: Socket[] = [];
  server.on("connection", (socket) => opened.push(socket));
  return { port, opened, slow };
}

/** A configuration whose connections are opened with this time limit; another one means other connections. */
function connecting(port: number, seconds: number, ...paths: readonly string[]): GatewayConfig {
  const config = {
    Routes: paths.map((path) => routeTo(port, path)),
    GlobalConfiguration: { Limits: { Connect: seconds } },
  };
  return parseConfig(config, { logger: false });
}

describe.each(engines)("$name over a reload", ({ create }) => {
  test("keeps the connections of settings that stay", async () => {
    const { port, opened } = await countingUpstream();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { engine: create() });
    await ask(origin, "/a");
    await gateway.reload(parseConfig({ Routes: [routeTo(port, "/b")] }, { logger: false }));
    expect(await ask(origin, "/b")).toBe("200 gun");
    expect(opened).toHaveLength(1);
  });

  test("closes the idle connections of settings that no route has any more", async () => {
    const { port, opened } = await countingUpstream();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { engine: create() });
    await ask(origin, "/a");
    await gateway.reload(connecting(port, 3, "/a"));
    await until(() => opened[0]!.closed);
    expect(await ask(origin, "/a")).toBe("200 gun");
    expect(opened).toHaveLength(2);
  });

  test("opens new connections where a certificate file has changed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "waymark-reload-"));
    cleanUpLater(() => rm(folder, { recursive: true }));
    const file = join(folder, "ca.pem");
    await writeFile(file, namedCertificate("one"));
    const { port, opened } = await countingUpstream();
    const config = parseConfig({ Routes: [routeTo(port, "/a", { Tls: { Ca: file } })] }, { logger: false });
    const gateway = createGateway(config, { logger: false, engine: create() });
    const running = await serve(gateway, gateway);
    cleanUpLater(running.close);
    await ask(running.origin, "/a");
    await gateway.reload(config);
    await ask(running.origin, "/a");
    expect(opened).toHaveLength(1);
    await writeFile(file, namedCertificate("two"));
    expect(await gateway.reload(config)).toEqual({ added: [], removed: [], changed: [] });
    await ask(running.origin, "/a");
    expect(opened).toHaveLength(2);
  });

  test("lets an answer under way over such a connection come to its end, then closes it", async () => {
    const { port, opened, slow } = await countingUpstream();
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/slow")] }, { engine: create() });
    const answer = await fetch(`${origin}/slow`);
    await gateway.reload(connecting(port, 3, "/a"));
    expect(opened[0]!.destroyed).toBe(false);
    slow.give();
    expect(await answer.text()).toBe("begun");
    await until(() => opened[0]!.closed);
  });

  test("keeps no connection for a request that was matched before, and is sent after", async () => {
    const waiting = createSignal();
    const released = createSignal();
    const { port, opened } = await countingUpstream();
    const middleware = [
      async (_req: unknown, _res: unknown, next: () => void): Promise<void> => {
        waiting.give();
        await released.given;
        next();
      },
    ];
    const { origin, gateway } = await gatewayFor({ Routes: [routeTo(port, "/a")] }, { engine: create(), middleware });
    const answer = ask(origin, "/a");
    await waiting.given;
    await gateway.reload(connecting(port, 3, "/b"));
    released.give();
    expect(await answer).toBe("200 gun");
    await until(() => opened[0]!.closed);
  });
});
