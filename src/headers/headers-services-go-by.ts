import { isProxysWord } from "./headers-only-proxies-may-say.ts";

const methodOverrides = [
  ...["x-http-method-override", "x-http-method", "x-method-override", "x-method"],
  ...["http-method-override", "x-rewrite-method"],
];

// By these proxies tell which method they were asked with, and some services believe them.
const toldMethods = ["", "x-"].flatMap((x) =>
  ["", "original-", "forwarded-"].flatMap((told) =>
    ["", "http-", "request-", "http-request-"].map((http) => `${x}${told}${http}method`),
  ),
);

/** Headers, by their plain names, that services, or libraries in them, take for the method, whoever sends them. */
export const methodHeaders: ReadonlySet<string> = new Set([...methodOverrides, ...toldMethods]);

/** Parameters that they take for it. */
export const methodParameters: readonly string[] = ["_method", ...methodOverrides];

const targetHeaders: ReadonlySet<string> = new Set([
  ...["x-host", "x-host-override", "x-http-host-override"],
  ...["front-end-https", "x-scheme", "x-url-scheme", "x-script-name"],
  ...["x-http-host", "x-hostname", "x-real-host", "disguised-host", "x-envoy-original-host"],
  ...["x-proto", "https", "x-arr-ssl", "cf-visitor", "cloudfront-forwarded-proto", "fastly-ssl"],
  ...["x-base-url", "x-replaced-path", "x-envoy-original-path", "x-ms-original-url", "x-waws-unencoded-url"],
  ...["x-request-uri", "x-matched-path"],
]);

// How proxies tell of a client's certificate.
const certificates =
  /^(?:x-)?(?:forwarded-|ssl-)?client-(?:cert|dn|verify|s-dn)|(?:^|-)(?:client)?cert(?:ificate)?(?:-|$)/;

// How proxies and clients tell who somebody is, or what he is known by since he came in.
const persons =
  /^from$|(?:^|-)(?:(?:user|account|(?:j|php|asp|net|web|app|user|login)?sess(?:ion)?|member|consumer|actor|log[io]n|sam-?account)(?:-?(?:id|name|info))?|[su]id|sub|subject|client-id|oidc|oauth[a-z\d]*|saml2?(?:response|assertion)?|e?mail|principal|identity|ticket|wsse|dpop|spiffe|svid|hmac|pin|kerberos|upn|eppn|oid|(?:ldap-)?dn|sm-?user|sm-?universalid|msisdn)(?:-(?!agent)|$)/;

// Words of other meanings, which tell somebody by an id or a name only.
const namedPersons =
  /(?:^|-)(?:customer|person|employee|patient|student|staff|citizen|profile|owner|caller|requester|viewer|operator|guest|visitor|player|anonymous)-?(?:id|name)(?:-|$)/;

// For whom somebody asks, and what that opens.
const rights =
  /(?:^|-)(?:on-behalf-of|(?:act|acting|run)-as|impersonat(?:e|ed|ing|or)|sudo|authenticat(?:ed|ion)|authorities|claims?|entitlements?|privileges?|roles?|group(?!-by(?:-|$))|groups|permissions?|scopes?|(?:is-?)?admin|superuser|acl|access-level|capabilit(?:y|ies)|clearance)(?:-|$)/;

/** Whether services take a header, by its plain name, for the host, the scheme or the path, whoever sends it. */
export function isTakenForTarget(plainName: string): boolean {
  return targetHeaders.has(plainName) || isProxysWord(plainName);
}

/** Whether services take a header, by its plain name, for who is asking, or for what he may. */
export function isTakenForIdentity(plainName: string): boolean {
  return [certificates, persons, namedPersons, rights].some((names) => names.test(plainName));
}

const addresses = /(?:^|-)(?:referr?er|ur[il]|path|target|location|destination|redirect|query(?:-?string)?)$/;

/** Whether a header, by its plain name, tells an address: that of the page before, or what was asked of somebody else. */
export function tellsAddress(plainName: string): boolean {
  return addresses.test(plainName);
}
