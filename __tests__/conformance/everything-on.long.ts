// The long form of the suite.
import "./everything-on.test.ts";
