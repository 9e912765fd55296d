import { runArea } from "./run-area.ts";

runArea("aggregates", "ag-");
