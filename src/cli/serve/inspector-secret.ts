import { createSecret } from "../../inspector/link-secret.ts";
import { isOwnWorker } from "./own-worker.ts";

/** The variable by which the program tells its workers the secret that opens the inspector in all of them. */
export const secretVariable = "WAYMARK_INSPECTOR_SECRET";

const told = isOwnWorker ? process.env[secretVariable] : undefined;

/** The secret of this start: that of the primary in all workers, and otherwise one by chance. */
export const secretOfStart = told ?? createSecret();
