import { runArea } from "./run-area.ts";

runArea("http", "ht-");
