import { dirname } from "node:path";
import { nowhere } from "../../json/json-node.ts";
import type { Steps } from "../../time-slices.ts";
import { conclude } from "../refuse-or-warn.ts";
import { type GatewayConfig, rememberDigest, rememberFiles } from "../gateway-config.ts";
import { keepSure, withoutUnset } from "../drop-unsure-findings.ts";
import { parseText } from "../parse-config.ts";
import { readerOptionsOf, substituteIn } from "../parse-options.ts";
import { type Finding, isError } from "../problems/problem-list.ts";
import { type Configuration, createConfigurationReader } from "../read/read-configuration.ts";
import { joinFiles, treesOf } from "./join-files.ts";
import { treeOf } from "./join-parts.ts";
import { judgeWholes, readAgain } from "./whole-file-beside-parts.ts";
import { type OpenFiles, openFiles } from "./open-files.ts";
import { findOpenedByOverlay } from "./opened-by-overlay.ts";
import type { LoadOptions } from "./read-sources.ts";
import { digestSources, isBlank, onlyFile, type SourceFile, type Sources } from "./sources.ts";
import { viewFiles } from "./view-files.ts";

/** Reads a configuration from all files that it is made of, in steps between which other work can be done. */
export function* parseSources(sources: Sources, options: LoadOptions): Steps<GatewayConfig> {
  const only = onlyFile(sources);
  const config = yield* only === undefined ? parseSeveral(sources, options) : parseOne(only, options);
  rememberDigest(config, digestSources(sources));
  rememberFiles(
    config,
    // One that holds nothing is as good as missing: locks that stood in it are not to get lost at a reload.
    sources.files.flatMap(({ path, text }) => (isBlank(text) ? [] : [path])),
  );
  return config;
}

function parseOne({ path, text }: SourceFile, options: LoadOptions): Steps<GatewayConfig> {
  return parseText({ text, directory: dirname(path) }, { ...options, file: options.file ?? path });
}

function* parseSeveral(sources: Sources, options: LoadOptions): Steps<GatewayConfig> {
  const secrets = new Set<string>();
  const open = yield* openFiles(sources, secrets, substituteIn(options, secrets));
  const found = yield* readAll(open, secrets, options);
  const passedOver = sources.passedOver.map(tellPassedOver);
  return yield* conclude({ ...found, findings: [...passedOver, ...found.findings] }, open.origin, options);
}

function* readAll(
  { files, findings, origin }: OpenFiles,
  secrets: ReadonlySet<string>,
  options: LoadOptions,
): Steps<Configuration> {
  const view = viewFiles(files, origin);
  const joining = yield* joinFiles(files, { view, secrets, environmentName: options.environmentName });
  const faults = files.flatMap((file) => file.faults);
  const variables = files.flatMap((file) => file.variables);
  const broken = [...faults, ...variables].map((fault): Finding => ({ ...fault, path: "" }));
  const isSound = broken.length === 0 && !joining.findings.some(isError);
  const root = treeOf(joining.joined, files[0]?.root?.span ?? nowhere);
  const reading = readerOptionsOf(options, view, secrets);
  const read = yield* createConfigurationReader(reading).readRest(root, isSound);
  const kept = yield* keepSure(withoutUnset(read.findings, variables), root, faults);
  const [overlays, wholes] = [treesOf("overlay", files), treesOf("whole", files)];
  const isCompared = isSound && overlays.length + wholes.length > 0;
  const base = isCompared ? yield* readAgain(treeOf(joining.beneath, nowhere), reading) : read;
  const compared = [
    ...findOpenedByOverlay(base, read, { ...joining, view }),
    ...(isCompared ? yield* judgeWholes(wholes, base, reading) : []),
  ];
  return { ...read, findings: [...findings, ...broken, ...joining.findings, ...kept, ...compared] };
}

function tellPassedOver(path: string): Finding {
  const message = `${JSON.stringify(path)} is not read: a part is called "ocelot.<name>.json"`;
  return { code: "file-passed-over", path: "", message, span: nowhere };
}
