export { jwtBearer, type JwtBearerOptions } from "./jwt-bearer.ts";
