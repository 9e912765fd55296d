// The long form of the suite.
import "./who-takes-requests.property.test.ts";
