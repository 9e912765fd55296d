import { readAddressRule } from "../../addresses/address-rule.ts";
import { writtenTypes } from "../../capabilities/service-discovery/provider-keys.ts";
import { closestName } from "../../closest-name.ts";
import { isKubernetes, isNamingService, providerOf, usualType } from "../../discovery/provider-of.ts";
import { providerTypes } from "../../discovery/usual-ports.ts";
import { isAskable } from "../../discovery/service.ts";
import { isEmptyNode, quote } from "../../json/json-node.ts";
import { findMember, locate, type Place } from "../../json/place.ts";
import { allowsAnyService } from "../dynamic-routes.ts";
import { adviceForUrl } from "../read/provider-url.ts";
import type { ConfigRule, GlobalEntry, Rulebook } from "./rule.ts";
import { isHostName, reportHostName } from "./host-names.ts";

type Provider = NonNullable<GlobalEntry["config"]["ServiceDiscoveryProvider"]>;

/** A provider that was read, how routes name it, and where it stands. */
type ProviderEntry = Readonly<{ name: string | undefined; config: Provider; place: Place }>;

const useHosts = 'write the hosts of each service into "DownstreamHostAndPorts", and remove "ServiceName"';

/** The providers of a configuration: that of all routes has no name. */
function providersIn({ config, place }: GlobalEntry): readonly ProviderEntry[] {
  const { ServiceDiscoveryProvider: usual, Providers = {} } = config;
  const own = usual === undefined ? [] : [{ name: undefined, config: usual, place: locate(place, [usualKey]) }];
  const named = Object.entries(Providers).map(([name, provider]) => {
    return { name, config: provider, place: locate(place, ["Providers", name]) };
  });
  return [...own, ...named];
}

const usualKey = "ServiceDiscoveryProvider";

/** Each provider stands at a host, and is asked by a route. */
export const checkProviders: ConfigRule = function checkProviders({ routes, endpoints, global, report }) {
  const isOpen = allowsAnyService(
    routes.map(({ config }) => config),
    global.config,
  );
  const findsDocuments = endpoints.some(({ config }) => namesService(config));
  for (const { name, config, place } of providersIn(global)) {
    const isAsked = routes.some(({ config: route }) => {
      return route.ServiceName !== undefined && route.ServiceProvider === name;
    });
    const isAskedByClients = isOpen && name === undefined;
    const isUnused = routes.length > 0 && !isAsked && !isAskedByClients;
    if (isUnused) reportUnused(name, place, report);
    // Where it stands matters to nobody who never asks it.
    if (!isUnused || findsDocuments) {
      checkHost(config, locate(place, ["Host"]), report);
      checkUsualNamespace(config, locate(place, ["Namespace"]), report);
    }
    checkAddresses(config, place, report);
    if (config.ConfigurationKey !== undefined) reportConfigurationKey(place, report);
  }
};

function reportUnused(name: string | undefined, place: Place, report: Rulebook["report"]): void {
  const key = name === undefined ? "" : `, and "ServiceProvider": ${quote(name)},`;
  const remedy = `remove it, or say which service with "ServiceName"${key} on a route`;
  const found = name === undefined ? 'no route has a "ServiceName"' : "no route names it";
  report("provider-unused", place, `${found}, so nobody asks this provider: ${remedy}`);
}

/** Whether a document is asked of an instance that the provider finds. */
function namesService({ Config }: Rulebook["endpoints"][number]["config"]): boolean {
  const documents: readonly (NonNullable<typeof Config>[number] | undefined)[] = Config ?? [];
  // An entry that is no object was reported when it was read.
  return documents.some((document) => document?.Service !== undefined);
}

function checkHost(config: Provider, place: Place, report: Rulebook["report"]): void {
  const { Host: host } = config;
  if (host !== undefined && !isHostName(host)) reportHostName(host, place, report, adviceForUrl(config));
}

function checkAddresses({ AllowAddresses = [] }: Provider, place: Place, report: Rulebook["report"]): void {
  for (const [index, text] of AllowAddresses.entries()) {
    if (readAddressRule(text) !== undefined) continue;
    const expected = "expected an address, a network such as 169.254.10.0/24, or a range";
    report("address-invalid", locate(place, ["AllowAddresses", index]), `${expected}, found ${quote(text)}`);
  }
}

function reportConfigurationKey(place: Place, report: Rulebook["report"]): void {
  const found = "a configuration in Consul's key store is not read, so its routes and locks would be missing";
  const remedy = "write it into the file, and remove this key";
  report("configuration-elsewhere", locate(place, ["ConfigurationKey"]), `${found}: ${remedy}`);
}

