import { claimExpressions, claimValues } from "../../schema/key.ts";

/** What a route does with the claims of who is asking: what they must be, and where they travel. */
export const claimKeys = {
  route: {
    RouteClaimsRequirement: claimValues({
      type: "values by claim",
      means:
        "What claims must be: this value, or one of these; `{name}` is the value of a placeholder. See [claims](claims.md)",
      otherwise: "none",
      examples: [{ role: "admin" }, { role: ["admin", "editor"], tenant: "{tenant}" }],
      problems: ["requirement-invalid", "placeholder-missing", "lock-contradictory", "lock-value-empty"],
      ocelot:
        "also lists and names with `:`, which vanish in Ocelot with the lock; numbers and words as JSON writes them",
      isLock: true,
    }),
    AddClaimsToRequest: claimExpressions({
      type: "expressions by claim",
      means: "Claims made from others, before scopes and requirements are looked at",
      otherwise: "none",
      examples: [{ user: "Claims[sub] > value[1] > |" }],
      problems: ["claims-invalid", "claims-literal", "lock-contradictory"],
      ocelot: "in the order of the file; replaces all values of a name",
      isLock: true,
    }),
    AddHeadersToRequest: claimExpressions({
      type: "expressions by header",
      means: "Headers made from claims; what clients send under these names is removed, on all routes",
      otherwise: "none",
      examples: [{ "X-User": "Claims[sub] > value" }],
      problems: [
        "claims-invalid",
        "claims-literal",
        "header-name-invalid",
        "header-name-reserved",
        "lock-contradictory",
      ],
      ocelot: "replaces what clients send, on all routes; what cannot be a header is 403, where Ocelot fails with 500",
      isLock: true,
    }),
    AddQueriesToRequest: claimExpressions({
      type: "expressions by parameter",
      means: "Query parameters made from claims, in place of the client's of that name",
      otherwise: "none",
      examples: [{ tenant: "Claims[tenant] > value" }],
      problems: ["claims-invalid", "claims-literal", "lock-value-empty", "lock-contradictory"],
      ocelot: "encoded, and the rest of the query stays as it is",
      isLock: true,
    }),
    ChangeDownstreamPathTemplate: claimExpressions({
      type: "expressions by placeholder",
      means: "Placeholders of `DownstreamPathTemplate` that claims fill",
      otherwise: "none",
      examples: [{ user: "Claims[sub] > value" }],
      problems: ["claims-invalid", "claims-literal", "placeholder-missing", "lock-contradictory"],
      ocelot: "encoded; a placeholder that the template does not have is refused",
      isLock: true,
    }),
  },
} as const;
