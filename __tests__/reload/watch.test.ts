import { execFileSync, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { link, mkdir, mkdtemp, open, rename, rm, symlink, unlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import {
  type ConfigWatcher,
  createGateway,
  type Gateway,
  type GatewayOptions,
  loadConfig,
  parseConfig,
  type RouteChanges,
  watchConfig,
  type WatchOptions,
} from "../../src/index.ts";
import { jwtBearer } from "../../src/jwt.ts";
import { loadingPacked } from "../helpers/load-packed.ts";
import { createLogBook, createSignal, routeTo, until } from "./scene.ts";
import { namedCertificate, selfSigned } from "../simulator/self-signed.ts";

let folder = "";
let watching: { gateway: Gateway; watcher: ConfigWatcher } | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "waymark-watch-"));
});

afterEach(async () => {
  watching?.watcher.close();
  await watching?.gateway.close();
  watching = undefined;
  await rm(folder, { recursive: true, force: true });
});

function at(...names: readonly string[]): string {
  return join(folder, ...names);
}

function textOf(...paths: readonly string[]): string {
  return JSON.stringify({ Routes: paths.map((path) => routeTo(1, path)) }, null, 2);
}

const first = textOf("/first");
const second = textOf("/second");

type Watched = Readonly<{
  gateway: Gateway;
  watcher: ConfigWatcher;
  reloads: RouteChanges[];
  failures: unknown[];
  lines: string[];
  /** How often the text was read. */
  reads: () => number;
  /** The templates of the present routes. */
  paths: () => string[];
}>;

/** Loads a configuration and watches it; comes back when the watcher has read the file for the first time. */
async function startWatching(
  path = at("gateway.json"),
  options: WatchOptions = {},
  authentication: GatewayOptions["authentication"] = {},
): Promise<Watched> {
  const gateway = createGateway(await loadConfig(path, { logger: false }), { logger: false, authentication });
  const { logger, lines } = createLogBook();
  const reloads: RouteChanges[] = [];
  const failures: unknown[] = [];
  let reads = 0;
  const watcher = watchConfig(path, gateway, {
    logger,
    reloaded: (changes) => reloads.push(changes),
    failed: (error) => failures.push(error),
    // Too seldom to be of help: what is tested is that changes are noticed.
    interval: 60,
    ...options,
    transform(text) {
      reads += 1;
      return options.transform?.(text) ?? text;
    },
  });
  watching = { gateway, watcher };
  await until(() => reads === 1);
  const paths = (): string[] => [...gateway.routes.values()].map((route) => route.upstreamPathTemplate);
  return { gateway, watcher, reloads, failures, lines, reads: () => reads, paths };
}

type Scenario = Readonly<{
  name: string;
  /** The file that is watched, once all is set up. */
  setUp?: () => Promise<string>;
  change: () => Promise<void>;
}>;

