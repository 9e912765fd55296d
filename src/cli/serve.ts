import { defineCommand } from "./command.ts";
import { configOptions } from "./config-options.ts";
import { readServeSettings, standardDrainDelay } from "./serve/settings.ts";
import { chooseThreads } from "./serve/dns-threads.ts";

/** `waymark serve`: the whole gateway without writing code. */
export const serve = defineCommand({
  name: "serve",
  summary: "Run a gateway from a configuration",
  usage: "<file|folder> [more files]",
  positionals: { least: 1, most: Infinity },
  options: {
    port: { type: "string", short: "p", value: "number", default: "8080", description: "Port to listen on; 0 for any" },
    host: {
      type: "string",
      value: "address",
      default: "127.0.0.1",
      description: "Address to listen on; 0.0.0.0 or :: for requests from elsewhere",
    },
    watch: {
      type: "boolean",
      short: "w",
      description: "Reload when a file of the configuration, or a certificate, changes",
    },
    workers: {
      type: "string",
      value: "number",
      default: "1",
      description: "Processes to share the work; auto for one a core",
    },
    redis: {
      type: "string",
      value: "url",
      description: "Count requests in this Redis, together with other machines; a password as ${NAME}, with --env",
    },
    engine: {
      type: "string",
      choices: ["http-proxy-middleware", "undici"],
      default: "http-proxy-middleware",
      value: "name",
      description: "What sends the requests; undici is faster and has to be installed",
    },
    metadata: {
      type: "string",
      choices: ["header", "json"],
      value: "where",
      description:
        "Tell clients the metadata of the route, but no key that looks like a secret, in a header; with json also around JSON bodies",
    },
    health: {
      type: "string",
      value: "paths",
      description: "Answer health checks, e.g. /healthz,/readyz: whether it lives, whether it takes requests",
    },
    "drain-delay": {
      type: "string",
      value: "seconds",
      description: `With --health: how long readiness fails after SIGTERM before requests are refused; ${standardDrainDelay} by default`,
    },
    grace: {
      type: "string",
      value: "seconds",
      default: "10",
      description: "How long running requests may take to end when it stops",
    },
    "trust-proxy": {
      type: "string",
      value: "who",
      description: "Whose X-Forwarded-* are believed: a number of hops, or addresses such as loopback,10.0.0.0/8",
    },
    inspect: {
      type: "boolean",
      description: "Show the inspector at /_gateway, to this machine only; stderr has the link that opens it",
    },
    openapi: {
      type: "boolean",
      description: "Show the OpenAPI documents of the services at /swagger, with a page that tries requests",
    },
    "openapi-anonymous": {
      type: "boolean",
      description: "With --openapi: let anybody read them, also where all routes are locked",
    },
    log: {
      type: "string",
      choices: ["requests", "events", "none"],
      default: "requests",
      value: "what",
      description: "JSON lines on stdout: one for each request and event, or events only",
    },
    "log-identity": {
      type: "boolean",
      description: "Let the lines of requests say who was let in: scheme and pseudonym",
    },
    ...configOptions,
  },
  examples: [
    { line: "waymark serve gateway.json --watch", explanation: "at http://localhost:8080, reloading as you edit" },
    {
      line: "waymark serve gateway.json --host 0.0.0.0 --workers auto --engine undici --health /healthz,/readyz --env",
      explanation: "in a container: all cores, health checks, variables from the environment",
    },
    { line: "kill -HUP <process id>", explanation: "read the file anew, without losing a request" },
  ],
  async run(values, paths, io) {
    const settings = readServeSettings(values, paths, io);
    chooseThreads();
    // What the gateway is made of takes a moment to load, and no other command needs it.
    const { runService } = await import("./serve/run-service.ts");
    return runService(settings, io);
  },
});
