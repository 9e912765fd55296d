export { undiciEngine, type UndiciEngineOptions } from "./proxy/engines/undici.ts";
