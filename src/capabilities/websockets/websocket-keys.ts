import { flag, texts } from "../../schema/values.ts";
import { list, scalar } from "../../schema/key.ts";

/** WebSockets. */
export const webSocketKeys = {
  route: {
    AllowUpgrade: scalar(flag, {
      type: "boolean",
      means: "Whether WebSockets may pass",
      otherwise: "by the scheme",
      problems: ["lock-value-empty"],
      restricts: true,
    }),
    AllowedOrigins: list(texts, {
      type: "list of origins",
      means: "Which pages may open WebSockets",
      otherwise: "global, else any",
      examples: [["https://app.example.org"]],
      problems: ["origin-invalid", "origin-any", "list-empty", "lock-value-empty"],
      restricts: true,
    }),
  },
  global: {
    AllowedOrigins: list(texts, {
      type: "list of origins",
      means: "Which pages may open WebSockets, for routes without their own",
      otherwise: "any",
      examples: [["https://app.example.org"]],
      problems: ["origin-invalid", "origin-any", "list-empty", "lock-value-empty"],
      restricts: true,
    }),
  },
} as const;
