// The long form of the suite.
import "./single-slips.test.ts";
