import type { RequestHandler } from "express";
import { type RunningGateway, startGateway } from "../helpers/start-gateway.ts";

export function startWith(middleware: RequestHandler): Promise<RunningGateway> {
  const DownstreamHostAndPorts = [{ Host: "127.0.0.1", Port: 1 }];
  return startGateway(
    { Routes: [{ UpstreamPathTemplate: "/jobs", DownstreamPathTemplate: "/", DownstreamHostAndPorts }] },
    { middleware: [middleware] },
  );
}
