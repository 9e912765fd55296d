import { lookup } from "node:dns/promises";
import { hostname } from "node:os";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readTranslated } from "../../src/discovery/translated-address.ts";
import { createAddressRule } from "../../src/discovery/believed-addresses.ts";
import { engines } from "../helpers/engines.ts";
import { startGateway } from "../helpers/start-gateway.ts";
import type { Upstream } from "../helpers/start-upstream.ts";
import { routeTo, startInstance } from "./instances.ts";

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startInstance("a");
});

afterAll(() => upstream.close());

/** Asks a service of which somebody far away has told where it runs. */
async function askInstance(host: string, more: object = {}, engine = engines[0]!.create()): Promise<number> {
  const { origin, close } = await startGateway(
    {
      Routes: [routeTo("orders")],
      GlobalConfiguration: { ServiceDiscoveryProvider: { Type: "Far", Host: "registry.example.org", ...more } },
    },
    {
      engine,
      discovery: {
        Far: async (_service, update) => update([{ host, port: upstream.port }]),
      },
    },
  );
  try {
    return (await fetch(`${origin}/orders/1`)).status;
  } finally {
    await close();
  }
}

const rows: readonly Readonly<{ about: string; host: string; more?: object; status: number }>[] = [
  { about: "this machine", host: "127.0.0.1", status: 503 },
  { about: "another address of this machine", host: "127.8.9.1", status: 503 },
  { about: "this machine by IPv6", host: "::1", status: 503 },
  { about: "this machine by IPv4 that is written as IPv6", host: "::ffff:127.0.0.1", status: 503 },
  { about: "this machine in hexadecimal digits of IPv6", host: "::ffff:7f00:1", status: 503 },
  { about: "this machine by its name", host: "localhost", status: 503 },
  { about: "this machine below its name", host: "a.localhost", status: 503 },
  { about: "any address", host: "0.0.0.0", status: 503 },
  { about: "what tells machines of a cloud their credentials", host: "169.254.169.254", status: 503 },
  { about: "the same by IPv6", host: "fd00:ec2::254", status: 503 },
  { about: "another cloud's", host: "100.100.100.200", status: 503 },
  { about: "this machine, translated", host: "::ffff:0:7f00:1", status: 503 },
  { about: "a link-local address of IPv6", host: "fe80::1", status: 503 },
  { about: "a multicast address", host: "224.0.0.1", status: 503 },
  { about: "this machine in the compatible form of IPv6", host: "::127.0.0.1", status: 503 },
  { about: "a cloud's credentials by NAT64", host: "64:ff9b::a9fe:a9fe", status: 503 },
  { about: "this machine by 6to4", host: "2002:7f00:1::", status: 503 },
  { about: "the broadcast address", host: "255.255.255.255", status: 503 },
  { about: "a reserved address", host: "240.0.0.1", status: 503 },
  { about: "one with a zone, which is none of a URL", host: "2001:db8::1%eth0", status: 503 },
  { about: "what the configuration lists", host: "127.0.0.1", more: { AllowAddresses: ["127.0.0.1"] }, status: 200 },
  {
    about: "beside what the configuration lists",
    host: "127.0.0.1",
    more: { AllowAddresses: ["127.0.0.2"] },
    status: 503,
  },
  { about: "this machine, where the provider is on it, too", host: "127.0.0.1", more: { Host: "::1" }, status: 200 },
];

test.each(rows)("an instance at $host, $about: $status", async ({ host, more, status }) => {
  expect(await askInstance(host, more)).toBe(status);
});

const embedded: readonly (readonly [host: string, address: string | undefined])[] = [
  ["::10.1.2.3", "10.1.2.3"],
  ["::ffff:a01:203", "10.1.2.3"],
  ["64:ff9b::10.1.2.3", "10.1.2.3"],
  ["64:ff9b:0:0:0:0:a01:203", "10.1.2.3"],
  ["2002:a01:203:4:5:6:7:8", "10.1.2.3"],
  ["64:ff9b:1::a01:203", undefined],
  ["2001:db8::a01:203", undefined],
  ["10.1.2.3", undefined],
];

test.each(embedded)("in %s stands the address of IPv4 %s", (host, address) => {
  expect(readTranslated(host)).toBe(address);
});

test("an address of IPv6 in which that of a service stands may be one", () => {
  const allows = createAddressRule([]);
  expect(embedded.map(([host]) => allows(host))).toEqual(embedded.map(() => true));
});

// A name that is not "localhost" and leads to this machine all the same: most machines have one.
const ownName = await lookup(hostname()).then(
  ({ address }) => (address.startsWith("127.") ? hostname() : undefined),
  () => undefined,
);

(ownName === undefined ? test.skip : test).each(engines)(
  "a name that leads to this machine is found out at the connection, over $name",
  async ({ create }) => {
    expect(await askInstance(ownName!, {}, create())).toBe(502);
    expect(await askInstance(ownName!, { AllowAddresses: ["127.0.0.0/8"] }, create())).toBe(200);
  },
);
