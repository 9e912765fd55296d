import { Agent, createServer } from "node:http";
import { createProxyServer } from "http-proxy-3";
import { type Listening, listen, type Settings } from "../contender.ts";

/** http-proxy-3 on a plain server, with kept connections. */
export function start(settings: Settings): Promise<Listening> {
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxyServer({
    target: `http://127.0.0.1:${settings.upstreamPort}`,
    agent,
    changeOrigin: true,
    xfwd: true,
  });
  return listen(
    createServer((req, res) => proxy.web(req, res)),
    settings,
  );
}
