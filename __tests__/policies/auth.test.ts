import { runArea } from "./run-area.ts";

runArea("auth", "au-");
