import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { loadConfig } from "../../src/index.ts";
import { refuseLostLocks } from "../../src/operating/refuse-lost-locks.ts";
import { writeFolder } from "./write-folder.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const schemes = { Keys: { Type: "ApiKey", Keys: [{ Name: "n", Sha256: "0".repeat(64) }] } };
const lock = { AuthenticationOptions: { AuthenticationProviderKeys: ["Keys"] } };
const open = { AuthenticationOptions: { AllowAnonymous: true } };
const global = { GlobalConfiguration: { AuthenticationSchemes: schemes } };

function route(path: string, more: object = {}): object {
  const hosts = [{ Host: "a.internal", Port: 1 }];
  return { UpstreamPathTemplate: path, DownstreamPathTemplate: "/x", DownstreamHostAndPorts: hosts, ...more };
}

/** A folder whose states are judged one after the other, each beside the last one that was not refused. */
async function watchFolder(files: Readonly<Record<string, unknown>>) {
  const folder = await writeFolder({ "ocelot.global.json": global, ...files });
  closing.push(folder.remove);
  const load = () => loadConfig(folder.path, { logger: false });
  let inForce = await load();
  return {
    change: async (changed: Readonly<Record<string, unknown>>): Promise<string> => {
      for (const [name, content] of Object.entries(changed)) {
        if (content === undefined) await rm(join(folder.path, name));
        else await folder.write({ [name]: content });
      }
      const next = await load();
      try {
        await refuseLostLocks(inForce, next);
      } catch (error) {
        return (error as { code: string }).code;
      }
      inForce = next;
      return "taken";
    },
    byHand: async () => void (inForce = await load()),
  };
}

const missing = { "ocelot.locked.json": undefined };
const locked = { "ocelot.locked.json": { Routes: [route("/a/{x}", lock)] } };
const catchAll = { "ocelot.open.json": { Routes: [route("/b"), route("/{everything}")] } };

describe("While a file with a locked route is missing, a reload", () => {
  test("is taken where nobody takes its requests", async () => {
    const { change } = await watchFolder({ ...locked, "ocelot.open.json": { Routes: [route("/b")] } });
    expect(await change(missing)).toBe("taken");
  });

  test("is refused where an open route would take its requests, also some reloads later", async () => {
    const { change } = await watchFolder({ ...locked, "ocelot.open.json": { Routes: [route("/b")] } });
    expect(await change(missing)).toBe("taken");
    expect(await change({ "ocelot.open.json": { Routes: [route("/b"), route("/c")] } })).toBe("taken");
    expect(await change(catchAll)).toBe("reload-unlocks");
    expect(await change({ "ocelot.more.json": { Routes: [route("/d")] } })).toBe("reload-unlocks");
    expect(await change(locked)).toBe("taken");
    expect(await change(missing)).toBe("reload-unlocks");
  });

  test("is refused also where several files went missing one after the other", async () => {
    const { change } = await watchFolder({
      ...locked,
      "ocelot.other.json": { Routes: [route("/o/{x}", lock)] },
      "ocelot.open.json": { Routes: [route("/b")] },
    });
    expect(await change(missing)).toBe("taken");
    expect(await change({ "ocelot.other.json": undefined })).toBe("taken");
    expect(await change({ "ocelot.more.json": { Routes: [route("/o/{x}")] } })).toBe("reload-unlocks");
    expect(await change({ "ocelot.more.json": { Routes: [route("/{x}/1")] } })).toBe("reload-unlocks");
    expect(await change({ "ocelot.more.json": { Routes: [route("/b/{x}")] } })).toBe("taken");
  });

  test("by hand is the end of it", async () => {
    const { change, byHand } = await watchFolder({ ...locked, "ocelot.open.json": { Routes: [route("/b")] } });
    expect(await change(missing)).toBe("taken");
    await byHand();
    expect(await change(catchAll)).toBe("taken");
  });

  test("is taken where another file has the route, under whatever key", async () => {
    const { change } = await watchFolder({ ...locked, ...catchAll });
    const moved = { "ocelot.moved.json": { Routes: [route("/a/{y}", { ...lock, Key: "moved" })] } };
    expect(await change({ ...missing, ...moved })).toBe("taken");
    expect(await change({ "ocelot.open.json": { Routes: [route("/{everything}")] } })).toBe("taken");
  });

  test("is refused where what holds for all routes loses a lock, though every route says otherwise", async () => {
    const all = { GlobalConfiguration: { AuthenticationSchemes: schemes, ...lock } };
    const { change } = await watchFolder({
      "ocelot.global.json": all,
      "ocelot.open.json": { Routes: [route("/b", open)] },
    });
    expect(await change({ "ocelot.global.json": undefined })).toBe("reload-unlocks");
  });
});
