import { afterEach, expect, test } from "@jest/globals";
import type { Service } from "../../src/simulator/index.ts";
import { ask, closeAll, deadUrl, startReplica, startSimulator } from "./network.ts";

afterEach(closeAll);

async function startCluster() {
  const replica = await startReplica("replica");
  const at = (name: string): Service => ({ kind: "guest", address: `${replica.url}/at/${name}/` });
  const services = {
    "App/Api": at("api"),
    "App/Api/Admin": at("admin"),
    "fabric:/Single": at("single"),
    "App/Mit Leerzeichen": at("blank"),
    "Other/Svc": at("other"),
  };
  return { ...(await startSimulator({ services })), arrivals: replica.arrivals };
}

test.each([
  ["/App/Api", "/at/api/", "the name alone is the service's root"],
  ["/App/Api/", "/at/api/", "a trailing slash belongs to the path"],
  ["/App/Api/a/b", "/at/api/a/b", "what follows the name is the path"],
  ["/App/Api/a/", "/at/api/a/", "the path keeps its trailing slash"],
  ["/App/Api/Admin/x", "/at/admin/x", "the longest name wins, whatever route was meant"],
  ["/App/Api/Admins/x", "/at/api/Admins/x", "names match whole segments"],
  ["/Single/x", "/at/single/x", "a name may have one segment; registered with its scheme it is the same"],
  ["/App%2FApi/x", "/at/api/App%2FApi/x", "%2F acts as a slash when resolving, but such a name is not cut off"],
  ["/%41pp/Api/x", "/at/api/%41pp/Api/x", "decoding is for resolution only"],
  ["/App/Mit%20Leerzeichen/x", "/at/blank/x", "a name is cut off in its escaped form"],
  ["/App/Api/x$y/z", "/at/api/x$y/z", "the segment with a reserved character is not looked up, but forwarded"],
  ["/App/Api/Admin+1/z", "/at/api/Admin+1/z", "the same for +"],
  ["/App/Api/Admin%7C/z", "/at/api/Admin%7C/z", "the same for an escaped |"],
  ["/App/Api/~/z", "/at/api/~/z", "the same for ~"],
  ["/App/Api//Admin/x", "/at/api//Admin/x", "resolution stops at an empty segment"],
  ["/App/Api/Admin///", "/at/admin///", "trailing slashes do not count for resolution"],
  ["/App/Api/%zz%/%", "/at/api/%zz%/%", "ill-formed escapes pass as they are"],
  ["/App/Api/%FF%c0", "/at/api/%FF%c0", "escapes that are no UTF-8 pass as they are"],
  ["/App/Api/../../Other/Svc/x", "/at/api/../../Other/Svc/x", "dot segments pass as they are"],
  ["http://elsewhere.test/App/Api/x", "/at/api/x", "an absolute target counts by its path"],
  ["/App/Api/x?a=1", "/at/api/x?a=1", "the query follows"],
  ["/App/Api?a=/App/Api/Admin", "/at/api/?a=/App/Api/Admin", "the query names no service"],
])("%s arrives as %s: %s", async (target, arrived) => {
  const { port, arrivals } = await startCluster();
  expect((await ask(port, target))?.status).toBe(200);
  expect(arrivals.map(({ url }) => url)).toEqual([arrived]);
});

test.each([
  ["/App/Api/x?ServiceName=fabric:/Other/Svc", "/at/other/App/Api/x", "the service sees the whole path"],
  ["/App/Api/x?ServiceName=fabric%3A%2FOther%2FSvc&a=1", "/at/other/App/Api/x?a=1", "the value is decoded"],
  ["/Other/Svc/x?ServiceName=fabric:/Other/Svc", "/at/other/x", "a matching name prefix is cut off"],
  ["/App/Api/x?ServiceName=fabric:/Other/Svc/deep", "/at/other/App/Api/x", "it is found by its longest prefix too"],
  ["/nobody?ServiceName=fabric:/Other/Svc", "/at/other/nobody", "the path need not name a service"],
  ["/App/Api/x?ServiceName=fabric:/No&ServiceName=fabric:/Other/Svc", "/at/other/App/Api/x", "the last one wins"],
  ["/App/Api/x?ServiceName=", "/at/api/x", "an empty one does not count, but is removed"],
  [
    "/App/Api/x?servicename=fabric:/Other/Svc",
    "/at/api/x?servicename=fabric:/Other/Svc",
    "the parameter's case counts",
  ],
])("ServiceName overrides the path: %s arrives as %s: %s", async (target, arrived) => {
  const { port, arrivals } = await startCluster();
  expect((await ask(port, target))?.status).toBe(200);
  expect(arrivals.map(({ url }) => url)).toEqual([arrived]);
});

