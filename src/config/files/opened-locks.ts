import type { JsonNode, Span } from "../../json/json-node.ts";
import { allowsAnyService } from "../dynamic-routes.ts";
import { findDemands } from "../lint/demands.ts";
import type { Finding } from "../problems/problem-list.ts";
import type { Configuration } from "../read/read-configuration.ts";
import type { FileView } from "../read/reading.ts";
import { findMemberNode } from "./find-member-node.ts";
import type { JoinedFiles } from "./join-files.ts";
import { joinedListOf } from "./joined-lists.ts";

/** The files that were put together, and what their entries are called. */
export type Compared = Pick<JoinedFiles, "joined" | "laid" | "globalSpan"> & Readonly<{ view: FileView }>;

/** Warns of each route that demands less of its clients than it would without what is laid over the parts. */
export function findOpenedLocks(before: Configuration, after: Configuration, compared: Compared): readonly Finding[] {
  if (before === after) return [];
  // Behind the written routes stand the dynamic ones.
  const items = ["Routes", "DynamicRoutes"].flatMap(
    (name) => compared.joined.lists.get(joinedListOf(name)!)?.items ?? [],
  );
  return [...findOpenServices(before, after, compared), ...findOpenRoutes(before, after, { compared, items })];
}

/** What lets clients reach services that no route names. */
function findOpenServices(before: Configuration, after: Configuration, { globalSpan }: Compared): readonly Finding[] {
  if (allowsAnyService(before.routes, before.global) || !allowsAnyService(after.routes, after.global)) return [];
  const message =
    'with what is laid over it "AllowAnyService" opens all services of the registry that no route names; if that is not meant, take it back here';
  return [{ code: "lock-opened", path: "", message, span: { ...globalSpan, end: globalSpan.start + 1 } }];
}

type ComparedItems = Readonly<{ compared: Compared; items: readonly JsonNode[] }>;

function findOpenRoutes(
  before: Configuration,
  after: Configuration,
  { compared, items }: ComparedItems,
): readonly Finding[] {
  return before.routes.flatMap((route, index): Finding[] => {
    const item = items[index];
    const now = after.routes[index];
    if (now === undefined || item === undefined) return [];
    const demanded = findDemands(now, after.global);
    const lost = findDemands(route, before.global).filter((demand) => !demanded.includes(demand));
    if (lost.length === 0) return [];
    const name = compared.view.itemOf(item, index).name;
    const found = `${name} demands ${lost.join(", ")}, and no longer with what is laid over it`;
    const message = `${found}: whoever could not come in before can now; if that is not meant, take it back here`;
    return [{ code: "lock-opened", path: "", message, span: openedAt(item, lost, compared) }];
  });
}

/** Where the overlay takes the lock: in the entry for the route if that speaks of it, else in what it says for all. */
function openedAt(item: object, lost: readonly string[], { laid, globalSpan }: Compared): Span {
  const above = laid.get(item);
  const speaks = above !== undefined && lost.some((lock) => findMemberNode(above, lock) !== undefined);
  const { start } = speaks || globalSpan.start < 0 ? (above?.span ?? globalSpan) : globalSpan;
  return { start, end: start + 1 };
}
