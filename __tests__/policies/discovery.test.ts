import { runArea } from "./run-area.ts";

runArea("discovery", "sd-");
