// The long form of the suites: every trace however the gateway is mounted.
import "./aggregates.test.ts";
import "./auth.test.ts";
import "./balance.test.ts";
import "./cache.test.ts";
import "./claims.test.ts";
import "./config.test.ts";
import "./discovery.test.ts";
import "./dynamic.test.ts";
import "./files.test.ts";
import "./handlers.test.ts";
import "./headers.test.ts";
import "./http.test.ts";
import "./qos.test.ts";
import "./ratelimit.test.ts";
import "./security.test.ts";
