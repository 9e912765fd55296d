import { defineSection, list, record, routeKeys, scalar, section } from "../../schema/key.ts";
import { flag, text, texts } from "../../schema/values.ts";
import { schemeSection } from "./scheme-keys.ts";

const authenticationSection = defineSection(
  { name: "authentication", heading: "AuthenticationOptions", isLock: true },
  {
    AuthenticationProviderKey: scalar(text, {
      type: "text",
      means: "A scheme that is asked before the others",
      otherwise: "none",
      examples: ["Bearer"],
      problems: ["lock-contradictory", "lock-value-empty"],
      ocelot: "same; a route that names any scheme replaces the global ones",
    }),
    AuthenticationProviderKeys: list(texts, {
      type: "list of texts",
      means: "The schemes that are asked, in order; the first that recognises somebody counts",
      otherwise: "none",
      examples: [["Bearer", "Partners"]],
      problems: ["lock-contradictory", "lock-value-empty"],
      ocelot: "same; a text for the list is refused, where Ocelot leaves the route open",
    }),
    AllowedScopes: list(texts, {
      type: "list of texts",
      means: "One of them must be among the claims `scope` or `scp`",
      otherwise: "global, else none",
      examples: [["orders.read"]],
      problems: ["lock-contradictory", "lock-value-empty"],
      ocelot: "also the claim `scp`",
    }),
    AllowAnonymous: scalar(flag, {
      type: "boolean",
      means: "Whether the route stands open although there is a global scheme",
      otherwise: "global, else `false`",
      problems: ["lock-contradictory"],
      ocelot: "a global `true` opens no route that names a scheme, scopes or claims of its own",
    }),
    RouteKeys: routeKeys,
  },
);

/** Who is asking: which schemes hold where, and what they are. */
export const authenticationKeys = {
  route: {
    AuthenticationOptions: section(authenticationSection, {
      type: "object",
      means: "Which schemes must recognise the client",
      otherwise: "global, else open",
      problems: ["lock-key-unknown"],
      ocelot: "schemes are those of `AuthenticationSchemes` or of the option `authentication`",
      isLock: true,
    }),
  },
  global: {
    AuthenticationOptions: section(authenticationSection, {
      type: "object",
      means: "Which schemes must recognise the clients of routes without their own",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      ocelot: "schemes are those of `AuthenticationSchemes` or of the option `authentication`",
      isLock: true,
    }),
    AuthenticationSchemes: record(schemeSection, {
      type: "schemes by name",
      means: "What the names of schemes stand for; the option `authentication` goes before it",
      otherwise: "none",
      problems: ["lock-key-unknown"],
      isLock: true,
    }),
  },
} as const;
