// The long form of the suite.
import "./answer-framing.test.ts";
