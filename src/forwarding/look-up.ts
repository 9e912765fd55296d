import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import { inPresentContext } from "../in-present-context.ts";
import { guard } from "../unattended/guarded.ts";

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

const underWay = new Map<string, Found[]>();

/**
 * Finds the addresses of a host as Node does; all connections to it that begin meanwhile share one lookup. The system
 * looks up but a few names at the same time: if each connection asked anew, a name that DNS does not answer would keep all
 * others waiting.
 */
export function lookUp(hostname: string, options: LookupOptions, found: Found): void {
  const name = JSON.stringify([hostname, options]);
  const waiting = underWay.get(name);
  if (waiting === undefined) begin(name, () => dns.lookup(hostname, options, createTell(name)), found);
  else waiting.push(forPresentClient(found));
}

/** The lookup is that of the first client: what begins as the others' connections open is done for them. */
function forPresentClient(found: Found): Found {
  const run = inPresentContext();
  return (...answer) => run(found, ...answer);
}

function begin(name: string, ask: () => void, found: Found): void {
  underWay.set(name, [found]);
  try {
    ask();
  } catch (error) {
    underWay.delete(name);
    throw error;
  }
}

function createTell(name: string): Found {
  return function tellAll(...answer) {
    const waiting = underWay.get(name) ?? [];
    underWay.delete(name);
    for (const found of waiting) guard(found)(...answer);
  };
}
