import { answer, type ConformanceCase, forwarded, get, refused } from "../conformance-case.ts";

const name = "service-name-value";

/** Attacks on the way to the naming service. */
export const namingCases: readonly ConformanceCase[] = [
  forwarded("the name of a service is filled in", get("/svc/Shop/Orders/a/b"), "/Shop/Orders/a/b"),
  forwarded(
    "a partition is the client's to name",
    get("/shop/x?PartitionKind=Int64Range&PartitionKey=-1"),
    "/Shop/Orders/x?PartitionKind=Int64Range&PartitionKey=-1",
  ),
  forwarded(
    "a partition's key passes byte for byte",
    get("/shop/x?PartitionKey=%zz+%20&PartitionKey="),
    "/Shop/Orders/x?PartitionKey=%zz+%20&PartitionKey=",
  ),
  ...["%2F", "a%2Fb", "a%2fb", "a%5Cb", "a\\b", "a%3Fb", "a%23b", "a%252Fb", "%252e%252e", "a%2525b"].map((value) =>
    refused(`a value in the name: ${value}`, get(`/svc/${value}/Orders/x`), 400, name),
  ),
  ...["a%2Fb", "a%5cb", "a%3F", "a%23", "%252F"].map((value) =>
    refused(`a second value in the name: ${value}`, get(`/svc/Shop/${value}/x`), 400, name),
  ),
  ...["%2e%2e", "..", "%2e", ".", "..;x"].map((value) =>
    refused(`a dot segment in the name: ${value}`, get(`/svc/${value}/Orders/x`), 400, "path-dot-segment"),
  ),
  ...["a$b", "a+b", "a|b", "a~b", "a%24b", "a%2Bb", "a%7Cb", "a%7Eb", "$", "+"].map((value) =>
    refused(`the name is cut at ${value}`, get(`/deep/${value}/x`), 400, name),
  ),
  ...["a$b", "a+b", "a~b"].map((value) =>
    forwarded(`the first segments are not cut at ${value}`, get(`/svc/${value}/O/x`), `/${value}/O/x`),
  ),
  refused("a name as it is configured, with an empty segment", get("/empty/x"), 400, name),
  refused("a name as it is configured, cut at +", get("/late/x"), 400, name),
  forwarded("a name as it is configured, with a + where nothing is cut", get("/early/x"), "/Shop/a+b/x"),
  refused("part of a segment of the name", get("/part/a%2Fb/x"), 400, name),
  forwarded("part of a segment, harmless", get("/part/a.b/x"), "/Shop/Prea.b/x"),
  forwarded(
    "a dot segment made of a literal and a value is none",
    get("/part/../x".replace("..", "a..")),
    "/Shop/Prea../x",
  ),
  ...[
    "ServiceName=fabric:/Other/Svc",
    "a=1&ServiceName=fabric:/Other/Svc",
    "Service%4Eame=x",
    "%53erviceName=x",
    "ServiceName",
    "ServiceName=",
  ].map((query) => refused(`another service by ${query}`, get(`/shop/x?${query}`), 400, "service-name-parameter")),
  ...["servicename=x", "ServiceNames=x", "xServiceName=x", "a=ServiceName=x"].map((query) =>
    forwarded(`not that parameter: ${query}`, get(`/shop/x?${query}`), `/Shop/Orders/x?${query}`),
  ),
  ...[
    "PartitionKind=Named",
    "ListenerName=x",
    "TargetReplicaSelector=RandomReplica",
    "Timeout=1",
    "Partition%4Bind=x",
  ].map((query) =>
    refused(`a parameter that the route does not take: ${query}`, get(`/strict/x?${query}`), 400, "client-parameter"),
  ),
  ...["ServiceName", "Service%4eame"].map((key) =>
    refused(`another service by a name from the path: ${key}`, get(`/set/${key}/O`), 400, "service-name-parameter"),
  ),
  ...["Timeout", "Partition%4Bind"].map((key) =>
    refused(`a name from the path that the route does not take: ${key}`, get(`/set/${key}/5`), 400, "client-parameter"),
  ),
  ...["color", "PartitionKey", "servicename"].map((key) =>
    forwarded(`a name from the path: ${key}`, get(`/set/${key}/5`), `/Shop/Orders/set?${key}=5`),
  ),
  refused("a name from a query that is never UTF-8", get("/service?svc=%c0%af"), 400, "path-escape"),
  refused("a name from a query with a control character", get("/service?svc=a%00"), 400, name),
  forwarded(
    "a parameter that the route takes",
    get("/strict/x?PartitionKey=1&other=2"),
    "/Shop/Orders/x?PartitionKey=1&other=2",
  ),
  forwarded("the rest of the path cannot change the name", get("/shop/a%2Fb$c|d"), "/Shop/Orders/a%2Fb$c|d"),
  refused("the rest of the path cannot leave it either", get("/shop/..%2f..%2fOther/Svc"), 400, "path-dot-segment"),
  {
    name: "the naming service's answer is passed on as it is, and not asked for again",
    send: get("/shop/x"),
    upstream: answer("404 FABRIC_E_SERVICE_DOES_NOT_EXIST", ["X-ServiceFabric: ResourceNotFound", "Content-Length: 0"]),
    reaches: [{ line: "GET /Shop/Orders/x HTTP/1.1" }],
    gets: [{ status: 404, has: { "x-servicefabric": "ResourceNotFound" }, body: "" }],
    staysOpen: true,
  },
];
