import ts from "typescript";
import { atTop, type DocsPage } from "./read-pages.ts";

/** What the compiler says about the TypeScript blocks of some pages, as a user's strict project would show it. */
export function compileBlocks(pages: readonly DocsPage[]): string[] {
  const sources = new Map<string, string>();
  for (const { path, blocks } of pages) {
    for (const { language, code, line, noRun } of blocks) {
      if (language === "ts" && noRun === undefined) sources.set(atTop(`__tests__/${path}.${line}.mts`), code);
    }
  }
  const program = ts.createProgram([...sources.keys()], compilerOptions(), createHost(sources));
  return [...sources.keys()]
    .map((path) => program.getSourceFile(path)!)
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start, messageText }) => {
      const { line } = file!.getLineAndCharacterOfPosition(start!);
      const [, page, first] = /__tests__\/(.*)\.(\d+)\.mts$/.exec(file!.fileName)!;
      return `${page}:${Number(first) + line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(atTop("tsconfig.json"), (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, atTop("."));
  const paths = {
    waymark: ["./src/index.ts"],
    "waymark/undici": ["./src/undici.ts"],
    "waymark/prometheus": ["./src/prometheus.ts"],
    "waymark/opentelemetry": ["./src/opentelemetry.ts"],
    "waymark/simulator": ["./src/simulator/index.ts"],
  };
  return { ...options, paths, noUnusedLocals: false, noUnusedParameters: false };
}

function createHost(sources: ReadonlyMap<string, string>): ts.CompilerHost {
  const host = ts.createCompilerHost(compilerOptions());
  return {
    ...host,
    fileExists: (path) => sources.has(path) || host.fileExists(path),
    readFile: (path) => sources.get(path) ?? host.readFile(path),
    getSourceFile: (path, version, ...rest) => {
      const source = sources.get(path);
      return source === undefined
        ? host.getSourceFile(path, version, ...rest)
        : ts.createSourceFile(path, source, version);
    },
  };
}
