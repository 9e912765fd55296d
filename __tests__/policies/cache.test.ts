import { runArea } from "./run-area.ts";

runArea("cache", "ch-");
