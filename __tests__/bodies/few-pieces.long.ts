// The long form of the suite.
import "./few-pieces.test.ts";
