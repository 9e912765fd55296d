const metadata = '{"plugin1.enabled":"no","disableMetadataJson":"false","owner":"team-shop"}';
const order =
  '{"order":9007199254740993,"lines":[{"item":"teapot","price":24.90},{"item":"cup","price":6.50}],"note":"first","note":"last"}';
const wrapped = `{"Response": ${order}, "Metadata": ${metadata}}`;

/** What comes back for a request; `arrives` is what the service got. */
export type Expected = Readonly<{
  status: number;
  body?: string | RegExp;
  headers?: Record<string, string | undefined>;
  arrives?: string;
}>;

/** What a newcomer sees for each request of the page. */
export const expectations: Readonly<Record<string, Expected>> = {
  "GET /catalog/42": { status: 200, body: /Shop\/Catalog, instance [12]/, arrives: "GET /items/42" },
  "GET /catalog/books/poetry?page=2": { status: 200, arrives: "GET /items/books/poetry?page=2" },
  "GET /catalog": { status: 200, arrives: "GET /items" },
  "GET /accounts/42?PartitionKind=Int64Range&PartitionKey=42": {
    status: 200,
    body: /primary of 0 to 499/,
    arrives: "GET /accounts/42",
  },
  "GET /accounts/900?PartitionKind=Int64Range&PartitionKey=900": { status: 200, body: /primary of 500 to 999/ },
  "GET /accounts/42": { status: 400, body: "" },
  "GET /accounts/42?TargetReplicaSelector=RandomReplica": { status: 400, body: /"code":"client-parameter"/ },
  "GET /reports/2026/november.pdf": { status: 200, body: /a guest executable/, arrives: "GET /2026/november.pdf" },
  "GET /api/v1/status": { status: 200, body: /the old one/, arrives: "GET /status" },
  "GET /api/v2/status": { status: 200, body: /the new one/, arrives: "GET /status" },
  "GET /api/v3/status": { status: 404, body: "" },
  "GET /api/v2%2FAdmin/status": { status: 400, body: /"code":"service-name-value"/ },
  "GET /ticker": { status: 200, body: /"service":"Shop\/Ticker, a live service","count":\d+/, arrives: "GET /" },
  "GET /stock/7": { status: 200, body: /Stock, instance [123]/, arrives: "GET /items/7" },
  "GET /ratings/42?stars=5": { status: 200, body: /Ratings, the only instance/, arrives: "GET /42?stars=5" },
  "GET /orders/42": { status: 404, body: /no route of the gateway matches/ },
  "GET /catalog/specials": { status: 200, arrives: "GET /offers/today" },
  "GET /catalog/Specials": { status: 200, arrives: "GET /items/Specials" },
  "GET /search?q=tea%20pot&page=2": { status: 200, arrives: "GET /find?text=tea%20pot&from=gateway&page=2" },
  "GET /profile X-Tenant: acme": { status: 200, arrives: "GET /tenants/acme/profile" },
  "GET /whoami": { status: 200, headers: { "x-frame-options": "DENY" }, arrives: "GET /who/anybody" },
  "GET admin.localhost /whoami": { status: 200, arrives: "GET /who/the-administrator" },
  "GET /overview/42": {
    status: 200,
    body: /^\{"catalog":\{.*\},"turns":\{.*\},"html":"<!doctype html>.*"\}$/,
    headers: { "aggregate-status": '"catalog";status=200, "turns";status=200, "html";status=200' },
  },
  "GET /nowhere": { status: 404, body: /no route of the gateway matches/, headers: { "x-request-id": undefined } },
  "GET /turns": { status: 200, body: /the (?:first|second) host/, arrives: "GET /turns" },
  "GET /quota": { status: 200, headers: { "x-ratelimit-limit": "3" }, arrives: "GET /quota" },
  "GET /prices/tea": { status: 200, headers: { age: undefined }, arrives: "GET /prices/tea" },
  "POST /notes Content-Type: text/plain (8)": { status: 200, body: /"body":"Buy tea\."/, arrives: "PUT /notes/latest" },
  "POST /notes Content-Type: text/plain (180)": { status: 413, body: /"code":"body-too-large"/ },
  "GET /slow": { status: 504, body: /"code":"answer-timeout"/, arrives: "GET /slow" },
  "GET /members": {
    status: 401,
    body: /"code":"authentication-required"/,
    headers: { "www-authenticate": "Bearer" },
  },
  "GET /members as laura": { status: 200, body: /"headers":\{[^}]*"x-user":"laura"/, arrives: "GET /members" },
  "GET /members as tom": { status: 200, body: /"x-user":"tom"/ },
  "GET /members X-User: laura as tom": { status: 200, body: /"x-user":"tom"/ },
  "GET /ledger": { status: 401 },
  "GET /ledger as laura": { status: 200, arrives: "GET /ledger" },
  "GET /ledger as tom": { status: 403, body: /"code":"scope-missing"/ },
  "GET /desk": { status: 401 },
  "GET /desk as laura": { status: 403, body: /"code":"claim-refused"/ },
  "GET /desk as tom": { status: 200, arrives: "GET /desk" },
  "GET /partners": { status: 401 },
  "GET /partners X-Api-Key: tea-for-two": {
    status: 200,
    body: /"x-user":"teahouse","x-discount":"5"/,
    arrives: "GET /partners",
  },
  "GET /partners as laura": { status: 401 },
  "GET /admin/users": { status: 403, body: '{"error":"One of these roles is needed.","roles":["admin","support"]}' },
  "GET /admin/users X-Roles: support": { status: 200, arrives: "GET /admin/users" },
  "GET /plugins/lights": {
    status: 200,
    body: /"x-plugin-level":"3","x-plugin-tags":"blue green"/,
    headers: { "cache-control": "private, max-age=1500" },
    arrives: "GET /plugins/lights",
  },
  "GET /answers/json": {
    status: 200,
    body: wrapped,
    headers: { "gw-route-metadata": metadata, "x-answered-by-route": "json" },
  },
  "GET /answers/json-brotli": { status: 200, body: wrapped, headers: { "content-encoding": "identity" } },
  "GET /answers/json-gzip": { status: 200, body: wrapped, headers: { "content-encoding": "identity" } },
  "GET /answers/json-zstd": { status: 200, body: wrapped, headers: { "content-encoding": "identity" } },
  "GET /answers/json-deflate": {
    status: 200,
    headers: { "content-encoding": "deflate", "gw-route-metadata": metadata },
  },
  "GET /answers/json-as-it-is": {
    status: 200,
    headers: { "content-encoding": "gzip", "gw-route-metadata": metadata.replace("false", "true") },
  },
  "GET /answers/html": {
    status: 200,
    body: /^<!doctype html>/,
    headers: { "content-type": "text/html; charset=utf-8" },
  },
  "GET /answers/binary": {
    status: 200,
    headers: { "content-length": "256", "content-type": "application/octet-stream" },
  },
};
