// The long form of the suite.
import "./any-input.test.ts";
