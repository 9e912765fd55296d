// The long form of the suite.
import "./lint-witnesses.test.ts";
