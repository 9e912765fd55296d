import { runArea } from "./run-area.ts";

runArea("claims", "cl-");
