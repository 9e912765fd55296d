/** A gateway with everything on in a process of its own: `gateway-process.ts <settings as JSON>`. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { processorTime } from "../helpers/processor-time.ts";
import { createApps, createServer } from "./create-apps.ts";
import type { GatewaySettings } from "./create-gateway.ts";
import { parseEverythingOn, type RouteSettings } from "./routes.ts";
import { createTelemetry } from "./telemetry.ts";
import { watchProcess } from "./watch-process.ts";

/** What the process is started with. */
export type ProcessSettings = Pick<GatewaySettings, "engine" | "responder"> &
  Pick<RouteSettings, "upstreamPort" | "timeout"> &
  Readonly<{ numbers?: number }>;

let version = 0;
let hasStarted = false;
const settings = JSON.parse(process.argv[2]!) as ProcessSettings;
const servers: Server[] = [];
const { disturbances, logger, holdings } = watchProcess(() => servers);
// What goes wrong while it starts has nobody yet who asks for it.
process.on("exit", () => hasStarted || console.error(disturbances.join("\n")));
const { observers, tally } = createTelemetry(settings.numbers);
const { gateway, apps } = createApps({ ...settings, config: parseEverythingOn(settings), observers, logger });
const answers = {
  cpu: processorTime,
  /** What is under way and what was logged, at one moment. */
  state() {
    const { running, sockets } = gateway.health();
    const matched = tally.matched - tally.left;
    // What was told once is not told again.
    return { running: running + sockets, matched, lines: tally.lines, disturbances: disturbances.splice(0) };
  },
  async reload() {
    version += 1;
    await gateway.reload(parseEverythingOn({ ...settings, version }));
    return version;
  },
  holdings,
  linesOf: () => Buffer.from(tally.linesOf).toString("base64"),
} as const;

/** What can be asked of the process. */
export type Answers = typeof answers;

async function answer(question: keyof Answers): Promise<void> {
  process.send!({ question, answer: await answers[question]() });
}

process.on("message", (question) => void answer(question as keyof Answers));
process.on("disconnect", () => process.exit());

const ports: Record<string, number> = {};
for (const [name, app] of Object.entries(apps)) {
  const server = createServer(app, logger);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ports[name] = (server.address() as AddressInfo).port;
}
hasStarted = true;
process.send!({ question: "ports", answer: ports });
