// The long form of the suite.
import "./metadata-responder-table.test.ts";
