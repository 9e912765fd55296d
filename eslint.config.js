import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** Each folder uses what stands below it. The stages do not use each other. */
const layers = [
  { shared: true, folders: ["answer", "dotnet", "free-bodies", "options", "secrets", "template"] },
  { folders: ["config", "match", "metadata", "observe", "proxy", "respond", "simulator", "upgrade"], apart: true },
  { folders: ["flow", "generation"] },
  { folders: ["explain", "watch"] },
  { folders: ["inspector"] },
  { folders: ["cli"] },
];

const layerBoundaries = layers.slice(0, -1).flatMap(({ folders, apart, shared }, height) => {
  const above = layers.slice(height + 1).flatMap((layer) => layer.folders);
  return folders.map((folder) => {
    const forbidden = [...above, ...(apart ? folders.filter((other) => other !== folder) : [])];
    return {
      files: [`src/${folder}/**/*.ts`],
      rules: {
        "@typescript-eslint/no-restricted-imports": [
          "error",
          {
            patterns: [
              {
                regex: `^(\\.\\./)+(${forbidden.join("|")})/`,
                allowTypeImports: shared ?? false,
                message: `src/${folder}/ uses what stands below it only, and no other stage: see docs/architecture.md.`,
              },
              {
                regex: "^(\\.\\./)+(gateway|index)\\.ts$",
                allowTypeImports: height > 2,
                message: "The gateway uses the folders, never the other way round.",
              },
            ],
          },
        ],
      },
    };
  });
});

const unguarded = "Nobody stands above a listener or a timer: attach it by the functions of src/guarded.ts.";

export default defineConfig(
  { ignores: ["dist/", "node_modules/", "coverage/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-dynamic-delete": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      // Types are structural here; errors of a kind are told apart by their code.
      "@typescript-eslint/no-unsafe-class-instance-assignment": "off",
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "max-lines": ["error", { max: 200, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 50, skipBlankLines: true, skipComments: true }],
      "max-depth": ["error", 3],
      "max-params": ["error", 4],
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
    },
  },
  ...layerBoundaries,
  {
    files: ["src/**/*.ts"],
    ignores: ["src/guarded.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask"].map((name) => ({
          name,
          message: unguarded,
        })),
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector:
            "CallExpression[callee.property.name=/^(on|once|addListener|prependListener|prependOnceListener|nextTick)$/]",
          message: unguarded,
        },
      ],
    },
  },
  {
    files: ["__tests__/**/*.ts", "bench/**/*.ts", "example-app/**/*.ts"],
    rules: {
      "@typescript-eslint/explicit-module-boundary-types": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-return": "off",
      "@typescript-eslint/require-await": "off",
      "@typescript-eslint/no-confusing-void-expression": "off",
    },
  },
);
