// Stands for `@jest/globals`, once for each suite.
import { suiteGlobals } from "./run-suite.js";

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = suiteGlobals;
