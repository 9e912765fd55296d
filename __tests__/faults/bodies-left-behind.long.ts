// The long form of the suite.
import "./bodies-left-behind.test.ts";
