import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type CachedRoute, startCachedRoute } from "./cached-route.ts";

let route: CachedRoute;
beforeAll(async () => {
  route = await startCachedRoute();
});
afterAll(() => route.close());

/** How often the service is asked for each of these answers, one after the other. */
async function callsFor(name: string, values: readonly (string | undefined)[]): Promise<number> {
  const path = `/${name}/${values.join("-")}`;
  for (const value of values) await route.ask({ path, headers: value === undefined ? {} : { [name]: value } });
  return route.upstream.requests.filter(({ target }) => target === path).length;
}

describe("headers that tell who is asking", () => {
  test.each([
    ...["X-Userinfo", "X-Uid", "Uid", "X-Member-Id", "X-Consumer-Id", "X-Consumer-Username", "X-Amzn-Oidc-Data"],
    ...["X-Customer-Id", "X-Person-Id", "X-Employee-Id", "X-Patient-Id", "X-Profile-Id", "X-Caller-Id", "X-Guest-Id"],
    ...["X-Visitor-Id", "X-Player-Id", "X-Anonymous-Id", "X-CustomerId", "X_Customer_Id", "X-Customer-Name"],
    ...["X-On-Behalf-Of", "X-Act-As", "X-Run-As", "X-Impersonate", "Impersonate-User", "X-Impersonated-By"],
    ...["X-Role", "X-Roles", "X-Groups", "X-Permissions", "X-Authenticated-Groups", "X-Authenticated-Scope"],
    ...["X-Amzn-Oidc-Identity", "X-Subject", "X-Ssl-Subject", "X-Ssl-Client-Subject-Dn", "X-Tls-Client-Subject"],
    ...[
      "X-Oauth-Client",
      "X-Oauth2-Audience",
      "X-OauthGrant",
      "X-Group",
      "X-Group-Id",
      "X-Scope",
      "X-Scopes",
      "X-Admin",
    ],
    ...["X-Is-Admin", "X_Admin", "X-Sub", "X-Jwt-Claim-Sub", "X-Client-Id", "X-Actor", "X-Actor-Id"],
    ...["X-JSessionId", "X-PHPSESSID", "X-WebSession", "X-UserSession", "X-LoginName", "X-Logon-Name", "X-Upn"],
    ...["Eppn", "X-SamAccountName", "Smuser", "SM_USER", "X-Msisdn", "X-Impersonating", "X-Saml-Response"],
    ...["X-Spiffe-Id", "X-Entitlements", "X-Privileges", "X-Authorities", "X-Superuser", "X-Claims"],
    ...["X-Permission", "X-IsAdmin", "Authentication", "X-Authentication", "Sudo", "X-Sudo", "Sm-UniversalId"],
    ...["X-Hmac", "X-Pin", "X-Dn", "X-Ldap-Dn", "Oid", "X-Entra-Oid", "X-Kerberos", "X-Svid", "X-Acl"],
    ...["X-Access-Level", "X-Capabilities", "X-Clearance", "X-Owner-Id", "X-Requester-Id", "X-Staff-Id"],
  ])("nothing is given again to a request with %s", async (name) => {
    expect(await callsFor(name, ["ann", "ann"])).toBe(2);
  });

  test.each([
    ...["X-Fluid", "X-Subjective", "X-Membership", "X-Consumed", "X-Customer", "X-Visitor-Country", "X-Personal"],
    ...["X-Profile", "X-Act", "X-Group-By", "X-Controller", "X-Unauthenticated"],
    ...["X-Obsession-Free", "X-Claimed", "X-Authority-Zone", "X-Samlet-2", "X-Logonly"],
    ...["X-Pinned", "X-Dns", "X-Void", "X-Pseudo", "X-Access-Control", "X-Owner", "X-Staff"],
    ...["X-Administration", "X-Scoped", "X-Subtotal", "X-Factor", "X-Grouping", "X-Client-Idle", "Client-Name"],
    // Ocelot's name for a header by which rate limits count apps.
    "ClientId",
  ])("%s tells nobody's name", async (name) => {
    expect(await callsFor(name, ["ann", "ann"])).toBe(1);
  });
});

describe("headers that services take for the host, the scheme or the path", () => {
  test.each([
    ...["X-Http-Host", "X-Hostname", "X-Real-Host", "Disguised-Host", "X-Envoy-Original-Host"],
    ...["X-Proto", "Https", "X-Arr-Ssl", "Cf-Visitor", "Cloudfront-Forwarded-Proto", "Fastly-Ssl"],
    ...["X-Base-Url", "X-Replaced-Path", "X-Envoy-Original-Path", "X-Ms-Original-Url", "X-Waws-Unencoded-Url"],
    ...["X-Request-Uri", "X-Matched-Path"],
  ])("nobody gets what %s has got", async (name) => {
    expect(await callsFor(name, ["evil.test", undefined])).toBe(2);
    expect(await callsFor(name, ["evil.test", "evil.test"])).toBe(1);
  });
});
