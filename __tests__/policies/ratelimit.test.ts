import { runArea } from "./run-area.ts";

runArea("ratelimit", "rl-");
