// The long form of the suite.
import "./walk-json.test.ts";
