// The long form of the suite.
import "./locks.property.test.ts";
