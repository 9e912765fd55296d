import { ConfigError } from "../src/index.ts";
import { readPorts, StartProblem } from "./ports.ts";
import { type Example, startExample } from "./start-example.ts";
import { curlLine } from "./start-page/curl-line.ts";

/** Three requests for the terminal. */
const tries = [
  { path: "/catalog/42" },
  { path: "/accounts/900?PartitionKind=Int64Range&PartitionKey=900" },
  { path: "/admin/users", headers: { "X-Roles": "support" } },
];

try {
  const example = await startExample(readPorts(process.env), process.env.LISTEN_HOST);
  process.once("SIGINT", () => void stop(example));
  process.once("SIGTERM", () => void stop(example));
  console.log(welcome(example));
} catch (error) {
  console.error(error instanceof StartProblem || error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

function welcome({ pageUrl, gatewayUrl, inspectorLink }: Example): string {
  const lines = tries.map((request) => `  ${curlLine({ ...request, shows: "" }, gatewayUrl)}`);
  return [
    "",
    `The gateway runs. Open ${pageUrl} or try:`,
    "",
    ...lines,
    "",
    `Who asks for what: ${inspectorLink}`,
    "",
    "Ctrl+C stops it.",
    "",
  ].join("\n");
}

async function stop(example: Example): Promise<void> {
  console.log("\nStopping …");
  await example.close();
  console.log("Stopped.");
}
