import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type GatewayConfig, parseConfig } from "../src/index.ts";
import { issuerAt } from "./identity-provider.ts";
import { type Ports, usualPorts } from "./ports.ts";

const file = fileURLToPath(new URL("gateway.json", import.meta.url));

/** In gateway.json the usual ports stand; where others were taken, those are meant. An app of your own calls loadConfig. */
export async function readConfig(bound: Omit<Ports, "gateway">): Promise<GatewayConfig> {
  const names = ["naming", "downstream", "secondDownstream", "registry"] as const;
  const text = names
    .reduce(
      (result, name) => result.replaceAll(`"Port": ${usualPorts[name]}`, `"Port": ${bound[name]}`),
      await readFile(file, "utf8"),
    )
    .replaceAll(`//localhost:${usualPorts.downstream}/`, `//localhost:${bound.downstream}/`)
    .replaceAll(issuerAt(usualPorts.identity), issuerAt(bound.identity));
  const config = parseConfig(text, { file, logger: false });
  for (const { path, message } of config.warnings) console.warn(`${path}: ${message}`);
  return config;
}