const scenarios: readonly Scenario[] = [
  { name: "is written over", change: () => writeFile(at("gateway.json"), second) },
  {
    name: "is replaced by another one, as editors do",
    async change() {
      await writeFile(at("gateway.json.tmp"), second);
      await rename(at("gateway.json.tmp"), at("gateway.json"));
    },
  },
  {
    name: "is moved away and written anew, as other editors do",
    async change() {
      await rename(at("gateway.json"), at("gateway.json~"));
      await writeFile(at("gateway.json"), second);
    },
  },
  {
    name: "is truncated, and written a while later",
    async change() {
      const file = await open(at("gateway.json"), "w");
      await new Promise((resolve) => setTimeout(resolve, 250));
      await file.writeFile(second);
      await file.close();
    },
  },
  {
    name: "is written piece by piece",
    async change() {
      const file = await open(at("gateway.json"), "w");
      for (const piece of second.match(/[^]{1,60}/g)!) {
        await file.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await file.close();
    },
  },
  {
    name: "is gone for a while",
    async change() {
      await unlink(at("gateway.json"));
      await new Promise((resolve) => setTimeout(resolve, 250));
      await writeFile(at("gateway.json"), second);
    },
  },
  {
    name: "stands in a ConfigMap, whose ..data link is exchanged",
    async setUp() {
      await mkdir(at("..2026_01"));
      await writeFile(at("..2026_01", "gateway.json"), first);
      await symlink("..2026_01", at("..data"));
      await rm(at("gateway.json"));
      await symlink(join("..data", "gateway.json"), at("gateway.json"));
      return at("gateway.json");
    },
    async change() {
      await mkdir(at("..2026_02"));
      await writeFile(at("..2026_02", "gateway.json"), second);
      await symlink("..2026_02", at("..data_tmp"));
      await rename(at("..data_tmp"), at("..data"));
      await rm(at("..2026_01"), { recursive: true });
    },
  },
  {
    name: "is behind a link to another folder",
    async setUp() {
      await mkdir(at("real"));
      await rename(at("gateway.json"), at("real", "gateway.json"));
      await symlink(at("real", "gateway.json"), at("link.json"));
      return at("link.json");
    },
    change: () => writeFile(at("real", "gateway.json"), second),
  },
  {
    name: "stands in a folder that is a link, which is set to another folder",
    async setUp() {
      await mkdir(at("one"));
      await mkdir(at("two"));
      await writeFile(at("one", "gateway.json"), first);
      await writeFile(at("two", "gateway.json"), second);
      await symlink("one", at("current"));
      return at("current", "gateway.json");
    },
    async change() {
      await symlink("two", at("next"));
      await rename(at("next"), at("current"));
    },
  },
];

describe("a watched file takes effect when it", () => {
  test.each(scenarios)("$name", async ({ setUp, change }) => {
    await writeFile(at("gateway.json"), first);
    const { reloads, failures, paths } = await startWatching(await setUp?.());
    await change();
    await until(() => reloads.length > 0);
    expect(paths()).toEqual(["/second"]);
    expect([reloads, failures]).toEqual([[{ added: ["/second"], removed: ["/first"], changed: [] }], []]);
  });

  test("was changed between being loaded and being watched", async () => {
    await writeFile(at("gateway.json"), first);
    const gateway = createGateway(await loadConfig(at("gateway.json"), { logger: false }), { logger: false });
    await writeFile(at("gateway.json"), second);
    const watcher = watchConfig(at("gateway.json"), gateway, { logger: false });
    watching = { gateway, watcher };
    await until(() => [...gateway.routes.values()][0]?.upstreamPathTemplate === "/second");
  });

  test("changes where the file system tells nothing, at the next look", async () => {
    await mkdir(at("elsewhere"));
    await mkdir(at("here"));
    await writeFile(at("elsewhere", "gateway.json"), first);
    await link(at("elsewhere", "gateway.json"), at("here", "gateway.json"));
    const { reloads, paths } = await startWatching(at("here", "gateway.json"), { interval: 0.1 });
    await writeFile(at("elsewhere", "gateway.json"), second);
    await until(() => reloads.length > 0);
    expect(paths()).toEqual(["/second"]);
  });

  test("changes again and again, in the folder that a link now leads to", async () => {
    await mkdir(at("one"));
    await mkdir(at("two"));
    await writeFile(at("one", "gateway.json"), first);
    await writeFile(at("two", "gateway.json"), second);
    await symlink("one", at("current"));
    const { reloads, paths } = await startWatching(at("current", "gateway.json"));
    await symlink("two", at("next"));
    await rename(at("next"), at("current"));
    await until(() => reloads.length === 1);
    await writeFile(at("two", "gateway.json"), textOf("/third"));
    await until(() => reloads.length === 2);
    expect(paths()).toEqual(["/third"]);
  });

  test("comes back in a folder that was gone with it", async () => {
    await mkdir(at("inner"));
    await writeFile(at("inner", "gateway.json"), first);
    const { reloads, paths } = await startWatching(at("inner", "gateway.json"), { interval: 0.1 });
    await rm(at("inner"), { recursive: true });
    await mkdir(at("inner"));
    await writeFile(at("inner", "gateway.json"), second);
    await until(() => reloads.length > 0);
    expect(paths()).toEqual(["/second"]);
  });
});

describe("a watched file", () => {
  beforeEach(() => writeFile(at("gateway.json"), first));

  test("that was only touched is no reload", async () => {
    const { reloads, reads } = await startWatching();
    await utimes(at("gateway.json"), 1, 1);
    await until(() => reads() === 2);
    await writeFile(at("gateway.json"), second);
    await until(() => reloads.length > 0);
    expect(reloads).toHaveLength(1);
  });

  test("that is bad is logged with every problem, and the last good one stays until it is mended", async () => {
    const { gateway, reloads, failures, lines, paths } = await startWatching();
    await writeFile(at("gateway.json"), '{ "Routes": [\n  { "UpstreamPathTemplate": "/a" }\n] }');
    await until(() => failures.length > 0);
    const file = at("gateway.json");
    expect(lines).toEqual([
      `error: ${file}:2:3 Routes[0]: DownstreamPathTemplate is missing: expected a path such as "/orders/{id}" (template-missing)`,
      `error: ${file}:2:3 Routes[0]: the route goes nowhere: expected DownstreamHostAndPorts or a ServiceName; if it stands in another file, such as ocelot.Production.json, merge the two first (target-missing)`,
      `error: The configuration was not reloaded, the one before stays in force. The configuration ${file} cannot be used: 2 problems.`,
    ]);
    expect([paths(), gateway.health().lastFailure]).toEqual([
      ["/first"],
      { at: expect.any(Date), error: expect.objectContaining({ code: "config-invalid" }) },
    ]);
    await writeFile(at("gateway.json"), first);
    await until(() => reloads.length > 0);
    expect([reloads[0], gateway.health().lastFailure]).toEqual([{ added: [], removed: [], changed: [] }, undefined]);
  });

  test("that stays away is told once, and found again", async () => {
    const { reloads, failures, paths } = await startWatching();
    await unlink(at("gateway.json"));
    await until(() => failures.length > 0);
    expect(failures).toMatchObject([{ problems: [{ code: "file-unreadable" }] }]);
    expect(paths()).toEqual(["/first"]);
    await writeFile(at("gateway.json"), second);
    await until(() => reloads.length > 0);
    expect(failures).toHaveLength(1);
  });

  test.each([
    [undefined, ["/first"]],
    [true, []],
  ])("without routes, allowed %s, leaves %j", async (allowNoRoutes, expected) => {
    const { reloads, failures, paths } = await startWatching(undefined, { allowNoRoutes });
    await writeFile(at("gateway.json"), '{ "Routes": [] }');
    await until(() => reloads.length + failures.length > 0);
    expect(paths()).toEqual(expected);
  });

  test("that gives way to what is no file, a pipe say, is missed, and found again", async () => {
    const { paths, failures } = await startWatching();
    await unlink(at("gateway.json"));
    execFileSync("mkfifo", [at("gateway.json")]);
    await until(() => failures.length === 1);
    await unlink(at("gateway.json"));
    await writeFile(at("gateway.json"), second);
    await until(() => paths()[0] === "/second");
    expect(failures).toMatchObject([{ message: expect.stringContaining("gateway.json") }]);
  });

  test("is read again, though nothing has changed since, where it could not be for want of file descriptors", async () => {
    await writeFile(at("gateway.json"), first);
    let isShort = false;
    const transform = (text: string): string => {
      if (isShort) throw Object.assign(new Error("too many open files"), { code: "EMFILE" });
      return text;
    };
    const { failures, paths } = await startWatching(at("gateway.json"), { transform, interval: 0.05 });
    isShort = true;
    await writeFile(at("gateway.json"), second);
    await until(() => failures.length > 0);
    isShort = false;
    await until(() => paths().includes("/second"));
  });

  test("is changed by `transform` before it is read", async () => {
    const transform = (text: string): string => text.replaceAll("${PLACE}", "orders");
    const { reloads, paths } = await startWatching(undefined, { transform });
    await writeFile(at("gateway.json"), textOf("/${PLACE}"));
    await until(() => reloads.length > 0);
    expect(paths()).toEqual(["/orders"]);
  });

  test("is put into force where another one stood in its place while it was read", async () => {
    await mkdir(at("other"));
    await mkdir(at("present"));
    await writeFile(at("other", "gateway.json"), second);
    await writeFile(at("present", "gateway.json"), first);
    const [begun, released] = [createSignal(), createSignal()];
    let isHeld = false;
    const { paths } = await startWatching(at("present", "gateway.json"), {
      transform: (async (text: string) => {
        if (text === second && !isHeld) {
          isHeld = true;
          begun.give();
          await released.given;
        }
        return text;
      }) as unknown as (text: string) => string,
    });
    await swap();
    await begun.given;
    await swap();
    released.give();
    // As soon as the reading has been given up as overtaken, and before the files are looked at once more.
    await new Promise((resolve) => setTimeout(resolve, 15));
    await swap();
    await until(() => paths()[0] === "/second");

    /** Folders change places: what lies in them stays as it is, down to its times. */
    async function swap(): Promise<void> {
      await rename(at("present"), at("aside"));
      await rename(at("other"), at("present"));
      await rename(at("aside"), at("other"));
    }
  });

  test("is read again by check(), also where nothing has changed", async () => {
    const { watcher, reloads } = await startWatching();
    await watcher.check();
    expect(reloads).toEqual([{ added: [], removed: [], changed: [] }]);
  });

  test("goes on being watched after a callback that throws", async () => {
    let calls = 0;
    const throwing = (): never => {
      calls += 1;
      throw new Error("boom");
    };
    const { lines, paths } = await startWatching(undefined, { reloaded: throwing, failed: throwing });
    await writeFile(at("gateway.json"), "{");
    await until(() => calls === 1);
    await writeFile(at("gateway.json"), second);
    await until(() => calls === 2);
    expect(paths()).toEqual(["/second"]);
    await until(() => lines.filter((line) => line === "error: A callback of watchConfig failed.").length === 2);
  });

  test("is not read any more once the watcher is closed", async () => {
    const { watcher, reads, paths } = await startWatching();
    watcher.close();
    await writeFile(at("gateway.json"), second);
    await watcher.check();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([reads(), paths()]).toEqual([1, ["/first"]]);
  });

  test("is not read any more once the gateway is closed", async () => {
    const { watcher, gateway, failures } = await startWatching();
    await gateway.close();
    await writeFile(at("gateway.json"), second);
    await watcher.check();
    expect([failures, gateway.health().lastFailure]).toEqual([[], undefined]);
  });

  test("keeps no process alive", async () => {
    const source = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
    const script = `
      import { createGateway, loadConfig, watchConfig } from ${JSON.stringify(source)};
      const gateway = createGateway(await loadConfig("gateway.json"));
      const untilRead = setInterval(() => undefined, 1_000);
      watchConfig("gateway.json", gateway, { transform: (text) => (console.log("read"), clearInterval(untilRead), text) });`;
    await writeFile(at("watch.mjs"), script);
    const words = [...loadingPacked, "--disable-warning=ExperimentalWarning", "watch.mjs"];
    const child = spawn(process.execPath, words, { cwd: folder });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += text.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, output]).toEqual([0, "read\n"]);
  });
});

