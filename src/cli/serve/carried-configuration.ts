import { packSources, type Sources, unpackSources } from "../../config/files/sources.ts";
import type { NamedFiles } from "../../named-files.ts";

/** All that a worker makes a configuration of: its texts, and the certificates and keys that it names. */
type Carried = Readonly<{ sources: Sources; files: NamedFiles }>;

/** One text for all of it. A worker that is started later has the same, whatever lies on the disk by then. */
export function packConfiguration({ sources, files }: Carried): string {
  const described = [...files].map(([path, bytes]) => [path, bytes.toString("base64")]);
  return `${JSON.stringify(described)}\n${packSources(sources)}`;
}

/** What was packed into a text. */
export function unpackConfiguration(packed: string): Carried {
  const end = packed.indexOf("\n");
  const described = JSON.parse(packed.slice(0, end)) as readonly (readonly [path: string, base64: string])[];
  const files = new Map(described.map(([path, base64]) => [path, Buffer.from(base64, "base64")]));
  return { files, sources: unpackSources(packed.slice(end + 1)) };
}
