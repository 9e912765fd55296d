// The long form of the suite.
import "./handlers.test.ts";
