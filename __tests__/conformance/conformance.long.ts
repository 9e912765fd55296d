// The long form of the suite.
import "./conformance.test.ts";
