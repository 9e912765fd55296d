// The long form of the suite.
import "./any-document.test.ts";
