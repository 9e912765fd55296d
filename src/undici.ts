import "./refuse-old-node.ts";

export { undiciEngine, type UndiciEngineOptions } from "./forwarding/engines/undici.ts";
