// The long form of the suite.
import "./drain-listeners.test.ts";
