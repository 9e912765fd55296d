import type { ConfigRule, Rulebook } from "../../config/rules/rule.ts";
import { locate, type Place } from "../../json/place.ts";
import type { TlsConfig } from "../../schema/tls-section.ts";

/** A client certificate needs its key. */
export const checkTls: ConfigRule = function* checkTls({ routesAskingFor, global, report }) {
  checkTlsPair(global.config.Tls, locate(global.place, ["Tls"]), report);
  const provider = global.config.ServiceDiscoveryProvider;
  checkTlsPair(provider?.Tls, locate(global.place, ["ServiceDiscoveryProvider", "Tls"]), report);
  for (const [name, { Tls }] of Object.entries(global.config.Providers ?? {})) {
    checkTlsPair(Tls, locate(global.place, ["Providers", name, "Tls"]), report);
  }
  for (const { config, place } of routesAskingFor("Tls")) {
    yield;
    if (config.Tls !== undefined) checkTlsPair(config.Tls, locate(place, ["Tls"]), report);
  }
};

function checkTlsPair(tls: TlsConfig | undefined, place: Place, report: Rulebook["report"]): void {
  if (tls === undefined || (tls.Cert === undefined) === (tls.Key === undefined)) return;
  const [there, lacking] = tls.Cert === undefined ? ["Key", "Cert"] : ["Cert", "Key"];
  report(
    "tls-incomplete",
    place,
    `${JSON.stringify(there)} needs ${JSON.stringify(lacking)}: a client certificate is both`,
  );
}
