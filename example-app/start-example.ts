import { createServer } from "node:http";
import { upgradeThrough } from "../src/index.ts";
import { createApp, inspectorPath, mountPath } from "./app.ts";
import { createDownstreamServer } from "./downstream.ts";
import { startIdentityProvider } from "./identity-provider.ts";
import { listen, listenAt, type Listening } from "./listen.ts";
import type { Ports } from "./ports.ts";
import { readConfig } from "./read-config.ts";
import { startRegistry } from "./registry.ts";
import { startNamingService } from "./services.ts";
import { createTraces } from "./traces.ts";

/** The running example. */
export type Example = Readonly<{
  pageUrl: string;
  gatewayUrl: string;
  /** Opens the inspector, for whoever has it. */
  inspectorLink: string;
  close: () => Promise<void>;
}>;

/** Starts everything in this process: the services, the naming service, the registry, the OpenID provider, and the gateway in its app. */
export async function startExample(ports: Ports, host: string | undefined): Promise<Example> {
  const traces = createTraces();
  const started: (() => Promise<void>)[] = [];
  const keep = (listening: Listening): number => {
    started.unshift(listening.close);
    return listening.port;
  };
  try {
    const provider = await listenAt("identity", ports, () => startIdentityProvider(ports.identity));
    const bound = {
      identity: keep(provider),
      downstream: keep(await startDownstream("downstream", "downstream, the first host")),
      secondDownstream: keep(await startDownstream("secondDownstream", "downstream, the second host")),
      naming: keep(await listenAt("naming", ports, () => startNamingService(ports.naming, traces))),
      registry: keep(await listenAt("registry", ports, () => startRegistry(ports.registry, traces))),
    };
    const { app, gateway, inspect } = createApp(await readConfig(bound), traces, provider.fetchToken);
    const closeGateway = () => gateway.close({ grace: 2 });
    // Before the registry, which it asks from now on.
    started.unshift(closeGateway);
    const server = createServer(app).on("upgrade", upgradeThrough(app));
    const port = keep(await listenAt("gateway", ports, () => listen(server, ports.gateway, host)));
    // And before its server: it lets running requests finish, and ends the WebSockets that the server would wait for.
    started.unshift(closeGateway);
    const origin = `http://localhost:${port}`;
    const inspectorLink = inspect.link(`${origin}${inspectorPath}`);
    return { pageUrl: `${origin}/`, gatewayUrl: `${origin}${mountPath}`, inspectorLink, close };
  } catch (error) {
    await close();
    throw error;
  }

  function startDownstream(name: "downstream" | "secondDownstream", title: string): Promise<Listening> {
    return listenAt(name, ports, () => listen(createDownstreamServer(title, traces), ports[name]));
  }

  async function close(): Promise<void> {
    for (const end of started.splice(0)) await end();
  }
}
