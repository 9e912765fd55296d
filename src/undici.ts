export { undiciEngine, type UndiciEngineOptions } from "./forwarding/engines/undici.ts";
