// The long form of the suite.
import "./upgrades.test.ts";
