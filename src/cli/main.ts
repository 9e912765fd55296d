#!/usr/bin/env node
import { createIo } from "./io.ts";
import { runProgram } from "./program.ts";

process.exitCode = await runProgram(process.argv.slice(2), createIo(process));
