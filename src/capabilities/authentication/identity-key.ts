import { scalar } from "../../schema/key.ts";
import { text } from "../../schema/values.ts";

/** How logs show who was let in. */
export const identityKeys = {
  global: {
    IdentityKey: scalar(text, {
      isSecret: true,
      type: "text of 32 bytes or more",
      means:
        "The key of the pseudonyms under which logs and the inspector show who was let in; as `${VARIABLE}`. With the same key they are the same in all processes, and after a restart",
      otherwise: "one of the process",
      problems: ["identity-key-weak", "secret-unexpanded"],
    }),
  },
} as const;
