import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import ts from "typescript";
import { atTop } from "./docs/read-pages.ts";

const entries = [
  ["waymark", "src/index.ts"],
  ["waymark/undici", "src/undici.ts"],
  ["waymark/jwt", "src/jwt.ts"],
  ["waymark/redis", "src/redis.ts"],
  ["waymark/openapi", "src/openapi.ts"],
  ["waymark/prometheus", "src/prometheus.ts"],
  ["waymark/opentelemetry", "src/opentelemetry.ts"],
  ["waymark/simulator", "src/simulator/index.ts"],
] as const;

/** Options by the name of who takes them: the members of a type, or of a parameter. */
const optionTypes = [
  ["createGateway", "src/options/options.ts", "GatewayOptions"],
  ["createGateway limits", "src/capabilities/limits/route-limits.ts", "GatewayLimits"],
  ["parseConfig, loadConfig", "src/config/parse-options.ts", "ParseOptions"],
  ["loadConfig, watchConfig", "src/config/files/file-choice-options.ts", "FileChoice"],
  ["gateway.reload, watchConfig", "src/compiling/live.ts", "ReloadOptions"],
  ["watchConfig", "src/operating/watch-config.ts", "WatchOptions"],
  ["metadataHeader, metadataResponder", "src/responders/metadata-header.ts", "MetadataHeaderOptions"],
  ["metadataResponder", "src/responders/metadata-responder.ts", "MetadataResponderOptions"],
  ["inspector", "src/inspector/link-secret.ts", "InspectorOptions"],
  ["openApiDocuments", "src/openapi-pages/openapi-documents.ts", "OpenApiDocumentsOptions"],
  ["upgradeThrough", "src/capabilities/websockets/upgrade-through.ts", "upgradeThrough"],
  ["prometheusMetrics", "src/observing/prometheus.ts", "PrometheusOptions"],
  ["openTelemetry", "src/observing/opentelemetry.ts", "OpenTelemetryOptions"],
  ["undiciEngine", "src/forwarding/engines/undici.ts", "UndiciEngineOptions"],
  ["memoryStore", "src/stores/memory-store.ts", "MemoryStoreOptions"],
  ["redisStore", "src/stores/redis/redis-store.ts", "RedisStoreOptions"],
  ["jwtBearer", "src/jwt-bearer.ts", "JwtBearerOptions"],
  ["createNamingSimulator", "src/simulator/create-naming-simulator.ts", "NamingSimulatorOptions"],
] as const;

type Row = readonly [name: string, from: string];

function parseSource(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(atTop(path), "utf8"), ts.ScriptTarget.Latest, true);
}

function exportedNames(path: string): string[] {
  return parseSource(path)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause }) =>
      exportClause !== undefined && ts.isNamedExports(exportClause)
        ? exportClause.elements.map(({ name }) => name.text)
        : [],
    );
}

/** The members that a type itself, or a function in its parameters, writes down at the first level. */
function memberNames(path: string, name: string): string[] {
  const isDeclaration = (node: ts.Node): node is ts.TypeAliasDeclaration | ts.FunctionDeclaration =>
    (ts.isTypeAliasDeclaration(node) || ts.isFunctionDeclaration(node)) && node.name?.text === name;
  const declaration = parseSource(path).statements.find(isDeclaration)!;
  const types = ts.isTypeAliasDeclaration(declaration)
    ? [declaration.type]
    : declaration.parameters.map(({ type }) => type!);
  return types.flatMap(literalMembers);
}

function literalMembers(node: ts.Node): string[] {
  if (ts.isTypeLiteralNode(node)) return node.members.map((member) => member.name!.getText());
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children.flatMap(literalMembers);
}

function documentedRows(): Row[] {
  const lines = readFileSync(atTop("docs/api.md"), "utf8").split("\n");
  const cells = lines
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
  return cells.map(([, name = "", from = ""]) => [name.replaceAll("`", ""), from.replaceAll("`", "")]);
}

const title = ([name, from]: Row): string => `${name} (${from})`;

describe("docs/api.md", () => {
  test("lists every export and every option, and nothing else", () => {
    const exported = entries.flatMap(([entry, path]) => exportedNames(path).map((name): Row => [name, entry]));
    const options = optionTypes.flatMap(([taker, path, type]) =>
      memberNames(path, type).map((name): Row => [name, taker]),
    );
    expect(documentedRows().map(title).toSorted()).toEqual([...exported, ...options].map(title).toSorted());
  });

  test("holds one table", () => {
    const text = readFileSync(atTop("docs/api.md"), "utf8");
    expect(text.match(/^\| *:?-+/gm)).toHaveLength(1);
  });

  test("tells about every entry of the package", () => {
    const { exports } = JSON.parse(readFileSync(atTop("package.json"), "utf8")) as { exports: Record<string, unknown> };
    const modules = Object.keys(exports).filter((path) => !path.endsWith(".json"));
    expect(modules.map((path) => `waymark${path.slice(1)}`)).toEqual(entries.map(([entry]) => entry));
  });
});
