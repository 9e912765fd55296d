import { runAreaAsUpgrades } from "./run-area.ts";

runAreaAsUpgrades("auth");
runAreaAsUpgrades("handlers");
runAreaAsUpgrades("security");
