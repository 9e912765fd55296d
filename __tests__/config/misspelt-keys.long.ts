// The long form of the suite.
import "./misspelt-keys.test.ts";
