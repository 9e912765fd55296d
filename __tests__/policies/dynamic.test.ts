import { runArea } from "./run-area.ts";

runArea("dynamic", "dy-");
