import { createServer } from "node:http";
import { createGateway, parseConfig } from "../../src/index.ts";
import { undiciEngine } from "../../src/undici.ts";
import { listen, type Listening, type Settings } from "../contender.ts";
import { createPolicyConfig } from "../policies/gateways.ts";

/** A gateway on a plain server, whose route asks for some policies. */
export function start(settings: Settings): Promise<Listening> {
  const gateway = createGateway(parseConfig(createPolicyConfig(settings)), { engine: undiciEngine() });
  return listen(createServer(gateway), settings);
}
