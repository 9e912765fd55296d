import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Listening, Settings, Usage } from "../contender.ts";
import { findFreePort } from "../find-free-port.ts";

/** nginx with one worker and kept connections, where it is installed; its usage is read from /proc. */
export async function start({ upstreamPort }: Settings): Promise<Listening> {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), "bench-nginx-"));
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration(folder, port, upstreamPort));
  const nginx = spawn("nginx", ["-p", folder, "-c", file, "-g", "daemon off;"], { stdio: "inherit" });
  process.on("exit", () => nginx.kill());
  await untilItListens(port);
  return { port, usage: () => usageOfChildren(nginx.pid!) };
}

function configuration(folder: string, port: number, upstreamPort: number): string {
  return `
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  client_max_body_size 0;
  upstream target { server 127.0.0.1:${upstreamPort}; keepalive 100; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://target;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Host $http_host;
    }
  }
}
`;
}

async function untilItListens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const isUp = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await wait(100);
  }
  throw new Error("nginx does not listen.");
}

const microsecondsPerTick = 10_000;
const bytesPerPage = 4_096;

/** Fields 14 and 15 of /proc/<pid>/stat are the CPU time in ticks, field 24 is the resident memory in pages. */
function usageOfChildren(parent: number): Usage {
  const workers = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((id) => readStat(id))
    .filter((fields) => Number(fields[3]) === parent);
  return {
    cpu: workers.reduce((sum, fields) => sum + (Number(fields[13]) + Number(fields[14])) * microsecondsPerTick, 0),
    memory: workers.reduce((sum, fields) => sum + Number(fields[23]) * bytesPerPage, 0),
  };
}

function readStat(id: string): string[] {
  try {
    // The name of the process may hold blanks: it is cut out.
    return readFileSync(`/proc/${id}/stat`, "latin1")
      .replace(/\(.*\)/, "name")
      .split(" ");
  } catch {
    return [];
  }
}
