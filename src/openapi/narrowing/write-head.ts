import { isObject, listOf, type JsonObject } from "../../json/json-object.ts";
import type { OpenApiDocument } from "../reading/read-document.ts";
import { formatServer, type ServerAddress } from "../servers.ts";
import type { Steps } from "../../time-slices.ts";
import { withAllDigits } from "../../with-all-digits.ts";
import { copyAll, type CopyShape } from "../shapes/copy-shape.ts";

/** What a document says besides its operations. */
type HeadSettings = Readonly<{
  copy: CopyShape;
  /** What people call the document. */
  name: string;
  documentVersion: string;
  server: ServerAddress;
  keepsServers: boolean;
  /** Whether a tag belongs to the document. */
  hasTag: (name: string) => boolean;
}>;

/** Writes what a document says of itself, and where its operations are. */
export function* writeHead({ root, version }: OpenApiDocument, settings: HeadSettings): Steps<JsonObject> {
  const { copy, name, documentVersion, hasTag } = settings;
  const tags = listOf(root.tags).filter((tag) => isObject(tag) && typeof tag.name === "string" && hasTag(tag.name));
  const mark = version === "2.0" ? { swagger: "2.0" } : { openapi: root.openapi };
  const info = { title: name, version: documentVersion, ...((yield* copy(root.info, "info")) as object | undefined) };
  return {
    ...mark,
    info,
    ...(version === "2.0" ? address2(root, settings) : { servers: yield* servers3(root, settings) }),
    ...(tags.length === 0 ? {} : { tags: yield* copyAll(tags, "tag", copy) }),
    ...present("externalDocs", yield* copy(root.externalDocs, "externalDocs")),
  };
}

function address2(root: JsonObject, { server, keepsServers }: HeadSettings): JsonObject {
  const { consumes, produces, host, schemes, basePath } = root;
  const media = { ...texts("consumes", consumes), ...texts("produces", produces) };
  if (keepsServers) {
    return { ...text("host", host), ...text("basePath", basePath), ...texts("schemes", schemes), ...media };
  }
  const { path, host: ownHost, scheme } = server;
  return {
    ...present("host", ownHost),
    basePath: path === "" ? "/" : path,
    ...(scheme === undefined ? {} : { schemes: [scheme] }),
    ...media,
  };
}

// A merged document may repeat them at each of its operations.
const longestServers = 2_000;

function* servers3(root: JsonObject, { copy, server, keepsServers }: HeadSettings): Steps<readonly unknown[]> {
  const kept = keepsServers ? yield* copyAll(listOf(root.servers), "server", copy) : [];
  const isUsable = kept.length > 0 && JSON.stringify(kept, withAllDigits).length <= longestServers;
  return isUsable ? kept : [{ url: formatServer(server) }];
}

function present(name: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function text(name: string, value: unknown): JsonObject {
  return typeof value === "string" ? { [name]: value } : {};
}

function texts(name: string, value: unknown): JsonObject {
  const list = listOf(value);
  return list.length > 0 && list.every((item) => typeof item === "string") ? { [name]: list } : {};
}
