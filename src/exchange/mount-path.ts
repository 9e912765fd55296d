import type { IncomingMessage } from "node:http";
import { pathOf } from "../urls/path-and-query.ts";

type MountedRequest = IncomingMessage & { baseUrl?: string; originalUrl?: string };

/** The path below which the gateway is mounted, as the client wrote it; empty at the root. */
export function mountPathOf(req: IncomingMessage): string {
  const { baseUrl, originalUrl, url = "/" } = req as MountedRequest;
  if (baseUrl !== undefined) return baseUrl;
  if (originalUrl === undefined || originalUrl === url) return "";
  const original = pathOf(originalUrl);
  const own = pathOf(url);
  // Connect hands over `/` for a request to the mount path itself.
  return original.endsWith(own) ? original.slice(0, original.length - own.length) : own === "/" ? original : "";
}
