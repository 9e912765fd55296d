import { goesToNamingService, providerOf } from "../../discovery/provider-of.ts";
import { isSecure } from "../../urls/schemes.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule } from "./rule.ts";

/** Warns loudly where the certificate of the downstream is not verified. */
export const warnOfCertificates: ConfigRule = function* warnOfCertificates({ routesAskingFor, global, report }) {
  for (const { config, place } of routesAskingFor("DangerousAcceptAnyServerCertificateValidator")) {
    yield;
    const isNamed = goesToNamingService(config, global.config);
    const ofProvider = isNamed ? providerOf(config, global.config)?.Scheme : undefined;
    const schemes = [config.DownstreamScheme ?? global.config.DownstreamScheme, ofProvider];
    if (config.DangerousAcceptAnyServerCertificateValidator !== true || !schemes.some(isSecure)) continue;
    const at = locate(place, ["DangerousAcceptAnyServerCertificateValidator"]);
    const remedy = 'trust its certificate authority instead: "Tls": { "Ca": "ca.pem" }';
    const found = "ANY certificate of the downstream is accepted, an attacker's included";
    report("certificate-unverified", at, `${found}; ${remedy}`);
  }
};
