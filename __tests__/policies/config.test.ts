import { runArea } from "./run-area.ts";

runArea("config", "cf-");