test.each([
  ["/", 400, "FABRIC_E_INVALID_ADDRESS", "no name"],
  ["//App/Api", 400, "FABRIC_E_INVALID_ADDRESS", "an empty first segment"],
  ["/$/x", 400, "FABRIC_E_INVALID_ADDRESS", "nothing is left before the reserved character"],
  ["*", 400, "FABRIC_E_INVALID_ADDRESS", "no path"],
  ["/app/Api/x", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "names are case-sensitive"],
  ["/App", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "the application alone is no service"],
  ["/App/Ap", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "a part of a segment is no name"],
  ["/App/Api+/x", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "cut at the reserved character, only App is left"],
  ["/App/Api/x?ServiceName=fabric:/No/Such", 404, "FABRIC_E_SERVICE_DOES_NOT_EXIST", "the override counts"],
  ["/App/Api/x?ServiceName=Other/Svc", 400, "FABRIC_E_INVALID_ADDRESS", "an override needs its scheme"],
  ["/App/Api/x?ServiceName=fabric://Other", 400, "FABRIC_E_INVALID_ADDRESS", "names have no authority"],
  ["/App/Api/x?ServiceName=fabric:/Other/Svc/", 400, "FABRIC_E_INVALID_ADDRESS", "an override is not trimmed"],
  ["/App/Api/x?ServiceName=fabric:/Other%2BSvc", 400, "FABRIC_E_INVALID_ADDRESS", "an override is not cut"],
  ["/App/Api/x?Timeout=", 400, "FABRIC_E_INVALID_ADDRESS", "Timeout is a number"],
  ["/App/Api/x?Timeout=1.5", 400, "FABRIC_E_INVALID_ADDRESS", "of whole seconds"],
  ["/App/Api/x?Timeout=9223372036854775808", 400, "FABRIC_E_INVALID_ADDRESS", "within 64 bits"],
  ["/App/Api/x?Timeout=x&Timeout=5", 400, "FABRIC_E_INVALID_ADDRESS", "each occurrence is read"],
  ["/App/Api/x?Timeout=-1", 504, "FABRIC_E_TIMEOUT", "a negative time is over at once"],
  ["/App/Api/x?PartitionKind=named&PartitionKey=a", 400, "FABRIC_E_INVALID_ADDRESS", "a kind has one spelling"],
  ["/App/Api/x?PartitionKind=Int64Range", 400, "FABRIC_E_INVALID_ADDRESS", "Int64Range needs a key"],
  ["/App/Api/x?PartitionKind=Int64Range&PartitionKey=0x1", 400, "FABRIC_E_INVALID_ADDRESS", "in base 10"],
  ["/App/Api/x?PartitionKind=Int64Range&PartitionKey=1%30", 400, "FABRIC_E_INVALID_ADDRESS", "values are not decoded"],
  ["/App/Api/x?TargetReplicaSelector=primaryreplica", 400, "FABRIC_E_INVALID_ADDRESS", "a selector has one spelling"],
  ["/App/Api/x?TargetReplicaSelector=constructor", 400, "FABRIC_E_INVALID_ADDRESS", "and is one of the five"],
  ["/App/Api/x?PartitionKind=Named&PartitionKey=a", 400, "FABRIC_E_INVALID_PARTITION_KEY", "no partitions here"],
  ["/App/Api/x?TargetReplicaSelector=RandomReplica", 400, "E_INVALIDARG", "a stateless service has no replicas"],
  ["/App/Api/x?TargetReplicaSelector=RandomSecondaryReplica", 400, "E_INVALIDARG", "and no secondaries"],
])("%s is refused with %i %s: %s", async (target, status, reason) => {
  const { port, arrivals, requests } = await startCluster();
  const answer = await ask(port, target);
  expect(answer).toMatchObject({ status, reason, body: "", headers: { "content-length": "0" } });
  expect(arrivals).toEqual([]);
  expect(requests()).toMatchObject([{ url: target, attempts: [], status, reason }]);
});

