import { createRequire } from "node:module";
import { GatewayError } from "../../../../errors.ts";

/** The functions of jose that the gateway uses. */
export type Jose = Pick<typeof import("jose"), "createLocalJWKSet" | "jwtVerify">;

const load = createRequire(import.meta.url);

/** Loads jose, which only those install who check tokens. */
export function loadJose(): Jose {
  try {
    return load("jose") as Jose;
  } catch (error) {
    const { code } = error as Readonly<{ code?: unknown }>;
    if (code !== "MODULE_NOT_FOUND" && code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new GatewayError("peer-missing", 'Schemes of "Type": "Jwt" need the package jose: npm install jose', {
      cause: error,
    });
  }
}
