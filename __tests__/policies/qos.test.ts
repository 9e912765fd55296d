import { runArea } from "./run-area.ts";

runArea("qos", "qs-");
