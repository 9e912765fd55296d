// The long form of the suite.
import "./serving.test.ts";
