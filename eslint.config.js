import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const stages = [
  "config",
  "match",
  "metadata",
  "proxy",
  "upgrade",
  "respond",
  "observe",
  "explain",
  "inspector",
  "simulator",
  "cli",
];

/** A stage may use what stands beside the stages, never another stage. The program uses all of them, and none uses it. */
const stageBoundaries = stages
  .filter((stage) => stage !== "cli")
  .map((stage) => ({
    files: [`src/${stage}/**/*.ts`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: `^(\\.\\./)+(${stages.filter((other) => other !== stage).join("|")})/`,
              message: `${stage} is a stage: it imports no other stage. What two stages share stands beside them in src/.`,
            },
            {
              regex: "^(\\.\\./)+(gateway|index)\\.ts$",
              message: "The flow imports the stages, never the other way round.",
            },
          ],
        },
      ],
    },
  }));

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
  ...stageBoundaries,
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
