// The long form of the suite.
import "./write-json.test.ts";
