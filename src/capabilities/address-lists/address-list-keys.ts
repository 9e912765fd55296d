import { z } from "zod";
import { readAddressRule } from "../../addresses/address-rule.ts";
import { defineSection, list, routeKeys, scalar, section } from "../../schema/key.ts";
import { flag, value } from "../../schema/values.ts";

const addressRules: z.ZodType<string[]> = z.array(
  value(
    "an address, a network (10.0.0.0/8) or a range (10.0.0.1-10.0.0.9)",
    // Of an empty one the reader of locks says what it is.
    (written) => [written.trim()].find((entry) => entry === "" || readAddressRule(entry) !== undefined),
    { code: "address-invalid" },
  ),
  'a list of addresses, such as ["10.0.0.0/8"]',
);

const forms = ["10.1.2.3", "10.0.0.0/8", "10.0.0.0/255.0.0.0", "10.0.0.1-10.0.0.9", "10.0.0.1-9", "2001:db8::/32"];

const addressListSection = defineSection(
  { name: "addressLists", heading: "SecurityOptions", isLock: true },
  {
    IPAllowedList: list(addressRules, {
      type: "list of addresses",
      means: "Only these clients may come in",
      otherwise: "all",
      examples: [forms],
      problems: ["address-invalid", "lock-value-empty", "address-lists-replaced"],
      ocelot: "an entry that does not parse is refused; IPv4 matches however a listener writes it",
    }),
    IPBlockedList: list(addressRules, {
      type: "list of addresses",
      means: "These clients may not come in",
      otherwise: "none",
      examples: [["10.0.0.13"]],
      problems: ["address-invalid", "lock-value-empty", "address-lists-replaced"],
      ocelot: "the same",
    }),
    ExcludeAllowedFromBlocked: scalar(flag, {
      type: "boolean",
      means: "Whether a client in both lists may come in",
      otherwise: "global where the lists are, else `false`",
      ocelot: "same",
    }),
    RouteKeys: routeKeys,
  },
);

/** From which addresses clients may come. */
export const addressListKeys = {
  route: {
    SecurityOptions: section(addressListSection, {
      type: "object",
      means: "From which addresses clients may come; see [Who may come in](authentication.md#by-address)",
      otherwise: "global",
      problems: ["lock-key-unknown"],
      ocelot: "the client's address is the last one that `trustProxy` does not trust",
      isLock: true,
    }),
  },
  global: {
    SecurityOptions: section(addressListSection, {
      type: "object",
      means: "The same for routes that have no lists of their own",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      ocelot: "the client's address is the last one that `trustProxy` does not trust",
      isLock: true,
    }),
  },
} as const;
