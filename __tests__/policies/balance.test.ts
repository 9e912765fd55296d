import { runArea } from "./run-area.ts";

runArea("balance", "lb-");
