// The long form of the suite.
import "./quoted-secrets.test.ts";
