export { undiciEngine } from "./proxy/engines/undici.ts";
