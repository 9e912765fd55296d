// npm run soak -- --engine undici --requests 500000 --connections 200 --seed 6 --serve
import { parseArgs } from "node:util";
import { engineNames } from "../__tests__/everything-on/create-gateway.ts";
import { formatVerdict } from "./soak/promises.ts";
import { runSoak, type SoakSettings } from "./soak/run-soak.ts";

const { values } = parseArgs({
  options: {
    engine: { type: "string", default: "http-proxy-middleware" },
    requests: { type: "string", default: "500000" },
    connections: { type: "string", default: "200" },
    seed: { type: "string", default: "6" },
    serve: { type: "boolean", default: false },
  },
});
const engine = engineNames.find((name) => name === values.engine);
if (engine === undefined) throw new Error(`--engine is one of ${engineNames.join(", ")}, received ${values.engine}.`);

const settings: SoakSettings = {
  ...{ engine, serve: values.serve, reloadEvery: 3_000, timeout: 10, print: console.log },
  requests: count("requests"),
  connections: count("connections"),
  seed: count("seed"),
};
// What was started ends with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const subject = values.serve ? "waymark serve with two workers" : "the package in three apps";
console.log(`soak: ${values.requests} requests at ${values.connections} connections, ${engine}, ${subject}`);
const { verdicts, summary } = await runSoak(settings);
for (const verdict of verdicts) console.log(formatVerdict(verdict));
console.log(summary);
process.exitCode = verdicts.every(({ broken }) => broken.length === 0) ? 0 : 1;

function count(name: "requests" | "connections" | "seed"): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} is a whole number above 0, received ${values[name]}.`);
}
