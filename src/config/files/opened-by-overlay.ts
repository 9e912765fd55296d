import type { JsonNode, Span } from "../../json/json-node.ts";
import { allowsAnyService, isDynamicRoute } from "../dynamic-routes.ts";
import { openedLocks } from "../opened-locks.ts";
import type { Finding } from "../problems/problem-list.ts";
import type { Configuration } from "../read/read-configuration.ts";
import type { GlobalConfig, RouteConfig } from "../sections.ts";
import type { FileView } from "../read/reading.ts";
import { findMemberNode } from "./find-member-node.ts";
import type { JoinedFiles } from "./join-files.ts";
import { joinedListOf } from "./joined-lists.ts";

/** The files that were put together, and what their entries are called. */
type Compared = Pick<JoinedFiles, "joined" | "laid" | "globalSpan"> & Readonly<{ view: FileView }>;

/** Warns of each route, and each listed service, that demands less of its clients than without what is laid over the parts. */
export function findOpenedByOverlay(
  before: Configuration,
  after: Configuration,
  compared: Compared,
): readonly Finding[] {
  if (before === after) return [];
  const inList = (name: string, isMeant: (route: RouteConfig) => boolean): Finding[] => {
    const items = compared.joined.lists.get(joinedListOf(name)!)?.items ?? [];
    const now = after.routes.filter(isMeant);
    return before.routes.filter(isMeant).flatMap((route, index): Finding[] => {
      const pair = { item: items[index], route, now: now[index] };
      return findOpened(pair, { before: before.global, after: after.global, index }, compared);
    });
  };
  return [
    ...findOpenServices(before, after, compared),
    ...inList("Routes", (route) => !isDynamicRoute(route)),
    ...inList("DynamicRoutes", isDynamicRoute),
  ];
}

type Pair = Readonly<{ item: JsonNode | undefined; route: RouteConfig; now: RouteConfig | undefined }>;
type Globals = Readonly<{ before: GlobalConfig; after: GlobalConfig; index: number }>;

function findOpened({ item, route, now }: Pair, globals: Globals, compared: Compared): Finding[] {
  if (now === undefined || item === undefined) return [];
  const lost = openedLocks({ routes: [route], global: globals.before }, { routes: [now], global: globals.after });
  if (lost.length === 0) return [];
  const { name } = compared.view.itemOf(item, globals.index);
  const found = `${name} demands ${lost.join(", ")}, and no longer with what is laid over it`;
  const message = `${found}: whoever could not come in before can now; if that is not meant, take it back here`;
  return [{ code: "lock-opened", path: "", message, span: openedAt(item, lost, compared) }];
}

/** What lets clients reach services that no route names. */
function findOpenServices(before: Configuration, after: Configuration, { globalSpan }: Compared): readonly Finding[] {
  if (allowsAnyService(before.routes, before.global) || !allowsAnyService(after.routes, after.global)) return [];
  const message =
    'with what is laid over it "AllowAnyService" opens all services of the registry that no route names; if that is not meant, take it back here';
  return [{ code: "lock-opened", path: "", message, span: { ...globalSpan, end: globalSpan.start + 1 } }];
}

/** Where the overlay takes the lock: in the entry for the route if that speaks of it, else in what it says for all. */
function openedAt(item: object, lost: readonly string[], { laid, globalSpan }: Compared): Span {
  const above = laid.get(item);
  const speaks = above !== undefined && lost.some((lock) => findMemberNode(above, lock) !== undefined);
  const { start } = speaks || globalSpan.start < 0 ? (above?.span ?? globalSpan) : globalSpan;
  return { start, end: start + 1 };
}
