import { readdirSync } from "node:fs";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

/** The rooms of the house, from the ground up. A room uses the rooms below its own floor; types may come from anywhere. */
const floors = [
  ["dotnet", "logging", "schema", "urls"],
  ["capabilities/limits", "capabilities/request-ids", "hosts", "identity", "json", "templates", "unattended"],
  [
    "addresses",
    "bodies",
    "capabilities/http-handler",
    "capabilities/timeouts",
    "capabilities/tls",
    "options",
    "routing",
    "simulator",
  ],
  ["asking"],
  ["discovery", "headers", "stores"],
  ["answers", "capabilities/load-balancing", "capabilities/naming-service", "capabilities/retry"],
  ["forwarding", "secrets"],
  ["aggregates", "openapi", "pages", "capabilities/metadata", "capabilities/websockets", "observing", "responders"],
  ["admission", "config"],
  ["compiling", "exchange"],
  ["explain", "operating"],
  ["inspector", "openapi-pages"],
  ["cli"],
];

const gatewaysFloor = floors.findIndex((rooms) => rooms.includes("inspector"));

const capabilities = readdirSync("src/capabilities", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `capabilities/${name}`);

/** What stands on its own floor or higher is beyond a room; a capability that has no floor has only the gateway above. */
function higherThan(room) {
  const height = floors.findIndex((rooms) => rooms.includes(room));
  const others =
    height === -1 ? [] : [...floors[height], ...floors.slice(height + 1).flat()].filter((other) => other !== room);
  const message = `src/${room}/ uses the rooms below it only: see docs/architecture.md.`;
  const gateway = {
    regex: "^(\\.\\./)+(gateway|index)\\.ts$",
    message: "The gateway uses the rooms, never the other way round.",
  };
  return [...forbid(others, message), ...(height < gatewaysFloor ? [{ ...gateway, allowTypeImports: true }] : [])];
}

/** What two capabilities share is a mechanism, which has a room of its own below them. */
function otherCapabilities(room) {
  if (!capabilities.includes(room)) return [];
  const others = capabilities.filter((other) => other !== room);
  return forbid(others, "A capability uses mechanisms, never another capability: see docs/architecture.md.");
}

function forbid(rooms, message) {
  if (rooms.length === 0) return [];
  const names = rooms.map((room) => room.replace("capabilities/", "(capabilities/)?")).join("|");
  return [{ regex: `^(\\.\\./)+(${names})/`, allowTypeImports: true, message }];
}

const floorBoundaries = [...new Set([...floors.flat(), ...capabilities])].map((room) => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    "@typescript-eslint/no-restricted-imports": [
      "error",
      { patterns: [...higherThan(room), ...otherCapabilities(room)] },
    ],
  },
}));

const unguarded = "Nobody stands above a listener or a timer: attach it by the functions of src/unattended/guarded.ts.";

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
  ...floorBoundaries,
  {
    files: ["src/**/*.ts"],
    ignores: ["src/unattended/guarded.ts"],
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
