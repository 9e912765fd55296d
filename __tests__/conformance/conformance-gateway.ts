import express, { type NextFunction, type Request, type Response } from "express";
import { createGateway, type GatewayHandler, parseConfig, problemDetails } from "../../src/index.ts";
import type { Engine } from "../../src/forwarding/engines/engine.ts";
import { type RunningGateway, serve } from "../helpers/start-gateway.ts";

const naming = { ServiceDiscoveryProvider: { Type: "ServiceCluster", Host: "127.0.0.1" } };

/** The routes of the table, by what they are for. */
export function configFor(port: number, global: object = {}): unknown {
  const toUpstream = { DownstreamHostAndPorts: [{ Host: "127.0.0.1", Port: port }] };
  return {
    Routes: [
      { Key: "locked", UpstreamPathTemplate: "/admin/{x}", DownstreamPathTemplate: "/admin/{x}", ...toUpstream },
      { Key: "api", UpstreamPathTemplate: "/api/{everything}", DownstreamPathTemplate: "/{everything}", ...toUpstream },
      { UpstreamPathTemplate: "/weather/{city}", DownstreamPathTemplate: "/forecast?city={city}", ...toUpstream },
      { UpstreamPathTemplate: "/find?key={key}", DownstreamPathTemplate: "/items/{key}/show", ...toUpstream },
      { UpstreamPathTemplate: "/own/{x}", DownstreamPathTemplate: "/own/{x}?tenant=fixed", ...toUpstream },
      { UpstreamPathTemplate: "/list/{x}", DownstreamPathTemplate: "/{x}?filter[role]=user", ...toUpstream },
      { UpstreamPathTemplate: "/user/{x}", DownstreamPathTemplate: "/{x}?user_id=7", ...toUpstream },
      { UpstreamPathTemplate: "/bare/{x}", DownstreamPathTemplate: "/{x}?", ...toUpstream },
      { UpstreamPathTemplate: "/dash/{a}-{b}/{c}-{d}/end", DownstreamPathTemplate: "/{a}", ...toUpstream },
      { UpstreamPathTemplate: "/pair/{a}/{b}", DownstreamPathTemplate: "/{b}/{a}", ...toUpstream },
      {
        UpstreamPathTemplate: "/mine",
        UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" },
        DownstreamPathTemplate: "/tenants/{tenant}/home",
        ...toUpstream,
      },
      {
        UpstreamPathTemplate: "/mine/query",
        UpstreamHeaderTemplates: { "X-Tenant": "{tenant}" },
        DownstreamPathTemplate: "/home?tenant={tenant}",
        ...toUpstream,
      },
      {
        UpstreamPathTemplate: "/inherited",
        UpstreamHeaderTemplates: { constructor: "{v}" },
        DownstreamPathTemplate: "/own/{v}",
        ...toUpstream,
      },
      { UpstreamPathTemplate: "/whole?{rest}", DownstreamPathTemplate: "/whole?{rest}", ...toUpstream },
      { UpstreamPathTemplate: "/named/{k}/{v}", DownstreamPathTemplate: "/named?role=user&{k}={v}", ...toUpstream },
      { UpstreamPathTemplate: "/flag?n={n}", DownstreamPathTemplate: "/flag?role=user&{n}", ...toUpstream },
      { UpstreamPathTemplate: "/found?name={n}", DownstreamPathTemplate: "/f?q={n}&role=user", ...toUpstream },
      {
        UpstreamPathTemplate: "/mine/named",
        UpstreamHeaderTemplates: { "X-Name": "{k}" },
        DownstreamPathTemplate: "/home?role=user&{k}=1",
        ...toUpstream,
      },
      { UpstreamPathTemplate: "/id/{x}", DownstreamPathTemplate: "/{x}", RequestIdKey: "X-Request-Id", ...toUpstream },
      { UpstreamPathTemplate: "/small/{x}", DownstreamPathTemplate: "/{x}", Limits: { Body: 10 }, ...toUpstream },
      {
        UpstreamPathTemplate: "/lean/{x}",
        DownstreamPathTemplate: "/{x}",
        Limits: { Header: 200, Url: 40 },
        ...toUpstream,
      },
      {
        UpstreamPathTemplate: "/as-post/{x}",
        DownstreamPathTemplate: "/{x}",
        DownstreamHttpMethod: "POST",
        ...toUpstream,
      },
      { UpstreamPathTemplate: "/socket/{x}", DownstreamPathTemplate: "/{x}", DownstreamScheme: "ws", ...toUpstream },
      {
        UpstreamPathTemplate: "/svc/{app}/{service}/{rest}",
        DownstreamPathTemplate: "/{rest}",
        ServiceName: "{app}/{service}",
      },
      {
        UpstreamPathTemplate: "/deep/{part}/{rest}",
        DownstreamPathTemplate: "/{rest}",
        ServiceName: "Shop/Orders/{part}",
      },
      { UpstreamPathTemplate: "/shop/{rest}", DownstreamPathTemplate: "/{rest}", ServiceName: "Shop/Orders" },
      { UpstreamPathTemplate: "/part/{x}/{rest}", DownstreamPathTemplate: "/{rest}", ServiceName: "Shop/Pre{x}" },
      { UpstreamPathTemplate: "/empty/{rest}", DownstreamPathTemplate: "/{rest}", ServiceName: "Shop//Orders" },
      { UpstreamPathTemplate: "/late/{rest}", DownstreamPathTemplate: "/{rest}", ServiceName: "Shop/Orders/a+b" },
      { UpstreamPathTemplate: "/early/{rest}", DownstreamPathTemplate: "/{rest}", ServiceName: "Shop/a+b" },
      {
        UpstreamPathTemplate: "/set/{key}/{value}",
        DownstreamPathTemplate: "/set?{key}={value}",
        ServiceName: "Shop/Orders",
        ClientParameters: ["PartitionKey"],
      },
      {
        UpstreamPathTemplate: "/service?svc={svc}",
        DownstreamPathTemplate: "/x",
        ServiceName: "Shop/{svc}",
      },
      {
        UpstreamPathTemplate: "/strict/{rest}",
        DownstreamPathTemplate: "/{rest}",
        ServiceName: "Shop/Orders",
        ClientParameters: ["PartitionKey"],
      },
    ],
    GlobalConfiguration: {
      ServiceDiscoveryProvider: { ...naming.ServiceDiscoveryProvider, Port: port },
      ...global,
    },
  };
}

/** Marks what it lets pass, and locks a route. */
export const guard: GatewayHandler = (req, res, next) => {
  if (res.locals.route.id === "locked") {
    res.status(403).end();
    return;
  }
  req.headers["x-checked"] = "by-middleware";
  next();
};

/** A gateway in front of one upstream, with the routes that the cases speak of and a middleware that marks and locks. */
export function startConformanceGateway(engine: Engine, upstreamPort: number): Promise<RunningGateway> {
  const config = parseConfig(configFor(upstreamPort), { logger: false });
  const gateway = createGateway(config, { engine, logger: false, middleware: [guard] });
  const app = express();
  app.disable("x-powered-by");
  app.use(gateway);
  app.use((_req: Request, res: Response, next: NextFunction) => {
    if (res.headersSent) next();
    else res.status(404).end("unmatched");
  });
  app.use(problemDetails({ logger: false }));
  return serve(app, gateway);
}
