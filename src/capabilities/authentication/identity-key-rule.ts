import type { ConfigRule } from "../../config/rules/rule.ts";
import { locate } from "../../json/place.ts";

const leastBytes = 32;

/** With a short key whoever reads a log could find it out, and then try ids until one fits a pseudonym. */
export const checkIdentityKey: ConfigRule = function checkIdentityKey({ global: { config, place }, report }) {
  const { IdentityKey: key } = config;
  if (key === undefined || Buffer.byteLength(key) >= leastBytes) return;
  const remedy = "take 32 random bytes, such as openssl rand -base64 32 prints, and leave them in a variable";
  const message = `the key is shorter than ${leastBytes} bytes, and could be found out from a log: ${remedy}`;
  report("identity-key-weak", locate(place, ["IdentityKey"]), message);
};
