import { runArea } from "./run-area.ts";

runArea("security", "se-");
