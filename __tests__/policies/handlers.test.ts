import { runArea } from "./run-area.ts";

runArea("handlers", "ha-");
