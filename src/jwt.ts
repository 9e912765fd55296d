export { jwtBearer, type JwtBearerOptions } from "./capabilities/authentication/jwt-bearer.ts";
