/** The ports that gateway.json, the README and the start page speak of. */
export const usualPorts = {
  gateway: 8080,
  naming: 19081,
  downstream: 19082,
  secondDownstream: 19083,
  identity: 19084,
  registry: 19085,
} as const;

/** Which part of the example listens at which port. */
export type Ports = Readonly<Record<keyof typeof usualPorts, number>>;

const variables: Readonly<Record<keyof Ports, string>> = {
  gateway: "PORT",
  naming: "NAMING_PORT",
  downstream: "DOWNSTREAM_PORT",
  secondDownstream: "SECOND_DOWNSTREAM_PORT",
  identity: "IDENTITY_PORT",
  registry: "REGISTRY_PORT",
};

const listeners: Readonly<Record<keyof Ports, string>> = {
  gateway: "the gateway",
  naming: "the naming service",
  downstream: "the downstream service",
  secondDownstream: "the second downstream service",
  identity: "the OpenID provider",
  registry: "the registry",
};

const highestPort = 65_535;

/** Something that the person at the terminal can put right: shown as it is, without a stack. */
export class StartProblem extends Error {}

/** The ports to listen at: the usual ones unless the environment says otherwise; 0 takes a free one. */
export function readPorts(environment: Readonly<Record<string, string | undefined>>): Ports {
  const names = Object.keys(usualPorts) as (keyof Ports)[];
  return Object.fromEntries(names.map((name) => [name, readPort(name, environment[variables[name]])])) as Ports;
}

function readPort(name: keyof Ports, text: string | undefined): number {
  if (text === undefined || text === "") return usualPorts[name];
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= highestPort) return port;
  throw new StartProblem(
    `${variables[name]}=${text} is no port. Expected a whole number from 0 to ${highestPort}, such as ${usualPorts[name]}.`,
  );
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "something else listens there",
  EACCES: "this user may not listen there",
};

/** What a failed listen means to the person at the terminal. */
export function explainListenFailure(name: keyof Ports, port: number, error: unknown): unknown {
  const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""];
  if (reason === undefined) return error;
  const other = name === "gateway" ? 8090 : port + 10_000;
  return new StartProblem(
    `Port ${port} for ${listeners[name]} cannot be used: ${reason}.\n` +
      `Stop that program, or take another port: ${variables[name]}=${other > highestPort ? 0 : other} npm start`,
  );
}
