// The long form of the suite.
import "./freed-memory.test.ts";
