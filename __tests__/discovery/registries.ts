import {
  createConsulSimulator,
  createEurekaSimulator,
  createKubernetesSimulator,
  type RegistryFault,
} from "../../src/simulator/index.ts";
import { startDns } from "../helpers/start-dns.ts";

/** Where an instance of the service stands. */
export type Place = Readonly<{ port: number }>;

/** A registry that knows `orders`, and whatever services it is told of, and the provider that asks it. */
export type Registry = Readonly<{
  provider: object;
  /** Says where a service runs from now on. */
  tell: (places: readonly Place[], service?: string) => void;
  /** How often it was asked. */
  asked: () => number;
  fault: (fault?: RegistryFault) => void;
  close: () => Promise<void>;
}>;

/** So often those are asked that tell nothing by themselves; milliseconds. */
export const pollingInterval = 200;

const address = "127.0.0.1";
const common = { Host: address, PollingInterval: pollingInterval };

/** The registries that the gateway itself can ask. */
export const registries: Readonly<Record<string, () => Promise<Registry>>> = {
  async Consul() {
    const { listen, setInstances, requests, ...consul } = createConsulSimulator();
    const { port } = await listen();
    return {
      ...consul,
      provider: { ...common, Type: "Consul", Port: port },
      tell: (places, service = "orders") => setInstances(service, places.map(toInstance)),
      asked: () => requests().length,
    };
  },
  async Kubernetes() {
    const { listen, setSlices, requests, ...kubernetes } = createKubernetesSimulator();
    const { port } = await listen();
    return {
      ...kubernetes,
      provider: { ...common, Type: "Kube", Scheme: "http", Port: port, Namespace: "shop" },
      tell: (places, service = "orders") => setSlices(`shop/${service}`, places.map(toSlice)),
      asked: () => requests().length,
    };
  },
  async Eureka() {
    const { listen, setInstances, requests, ...eureka } = createEurekaSimulator();
    const { port } = await listen();
    return {
      ...eureka,
      provider: { ...common, Type: "Eureka", Port: port },
      tell: (places, service = "orders") => setInstances(service, places.map(toEurekaInstance)),
      asked: () => requests().length,
    };
  },
  async Dns() {
    const dns = await startDns({});
    return {
      provider: { ...common, Type: "Dns", Port: dns.port },
      tell: (places, service = "orders") => (dns.names[service] = { srv: places.map(toRecord) }),
      asked: dns.asked,
      fault: (fault) => (dns.spoil = fault && ((answer) => spoilDns(fault, answer))),
      close: dns.close,
    };
  },
};

const longestDatagram = 60_000;
const serverFailure = 2;

/** What a DNS server sends that is in such trouble; what comes many seconds late comes never. */
function spoilDns(fault: RegistryFault, answer: Buffer): Buffer | undefined {
  if (fault.kind === "nonsense") return Buffer.from(fault.text).subarray(0, longestDatagram);
  if (fault.kind === "cut") return answer.subarray(0, answer.length / 2);
  if (fault.kind !== "status") return undefined;
  const failure = Buffer.from(answer);
  failure.writeUInt16BE((answer.readUInt16BE(2) & 0xfff0) | serverFailure, 2);
  return failure;
}

function toInstance({ port }: Place): Readonly<{ address: string; port: number }> {
  return { address, port };
}

function toSlice({ port }: Place): Parameters<ReturnType<typeof createKubernetesSimulator>["setSlices"]>[1][number] {
  return { addresses: [address], ports: [{ name: "http", port }] };
}

function toEurekaInstance({ port }: Place): Readonly<{ hostName: string; port: number }> {
  return { hostName: address, port };
}

function toRecord({ port }: Place): Readonly<{ target: string; port: number; priority: number; weight: number }> {
  return { target: address, port, priority: 1, weight: 1 };
}
