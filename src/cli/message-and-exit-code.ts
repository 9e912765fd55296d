import { ConfigError, type ErrorCode, GatewayError } from "../errors.ts";
import { UsageError } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";

/** What people are told of a failure, and with which exit code the program ends. */
type Failure = Readonly<{ told: string; exitCode: number }>;

// What a gateway can tell only when it is made: a name that stands for nothing, a package that is not there.
const startFaults: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["name-unknown", "peer-missing"]);

/** An error that is meant for the user shows its message; any other error shows where it happened. */
export function describeFailure(error: unknown): Failure {
  return { told: messageOf(error), exitCode: isProblem(error) ? exitCodes.problems : exitCodes.usage };
}

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || isStartFault(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isProblem(error: unknown): boolean {
  return error instanceof ConfigError ? !isUnreadable(error) : isStartFault(error);
}

function isUnreadable({ problems }: ConfigError): boolean {
  return problems.some(({ code }) => code === "file-unreadable");
}

function isStartFault(error: unknown): error is GatewayError {
  return error instanceof GatewayError && startFaults.has(error.code);
}
