import { explainRequest } from "../explain/explain-request.ts";
import { maskByConfig } from "../explain/mask-by-config.ts";
import { printExplanation } from "../explain/print-explanation.ts";
import { defineCommand, exitCodes, UsageError } from "./command.ts";
import { configOptions, readConfig } from "./config-options.ts";

/** `waymark explain`: what the gateway would do with one request, and why. */
export const explain = defineCommand({
  name: "explain",
  summary: "Tell where a request would go, and why; nothing is sent",
  usage: "<gateway.json> <METHOD> <path>",
  positionals: { least: 3, most: 3 },
  options: {
    header: {
      type: "string",
      short: "H",
      multiple: true,
      value: "name: value",
      description: "A header of the request; may be given several times",
    },
    host: { type: "string", value: "host[:port]", description: "The Host header of the request; localhost by default" },
    mount: { type: "string", value: "path", description: "Where the gateway is mounted, for X-Forwarded-Prefix" },
    format: {
      type: "string",
      choices: ["text", "json"],
      default: "text",
      value: "format",
      description: "How to tell it",
    },
    ...configOptions,
  },
  examples: [
    {
      line: "waymark explain gateway.json GET /orders/7",
      explanation: "exits with 0 if it would be sent, with 1 if not",
    },
    {
      line: 'waymark explain gateway.json GET "/orders/7?full" --host shop.example -H "X-Tenant: blue"',
      explanation: "with what else decides about the route",
    },
  ],
  async run({ header = [], host, mount, format, ...values }, [file, method, path], io) {
    const config = await readConfig(file!, values, io);
    const asked = {
      method: method!.toUpperCase(),
      path: toRequestTarget(path!),
      host: host ?? hostIn(path!),
      headers: readHeaders(header),
      mountPath: mount,
    };
    const explanation = maskByConfig(config, explainRequest(config, asked));
    io.write(
      format === "json" ? `${JSON.stringify(explanation, undefined, 2)}\n` : printExplanation(explanation, io.style),
    );
    return explanation.forwarded === undefined ? exitCodes.problems : exitCodes.fine;
  },
});

const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

function readHeaders(lines: readonly string[]): Record<string, string[]> {
  const headers = Object.create(null) as Record<string, string[]>;
  for (const line of lines) {
    const [, name, value] = headerLine.exec(line) ?? [];
    if (name === undefined) throw new UsageError(`--header is "name: value", received ${JSON.stringify(line)}.`);
    (headers[name.toLowerCase()] ??= []).push(value!);
  }
  return headers;
}

/** The host of a whole URL. */
function hostIn(path: string): string | undefined {
  return /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i.exec(path)?.[1];
}

/** As a client sends it: what is no visible ASCII character is percent-encoded. */
function toRequestTarget(path: string): string {
  if (!path.startsWith("/") && !/^[a-z][a-z\d+.-]*:\/\//i.test(path)) {
    throw new UsageError(`The path begins with a slash, received ${JSON.stringify(path)}.`);
  }
  return path.replace(/[^!-~]+/g, (run) => encodeURIComponent(run.toWellFormed()));
}
