// The long form of the suite.
import "./routing-vectors.test.ts";
