import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { waitForPort } from "./wait-for-port.ts";
import { findFreePort } from "../../bench/find-free-port.ts";

const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

/** Describes what needs nginx; where there is none, it is skipped and says so. */
export function describeWithNginx(what: string, tests: () => void): void {
  if (hasNginx) {
    describe(what, tests);
    return;
  }
  console.warn(`Not tried behind nginx: ${what}. No nginx was found; install one.`);
  describe.skip(what, tests);
}

export type RunningNginx = Readonly<{ port: number; close: () => Promise<void> }>;

/** Starts nginx in front of a port, with nothing said but `proxy_pass`. */
export async function startNginx(upstreamPort: number): Promise<RunningNginx> {
  const folder = await mkdtemp(join(tmpdir(), "waymark-nginx-"));
  const port = await findFreePort();
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const server = `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${upstreamPort}; } }`;
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${paths.join(" ")} ${server} }`,
  );
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")]);
  await waitForPort(port, () => child.exitCode !== null);
  return {
    port,
    async close() {
      child.kill("SIGKILL");
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
