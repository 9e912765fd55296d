// The long form of the suite.
import "./cache-rows.test.ts";
