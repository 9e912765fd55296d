// The long form of the suite.
import "./error-heads.test.ts";
