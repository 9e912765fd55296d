import type { CompiledRoute } from "../compiling/compiled-route.ts";
import type { MatchedExchange } from "./matched-exchange.ts";

/** A matched request on its way through the gateway, and its compiled route. */
export type Exchange = Omit<MatchedExchange, "compiled"> & Readonly<{ compiled: CompiledRoute }>;
