import { expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, parseConfig } from "../../src/index.ts";

const makers: readonly Readonly<{ kind: string; make: (path: string) => string }>[] = [
  {
    kind: "a pipe to which nobody writes",
    make: (path) => {
      execFileSync("mkfifo", [path]);
      return path;
    },
  },
  { kind: "a device that never ends", make: () => "/dev/zero" },
  { kind: "a file without an end that says it is empty", make: () => "/proc/self/pagemap" },
  { kind: "a directory", make: () => tmpdir() },
  {
    kind: "a file that is far too large",
    make: (path) => {
      writeFileSync(path, "");
      truncateSync(path, 64 * 1024 * 1024);
      return path;
    },
  },
];

test.each(makers)("a certificate is read at once, or not at all: $kind", ({ make }) => {
  const folder = mkdtempSync(join(tmpdir(), "waymark-"));
  try {
    const Route = {
      UpstreamPathTemplate: "/a",
      DownstreamPathTemplate: "/a",
      DownstreamScheme: "https",
      DownstreamHostAndPorts: [{ Host: "127.0.0.1" }],
      Tls: { Ca: make(join(folder, "ca.pem")) },
    };
    const config = parseConfig({ Routes: [Route] }, { logger: false });
    expect(() => createGateway(config, { logger: false })).toThrow("of Tls.Ca cannot be read");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
