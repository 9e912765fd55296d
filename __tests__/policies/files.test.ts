import { runArea } from "./run-area.ts";

runArea("files", "mf-");