test.each([
  ["?PartitionKey=1&a=1", "?a=1"],
  ["?a=1&PartitionKey=1", "?a=1"],
  ["?a=1&ListenerName=&b=2", "?a=1&b=2"],
  ["?TargetReplicaSelector=RandomInstance", ""],
  ["?PartitionKind=Singleton&PartitionKey=x", ""],
  ["?Timeout=3&a", "?Timeout=3&a"],
  ["?Timeout=0", "?Timeout=0"],
  ["?a=1&a=2&b=%20+x&flag&empty=&=v&==", "?a=1&a=2&b=%20+x&flag&empty=&=v&=="],
  ["?a&&b&", "?a&&b&"],
  ["?partitionkey=1&PARTITIONKIND=x&Partition%4bey=2", "?partitionkey=1&PARTITIONKIND=x&Partition%4bey=2"],
  ["?api-version=1?x=/y", "?api-version=1?x=/y"],
  ["?q=%zz%", "?q=%zz%"],
  ["?", ""],
])("the query %s goes on as %s", async (query, forwarded) => {
  const { port, arrivals } = await startCluster();
  expect((await ask(port, `/App/Api/x${query}`))?.status).toBe(200);
  expect(arrivals.map(({ url }) => url)).toEqual([`/at/api/x${forwarded}`]);
});

const listeners = { Web: "http://127.0.0.1:1", tcp: "net.tcp://127.0.0.1:1" };

test.each([
  ["", "/main/x", "the first http(s) one in the order of the names"],
  ["ListenerName=Zweb", "/zweb/x", "the one that is named"],
  ["ListenerName=zWEB", "/zweb/x", "whatever the case"],
  ["ListenerName=Zweb&ListenerName=Main", "/main/x", "the last one that is named"],
])("of several listeners, the query %s chooses %s: %s", async (query, arrived) => {
  const replica = await startReplica("replica");
  const address = { Zweb: `${replica.url}/zweb`, Main: `${replica.url}/main`, Alien: "net.tcp://a:1" };
  const asObject = await startSimulator({ services: { S: { kind: "stateless", instances: [address] } } });
  const text = JSON.stringify({ Endpoints: address });
  const asText = await startSimulator({ services: { S: { kind: "stateless", instances: [text] } } });
  for (const { port } of [asObject, asText]) expect((await ask(port, `/S/x?${query}`))?.status).toBe(200);
  expect(replica.arrivals.map(({ url }) => url)).toEqual([arrived, arrived]);
});

const unfit: [string | Record<string, string>, string, number, string, string][] = [
  [listeners, "ListenerName=tcp", 404, "FABRIC_E_ENDPOINT_NOT_FOUND", "not an http listener"],
  [listeners, "ListenerName=None", 404, "FABRIC_E_ENDPOINT_NOT_FOUND", "no listener of that name"],
  ['{"Endpoints":{}}', "", 404, "FABRIC_E_ENDPOINT_NOT_FOUND", "no listener at all"],
  ['{"Endpoint":"http://a"}', "", 404, "FABRIC_E_ENDPOINT_NOT_FOUND", "no list of listeners"],
  ["null", "", 400, "FABRIC_E_INVALID_ADDRESS", "JSON, but no object: used as it is"],
  ["net.tcp://a:1", "", 400, "FABRIC_E_INVALID_ADDRESS", "a plain address that is not http"],
  ["http://[broken", "", 400, "FABRIC_E_INVALID_ADDRESS", "a plain address that is no URL"],
];

test.each(unfit)("an address that fits not: %j with %s is %i %s: %s", async (address, query, status, reason) => {
  const { port } = await startSimulator({ services: { "App/Api": { kind: "stateless", instances: [address] } } });
  expect(await ask(port, `/App/Api/x?${query}`)).toMatchObject({ status, reason, body: "" });
});

test("a plain address is used as it is, whatever listener is asked for", async () => {
  const replica = await startReplica("replica");
  const { port } = await startSimulator({ services: { Legacy: { kind: "guest", address: replica.url } } });
  expect((await ask(port, "/Legacy/x?ListenerName=Any"))?.body).toBe("replica");
});

test("with secureOnly only https listeners count", async () => {
  const services: Record<string, Service> = {
    "App/Api": { kind: "stateless", instances: [{ Plain: await deadUrl() }] },
  };
  const { port } = await startSimulator({ services, secureOnly: true });
  expect(await ask(port, "/App/Api/x")).toMatchObject({ status: 404, reason: "FABRIC_E_ENDPOINT_NOT_FOUND" });
});

test("services come and go while it runs", async () => {
  const first = await startReplica("first");
  const second = await startReplica("second");
  const { port, addService, removeService } = await startSimulator({});
  const read = async () => {
    const answer = await ask(port, "/App/Api/x");
    return answer?.status === 200 ? answer.body : answer?.reason;
  };
  expect(await read()).toBe("FABRIC_E_SERVICE_DOES_NOT_EXIST");
  addService("App/Api", { kind: "guest", address: first.url });
  expect(await read()).toBe("first");
  addService("fabric:/App/Api", { kind: "guest", address: second.url });
  expect(await read()).toBe("second");
  removeService("/App/Api");
  expect(await read()).toBe("FABRIC_E_SERVICE_DOES_NOT_EXIST");
});