/** Where no route is written, the services that clients may reach are listed: otherwise all of a registry would be open. */
export const requireDynamicRoutes: ConfigRule = function requireDynamicRoutes({ routes, global, report }) {
  const provider = global.config.ServiceDiscoveryProvider;
  if (routes.length > 0 || provider === undefined) return;
  if (provider.AllowAnyService === true && !isNamingService(provider)) return;
  const found = "without routes the first segment of a path is a service, and none is listed that clients may reach";
  const open = isNamingService(provider)
    ? ""
    : ', or "AllowAnyService": true to this provider if all of them may be reached';
  const message = `${found}: add "DynamicRoutes": [{ "ServiceName": "orders" }]${open}`;
  report("dynamic-routes-missing", locate(global.place, [usualKey]), message);
};

/** A service is found by a provider, and a registry is asked for names that it cannot misread. */
export const checkServices: ConfigRule = function* checkServices({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("ServiceName")) {
    yield;
    const { ServiceName: service, ServiceNamespace: namespace } = config;
    if (service === undefined) continue;
    checkNamespace(namespace, locate(place, ["ServiceNamespace"]), report);
    const provider = providerOf(config, global.config);
    if (provider === undefined) reportMissing({ config, place }, global, report);
    else if (!isNamingService(provider)) checkName(service, locate(place, ["ServiceName"]), report);
  }
};

function checkName(service: string, place: Place, report: Rulebook["report"]): void {
  if (!/[{}]/.test(service)) {
    if (!isAskable(service.trim())) report("service-name-invalid", place, nameFault(service));
    return;
  }
  const found = `with values of clients in ${quote(service)} they could reach any service of the registry`;
  const remedy = 'write a route for each service, or list the services in "DynamicRoutes"';
  report("service-name-open", place, `${found}: ${remedy}`);
}

function checkNamespace(namespace: string | undefined, place: Place, report: Rulebook["report"]): void {
  if (namespace === undefined || isAskable(namespace.trim())) return;
  report("service-name-invalid", place, nameFault(namespace));
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Kubernetes is asked for services of this namespace as it is written; no other registry reads it. */
function checkUsualNamespace(
  { Type = usualType, Namespace: namespace }: Provider,
  place: Place,
  report: Rulebook["report"],
): void {
  if (!isKubernetes(Type)) return checkNamespace(namespace, place, report);
  if (namespace === undefined || dnsLabel.test(namespace)) return;
  const expected = 'expected a namespace of Kubernetes, which has small letters, digits and "-", up to 63 characters';
  report("service-name-invalid", place, `${expected}, found ${quote(namespace)}`);
}

function nameFault(name: string): string {
  return `expected a name of letters, digits, "-", "_" and single dots, up to 253 characters, found ${quote(name)}`;
}

type Asking = Pick<Rulebook["routes"][number], "config" | "place">;

function reportMissing({ config, place }: Asking, global: GlobalEntry, report: Rulebook["report"]): void {
  const { ServiceProvider: name } = config;
  if (name !== undefined) {
    const names = Object.keys(global.config.Providers ?? {});
    const known = names.length === 0 ? "and there are none" : `which has ${names.map(quote).join(", ")}`;
    const message = `${quote(name)} is no provider of "Providers", ${known}: add it, or correct the name`;
    report("provider-missing", locate(place, ["ServiceProvider"]), message);
    return;
  }
  const written = findMember(global.place, usualKey)?.node;
  // A provider that is no object was reported when it was read.
  if (written !== undefined && written.kind !== "object" && !isEmptyNode(written)) return;
  const advice = providerAdvice(global.place);
  const message = `a ServiceName needs a provider that finds services, and there is none: ${advice}`;
  report("provider-missing", locate(place, ["ServiceName"]), message);
}

function providerAdvice(global: Place): string {
  if (findMember(global.parent ?? global, usualKey) !== undefined) {
    return 'that on the top level belongs into "GlobalConfiguration"';
  }
  const add = `add "${usualKey}": { "Type": … } to "GlobalConfiguration", with one of ${typeNames.join(", ")}`;
  return `${useHosts}, or ${add}`;
}

const typeNames = Object.keys(providerTypes);

/** Warns of types that only code can supply: without it, such a gateway does not start. */
export const warnOfUnknownTypes: ConfigRule = function warnOfUnknownTypes({ global, report }) {
  for (const { config, place } of providersIn(global)) {
    const { Type = usualType } = config;
    if (typeNames.includes(Type)) continue;
    const closest = closestName(Type, writtenTypes);
    const hint = closest === undefined ? "" : ` – did you mean ${quote(closest)}?`;
    const finder =
      'a finder of this name in the option "discovery" of createGateway(), without which it does not start';
    const remedy = `correct it, or pass ${finder}`;
    const message = `the gateway itself knows ${typeNames.join(", ")}, and not ${quote(Type)}: ${remedy}${hint}`;
    report("provider-unknown", locate(place, ["Type"]), message);
  }
};
