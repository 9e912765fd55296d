import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import connect from "connect";
import express from "express";
import express4 from "express4";
import type { Gateway } from "../../src/index.ts";

/** One way to mount a gateway: the app around it, and the path below which it answers. */
export type Mounting = Readonly<{
  name: string;
  prefix: string;
  mount: (gateway: Gateway, other: Gateway) => RequestListener;
}>;

type UseApp = RequestListener & { use: (...parts: never[]) => unknown };
type Factory = Readonly<{ name: string; app: () => UseApp; router: () => UseApp }>;

const factories: readonly Factory[] = [
  { name: "Express 5", app: () => express(), router: () => express.Router() as unknown as UseApp },
  {
    name: "Express 4",
    app: () => express4(),
    router: () => express4.Router() as unknown as UseApp,
  },
  { name: "Connect", app: () => connect(), router: () => connect() },
];

function use(app: UseApp, ...parts: unknown[]): UseApp {
  app.use(...(parts as never[]));
  return app;
}

function mountings({ name, app, router }: Factory): Mounting[] {
  return [
    { name: `${name} at /`, prefix: "", mount: (gateway) => use(app(), gateway) },
    { name: `${name} below /gw`, prefix: "/gw", mount: (gateway) => use(app(), "/gw", gateway) },
    {
      name: `${name} in a nested router`,
      prefix: "/api/v1",
      mount: (gateway) => use(app(), "/api", use(router(), "/v1", gateway)),
    },
    { name: `${name} behind another gateway`, prefix: "", mount: (gateway, other) => use(use(app(), other), gateway) },
  ];
}

/** Every supported way to mount a gateway. */
export const allMountings: readonly Mounting[] = [
  ...factories.flatMap(mountings),
  { name: "node:http", prefix: "", mount: (gateway) => gateway },
  {
    name: "node:http behind another gateway",
    prefix: "",
    mount: (gateway, other) => (req: IncomingMessage, res: ServerResponse) => other(req, res, () => gateway(req, res)),
  },
];
