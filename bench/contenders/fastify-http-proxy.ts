import proxy from "@fastify/http-proxy";
import fastify from "fastify";
import { type Listening, listen, type Settings } from "../contender.ts";

/** Fastify with its own proxy plugin, as its README shows it. */
export async function start(settings: Settings): Promise<Listening> {
  const app = fastify();
  await app.register(proxy, { upstream: `http://127.0.0.1:${settings.upstreamPort}` });
  await app.ready();
  return listen(app.server, settings);
}
