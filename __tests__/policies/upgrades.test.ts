import { runAreaAsUpgrades } from "./run-area.ts";

runAreaAsUpgrades("auth");
runAreaAsUpgrades("claims");
runAreaAsUpgrades("handlers");
runAreaAsUpgrades("security");
