import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf } from "../urls/path-and-query.ts";
import { refuse } from "./answer.ts";

/** A request below a mount path, as Express leaves it. */
export type MountedRequest = IncomingMessage & { originalUrl?: string };

/** Whether a page was asked for without the slash behind its mount path: its links are relative, and need it. */
export function lacksSlash({ originalUrl, url }: MountedRequest): boolean {
  return originalUrl !== undefined && !pathOf(originalUrl).endsWith("/") && pathOf(url ?? "") === "/";
}

/** Sends a client to the same path with the slash. */
export function redirectToFolder(req: MountedRequest, res: ServerResponse): void {
  const folder = pathOf(req.originalUrl!).split("/").at(-1)!;
  res.setHeader("location", `./${folder}/`);
  refuse(req, res, 308, "The page is in the folder of that name.");
}
