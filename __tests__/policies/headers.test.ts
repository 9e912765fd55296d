import { runArea } from "./run-area.ts";

runArea("headers", "hd-");
