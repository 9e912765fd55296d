import { type GatewayError, OverloadError } from "../errors.ts";

/** How long a scheme may take to say who is asking; milliseconds. */
export const longestQuestion = 5_000;

const retrySeconds = "5";

/** The refusal of a request of which nobody could say in time who is asking. */
export function identityUnavailable(): GatewayError {
  return new OverloadError("authentication-unavailable", "Who is asking cannot be found out at the moment.", {
    headers: { "retry-after": retrySeconds },
  });
}
