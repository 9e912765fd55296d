// The long form of the suite.
import "./broken-answers.test.ts";
