import { createAddressSet, type AddressSet } from "../../addresses/address-set.ts";
import { clientAddressOf } from "../../addresses/client-address.ts";
import { GatewayError } from "../../errors.ts";
import type { Logger } from "../../logging/logger.ts";
import { defineCapability, type RoutePart } from "../capability.ts";
import { effectiveLists, type AddressLists } from "./effective-lists.ts";
import { addressRefused, type CompiledLists, createMayComeIn } from "./judge-address.ts";

/** Makes what the routes of some lists do; those of equal lists share it. */
type PartOf = (lists: AddressLists) => RoutePart;

/** Lets clients in by their addresses. */
export const addressLists = defineCapability<PartOf>("address lists", {
  prepare: ({ logger }) => shareParts(logger),
  compile(config, partOf, { global, options }) {
    const lists = effectiveLists(config, global);
    if (lists === undefined) return undefined;
    if (options.trustProxy === true) throw trustsClients();
    return partOf(lists);
  },
});

function trustsClients(): GatewayError {
  return new GatewayError(
    "option-invalid",
    'Invalid option "trustProxy": true stands beside "SecurityOptions". Every client could then choose the address that ' +
      'its lists see: name the addresses of your proxies, such as "loopback, 10.0.0.0/8", or how many there are.',
  );
}

/** The addresses of a list, and a number that equal lists have in common. */
type ListedSet = Readonly<{ number: number; set: AddressSet | undefined }>;

function shareParts(logger: Logger): PartOf {
  const parts = new Map<string, RoutePart>();
  const sets = new Map<string, ListedSet>();
  // The global lists, which very many routes may have, are compared as texts once.
  const known = new WeakMap<readonly string[], ListedSet>();
  let hasTold = false;

  return function partOf({ allowed, blocked, excludesAllowed }) {
    const [ins, outs] = [listedSet(allowed), listedSet(blocked)];
    const key = `${ins.number} ${outs.number} ${excludesAllowed}`;
    const part = parts.get(key) ?? createPart({ allowed: ins.set, blocked: outs.set, excludesAllowed, tell });
    parts.set(key, part);
    return part;
  };

  function listedSet(list: readonly string[]): ListedSet {
    const text = known.has(list) ? "" : JSON.stringify(list);
    const found = known.get(list) ?? sets.get(text) ?? { number: sets.size, set: createAddressSet(list) };
    if (text !== "") sets.set(text, found);
    known.set(list, found);
    return found;
  }

  function tell(): void {
    const found =
      'The app\'s setting "trust proxy" is true, so that clients could choose the address that "SecurityOptions"';
    if (!hasTold) logger.error({}, `${found} sees: they are all refused. Name the addresses of your proxies there.`);
    hasTold = true;
  }
}

/** Lists, and what says that the app believes every address. */
type Judgement = CompiledLists & Readonly<{ tell: () => void }>;

function createPart({ tell, ...lists }: Judgement): RoutePart {
  const mayComeIn = createMayComeIn(lists);
  return {
    guard: function judgeAddress(exchange) {
      if (exchange.peers.trustsEverybody(exchange.context.req)) {
        tell();
        return addressRefused();
      }
      return mayComeIn(clientAddressOf(exchange) ?? "") ? undefined : addressRefused();
    },
  };
}
