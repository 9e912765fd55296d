import { createSocket } from "node:dgram";

/** What a name stands for: SRV records, or addresses. */
export type DnsName = Readonly<{
  srv?: readonly Readonly<{ target: string; port: number; priority: number; weight: number }>[];
  a?: readonly string[];
  /** `::` and a number. */
  aaaa?: readonly string[];
}>;

/** A DNS server while it runs. */
export type DnsServer = {
  port: number;
  names: Record<string, DnsName>;
  /** Makes something else of each answer, or nothing. */
  spoil: ((answer: Buffer) => Buffer | undefined) | undefined;
  asked: () => number;
  close: () => Promise<void>;
};

const typeA = 1;
const typeAaaa = 28;
const typeSrv = 33;

/** Starts a DNS server that knows some names. */
export async function startDns(names: Record<string, DnsName>): Promise<DnsServer> {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (question, { port, address }) => {
    asked += 1;
    const answer = answerOf(question, names);
    const sent = server.spoil === undefined ? answer : server.spoil(answer);
    if (sent !== undefined) socket.send(sent, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const server: DnsServer = {
    port: socket.address().port,
    names,
    spoil: undefined,
    asked: () => asked,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  return server;
}

function answerOf(question: Buffer, names: Readonly<Record<string, DnsName>>): Buffer {
  const end = question.indexOf(0, 12) + 5;
  const labels: string[] = [];
  for (let at = 12; question[at] !== 0; at += question[at]! + 1) {
    labels.push(question.toString("latin1", at + 1, at + 1 + question[at]!));
  }
  const known = names[labels.join(".").toLowerCase()];
  const type = question.readUInt16BE(end - 4);
  const records = recordsOf(known, type);
  const head = Buffer.from(question.subarray(0, 12));
  head.writeUInt16BE(known === undefined ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12, end), ...records.map((record) => withHead(type, record))]);
}

function recordsOf({ srv = [], a = [], aaaa = [] }: DnsName = {}, type: number): Buffer[] {
  if (type === typeA) return a.map((address) => Buffer.from(address.split(".").map(Number)));
  if (type === typeAaaa)
    return aaaa.map((address) => Buffer.from([...Array<number>(15).fill(0), Number(address.slice(2))]));
  if (type !== typeSrv) return [];
  return srv.map(({ target, port, priority, weight }) => {
    const numbers = Buffer.alloc(6);
    numbers.writeUInt16BE(priority, 0);
    numbers.writeUInt16BE(weight, 2);
    numbers.writeUInt16BE(port, 4);
    const labels = target.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
    return Buffer.concat([numbers, ...labels, Buffer.from([0])]);
  });
}

function withHead(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // The name of the question, at its place.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
