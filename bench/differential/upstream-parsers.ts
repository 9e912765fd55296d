import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findFreePort } from "../find-free-port.ts";

/** A server whose parser reads what the gateway sends. */
export type UpstreamParser = Readonly<{
  name: string;
  command: string;
  /** Writes its configuration into the folder and tells how it is started in the foreground. */
  prepare: (folder: string, port: number) => readonly string[];
}>;

function write(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const pythonServer = `
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def answer(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            while True:
                size = int(self.rfile.readline().split(b";")[0].strip() or b"0", 16)
                self.rfile.read(size)
                self.rfile.readline()
                if size == 0: break
        else:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        if self.command != "HEAD": self.wfile.write(b"ok")
    def log_message(self, *args): pass
    def __getattr__(self, name):
        if name.startswith("do_"): return self.answer
        raise AttributeError(name)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
`;

const nodeServer = `
require("node:http").createServer((req, res) => req.on("end", () => res.end("ok")).resume()).listen(process.argv[1], "127.0.0.1");
`;

/** Node, and what Debian offers of others; those that are not installed are left out. */
export const upstreamParsers: readonly UpstreamParser[] = [
  { name: "node", command: process.execPath, prepare: (_folder, port) => ["-e", nodeServer, String(port)] },
  {
    name: "python",
    command: "python3",
    prepare: (folder, port) => [write(folder, "server.py", pythonServer), String(port)],
  },
  {
    name: "nginx",
    command: "nginx",
    prepare(folder, port) {
      const configuration = `daemon off; master_process off; pid ${folder}/nginx.pid; error_log /dev/null; events {}
        http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi; keepalive_requests 1000000;
        server { listen 127.0.0.1:${port}; location / { return 200 "ok"; } } }`;
      return ["-p", folder, "-e", "/dev/null", "-c", write(folder, "nginx.conf", configuration)];
    },
  },
  {
    name: "apache",
    command: "apache2",
    prepare(folder, port) {
      write(folder, "index.html", "ok");
      const modules = "/usr/lib/apache2/modules";
      const configuration = `ServerRoot ${folder}\nPidFile ${folder}/apache.pid\nListen 127.0.0.1:${port}\nServerName upstream\nErrorLog /dev/null
        LoadModule mpm_event_module ${modules}/mod_mpm_event.so\nLoadModule authz_core_module ${modules}/mod_authz_core.so
        LoadModule alias_module ${modules}/mod_alias.so\nMaxKeepAliveRequests 0\nDocumentRoot ${folder}
        <Directory ${folder}>\nRequire all granted\n</Directory>\nAliasMatch ^ ${folder}/index.html\n`;
      return ["-X", "-f", write(folder, "apache.conf", configuration)];
    },
  },
  {
    name: "lighttpd",
    command: "lighttpd",
    prepare(folder, port) {
      write(folder, "index.html", "ok");
      const configuration = `server.modules = ("mod_rewrite")\nserver.document-root = "${folder}"\nserver.bind = "127.0.0.1"\nserver.port = ${port}
        server.max-keep-alive-requests = 1000000\nurl.rewrite-once = (".*" => "/index.html")\n`;
      return ["-D", "-f", write(folder, "lighttpd.conf", configuration)];
    },
  },
  {
    name: "haproxy",
    command: "haproxy",
    prepare(folder, port) {
      const configuration = `defaults\n  mode http\n  timeout client 30s\n  timeout server 30s\n  timeout connect 5s
frontend all\n  bind 127.0.0.1:${port}\n  http-request return status 200 content-type text/plain string ok\n`;
      return ["-f", write(folder, "haproxy.cfg", configuration)];
    },
  },
];

/** A server of one kind that is up. */
export type RunningParser = Readonly<{ port: number; stop: () => Promise<void> }>;

/** Whether the machine has it. */
export function isInstalled({ command }: UpstreamParser): boolean {
  return command === process.execPath || spawnSync("which", [command]).status === 0;
}

/** Starts it and waits until it listens. */
export async function startParser(parser: UpstreamParser): Promise<RunningParser> {
  const folder = mkdtempSync(join(tmpdir(), `waymark-${parser.name}-`));
  mkdirSync(join(folder, "body"));
  const port = await findFreePort();
  const child = spawn(parser.command, [...parser.prepare(folder, port)], { stdio: "ignore" });
  const ended = once(child, "exit");
  await untilListening(child, parser.name, port);
  return {
    port,
    async stop() {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const looks = 200;
const betweenLooks = 50;

async function untilListening(child: ChildProcess, name: string, port: number): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} instead of listening.`);
    if (await listens(port)) return;
    await wait(betweenLooks);
  }
  throw new Error(`${name} does not listen.`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("connect", () => (socket.destroy(), resolve(true)));
    socket.on("error", () => resolve(false));
  });
}
