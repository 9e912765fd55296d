// The long form of the suite.
import "./real-clients.test.ts";
