// The program as tests start it. It looks at what is preloaded, so that nothing is.
import "./packed-programs.js";

await import("../../src/cli/main.ts");
