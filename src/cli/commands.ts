import { check } from "./check.ts";
import type { Command } from "./command.ts";
import { diff } from "./diff.ts";
import { explain } from "./explain.ts";
import { init } from "./init.ts";
import { merge } from "./merge.ts";
import { routes } from "./routes.ts";
import { schema } from "./schema.ts";
import { serve } from "./serve.ts";

/** Every command of the program, in the order of the help. */
export const commands: readonly Command[] = [serve, check, explain, routes, diff, merge, schema, init];