describe("the certificates that a watched file names", () => {
  const pem = { type: "spki", format: "pem" } as const;
  const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;
  const unchanged: RouteChanges = { added: [], removed: [], changed: [] };

  /** Names files in a folder of their own. */
  function naming(path: string, tls: object): string {
    return JSON.stringify({ Routes: [routeTo(1, path, { Tls: tls })] });
  }

  beforeEach(async () => {
    await mkdir(at("secrets"));
    await writeFile(at("secrets", "ca.pem"), namedCertificate("one"));
  });

  test("take effect when they are mended, and the file is as it was", async () => {
    await writeFile(at("gateway.json"), first);
    const { reloads, failures, paths } = await startWatching();
    await writeFile(at("gateway.json"), naming("/second", { Ca: at("secrets", "renewed.pem") }));
    await until(() => failures.length === 1);
    await writeFile(at("secrets", "renewed.pem"), namedCertificate("two"));
    await until(() => reloads.length === 1);
    expect([paths(), failures]).toEqual([["/second"], [expect.objectContaining({ code: "config-invalid" })]]);
  });

  test("take effect when they are renewed", async () => {
    await writeFile(at("gateway.json"), naming("/first", { Ca: at("secrets", "ca.pem") }));
    const { reloads } = await startWatching();
    await writeFile(at("secrets", "ca.pem"), namedCertificate("two"));
    await until(() => reloads.length === 1);
    await unlink(at("secrets", "ca.pem"));
    await writeFile(at("secrets", "ca.pem"), namedCertificate("three"));
    await until(() => reloads.length === 2);
    expect(reloads).toEqual([unchanged, unchanged]);
  });

  test.each(["in the file", "in code"])(
    "are watched together with the keys of tokens of a scheme %s",
    async (where) => {
      const { publicKey: one } = generateKeyPairSync("ed25519", { publicKeyEncoding: pem, privateKeyEncoding });
      const { publicKey: two } = generateKeyPairSync("ed25519", { publicKeyEncoding: pem, privateKeyEncoding });
      const KeyFile = at("secrets", "tokens.pem");
      await writeFile(KeyFile, one);
      const inFile = { Tokens: { Type: "Jwt", Issuer: false, Audience: false, KeyFile } };
      const inCode = { Tokens: jwtBearer({ issuer: false, audience: false, keyFile: KeyFile }) };
      const AuthenticationSchemes = where === "in the file" ? inFile : {};
      const routes = [routeTo(1, "/first", { AuthenticationOptions: { AuthenticationProviderKeys: ["Tokens"] } })];
      const text = JSON.stringify({ Routes: routes, GlobalConfiguration: { AuthenticationSchemes } });
      await writeFile(at("gateway.json"), text);
      const { reloads } = await startWatching(undefined, {}, where === "in code" ? inCode : {});
      await writeFile(KeyFile, two);
      await until(() => reloads.length === 1);
      expect(reloads).toEqual([unchanged]);
    },
  );

  test("take effect when the link to them is exchanged, as in a mounted secret", async () => {
    const link = at("secrets", "..data");
    await mkdir(at("secrets", "..2026_01"));
    await rename(at("secrets", "ca.pem"), at("secrets", "..2026_01", "ca.pem"));
    await symlink("..2026_01", link);
    await symlink(join("..data", "ca.pem"), at("secrets", "ca.pem"));
    await writeFile(at("gateway.json"), naming("/first", { Ca: at("secrets", "ca.pem") }));
    const { reloads } = await startWatching();
    await mkdir(at("secrets", "..2026_02"));
    await writeFile(at("secrets", "..2026_02", "ca.pem"), namedCertificate("two"));
    await symlink("..2026_02", `${link}_tmp`);
    await rename(`${link}_tmp`, link);
    await until(() => reloads.length === 1);
  });

  test("change nothing as long as half of them is there, and take effect with the other half", async () => {
    const [Ca, Cert, Key] = ["ca.pem", "cert.pem", "key.pem"].map((name) => at("secrets", name)) as [
      string,
      string,
      string,
    ];
    await writeFile(Cert, selfSigned.cert);
    await writeFile(Key, selfSigned.key);
    await writeFile(at("gateway.json"), naming("/first", { Ca, Cert, Key }));
    const { reloads, failures } = await startWatching();
    const { privateKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      publicKeyEncoding: pem,
      privateKeyEncoding,
    });
    const halves: readonly [string, string, string][] = [
      [Ca, "", namedCertificate("renewed")],
      [Ca, selfSigned.cert.slice(0, 300), namedCertificate("renewed again")],
      [Key, privateKey, `\n${selfSigned.key}`],
      [Cert, selfSigned.key, namedCertificate("ours")],
    ];
    for (const [index, [file, half, whole]] of halves.entries()) {
      await writeFile(file, half);
      await until(() => failures.length === index + 1);
      expect([reloads.length, failures[index]]).toEqual([index, expect.objectContaining({ code: "config-invalid" })]);
      await writeFile(file, whole);
      await until(() => reloads.length === index + 1);
    }
  });

  test("are tried once as long as they are bad", async () => {
    await writeFile(at("gateway.json"), naming("/first", { Ca: at("secrets", "ca.pem") }));
    const { reloads, failures } = await startWatching(undefined, { interval: 0.1 });
    await unlink(at("secrets", "ca.pem"));
    await until(() => failures.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect([reloads, failures]).toEqual([[], [expect.anything()]]);
  });

  test("are left alone when no route needs them any more", async () => {
    const global = { GlobalConfiguration: { Tls: { Ca: at("secrets", "ca.pem") } } };
    await writeFile(at("gateway.json"), JSON.stringify({ Routes: [routeTo(1, "/first")], ...global }));
    const { reloads } = await startWatching();
    await writeFile(at("gateway.json"), first);
    await until(() => reloads.length === 1);
    await writeFile(at("secrets", "ca.pem"), namedCertificate("two"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(reloads).toHaveLength(1);
  });
});

test("watchConfig says what it takes", () => {
  const notOurs = (() => undefined) as unknown as Gateway;
  expect(() => watchConfig("gateway.json", notOurs)).toThrow(expect.objectContaining({ code: "option-invalid" }));
});

test("a configuration that came as an object is replaced by the file at the first look", async () => {
  await writeFile(at("gateway.json"), second);
  const gateway = createGateway(parseConfig({ Routes: [routeTo(1, "/first")] }, { logger: false }), { logger: false });
  watching = { gateway, watcher: watchConfig(at("gateway.json"), gateway, { logger: false }) };
  await until(() => [...gateway.routes.values()][0]?.upstreamPathTemplate === "/second");
});
