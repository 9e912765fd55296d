import { isNamingParameter } from "../../discovery/naming-parameters.ts";
import { RequestError } from "../../errors.ts";
import type { QueryParameter } from "../../urls/client-query.ts";
import { refuseServiceNameParameter } from "./guard-service-name.ts";

/** What a route says about the query parameters that clients send to its service. */
export type ParameterRules = Readonly<{
  /** Undefined where the naming service is not asked. */
  serviceName: string | undefined;
  allowNameParameter: boolean;
  /** Which parameters of the naming service a client may send; undefined for all. */
  clientParameters: readonly string[] | undefined;
}>;

/** Refuses a parameter of a client's query that may not be sent to the route. */
export type JudgeParameter = (parameter: QueryParameter) => void;

/** The judge where nothing is refused. */
export const acceptParameter: JudgeParameter = (): void => undefined;

/** Makes the judge of a route; it refuses with an error. */
export function createJudgeParameter(rules: ParameterRules): JudgeParameter {
  if (rules.serviceName === undefined) return acceptParameter;
  const { allowNameParameter, clientParameters } = rules;
  return function judgeParameter({ name }) {
    if (name === "ServiceName" && !allowNameParameter) refuseServiceNameParameter();
    if (clientParameters === undefined || clientParameters.includes(name) || !isNamingParameter(name)) return;
    throw new RequestError(
      "client-parameter",
      `The query parameter ${JSON.stringify(name)} may not be sent to this route.`,
    );
  };
}
