import "./refuse-old-node.ts";

export { jwtBearer, type JwtBearerOptions } from "./jwt-bearer.ts";
