import { runAreaByRealClock } from "./run-area.ts";

runAreaByRealClock("ratelimit");
runAreaByRealClock("qos");
runAreaByRealClock("cache");
runAreaByRealClock("balance");
