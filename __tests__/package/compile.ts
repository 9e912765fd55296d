import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import ts from "typescript";
import { atTop, type DocsPage } from "../docs/read-pages.ts";

/** Writes the TypeScript blocks of some pages below a folder, and returns their files. */
export async function writeBlocks(pages: readonly DocsPage[], folder: string): Promise<string[]> {
  const files = pages.flatMap(({ path, blocks }) =>
    blocks
      .filter(({ language, noRun }) => language === "ts" && noRun === undefined)
      .map(({ code, line }) => ({ file: join(folder, `${path}.${line}.mts`), code })),
  );
  for (const { file, code } of files) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  return files.map(({ file }) => file);
}

/** What the compiler says in a strict project: about its files, and about the libraries that they use. */
export type Complaints = Readonly<{ of: (files: readonly string[]) => string[]; ofLibraries: () => string[] }>;

// Large, and the same whatever we do.
const othersLibraries = /\/node_modules\/(@types\/node|undici-types|zod)\//;

/** Compiles files as a strict project that checks its libraries, too: ours, and those that ours uses. */
export function compile(files: readonly string[]): Complaints {
  const program = ts.createProgram(files, compilerOptions());
  const isLibrary = (file: ts.SourceFile): boolean =>
    file.isDeclarationFile && !program.isSourceFileDefaultLibrary(file) && !othersLibraries.test(file.fileName);
  return {
    of: (names) => names.flatMap((name) => complaintsAbout(program.getSourceFile(name)!)),
    ofLibraries: () => program.getSourceFiles().filter(isLibrary).flatMap(complaintsAbout),
  };

  function complaintsAbout(file: ts.SourceFile): string[] {
    const diagnostics = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return diagnostics.map(({ start = 0, messageText }) => {
      const { line } = file.getLineAndCharacterOfPosition(start);
      return `${file.fileName}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
  }
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(atTop("tsconfig.json"), (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, atTop("."));
  return { ...options, skipLibCheck: false, noUnusedLocals: false, noUnusedParameters: false };
}
