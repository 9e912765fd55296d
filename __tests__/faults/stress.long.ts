// The long form of the suite.
import "./stress.test.ts";
