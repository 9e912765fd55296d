import { quote } from "../../json/json-node.ts";
import { locate } from "../../json/place.ts";
import type { ConfigRule } from "./rule.ts";

/** Methods that cannot stand for another one, and why. */
const unfit: ReadonlyMap<string, string> = new Map([
  ["CONNECT", "asks for a tunnel, and gets no answer that could be passed on"],
  ["HEAD", "gets an answer without a body, which is none to a request of another method"],
  ["TRACE", "has the downstream send back the headers of the request, credentials among them"],
]);

/** Every request that a route takes can be sent by the method that is used downstream. */
export const checkDownstreamMethods: ConfigRule = function* checkDownstreamMethods({ routesAskingFor, report }) {
  for (const { config, place } of routesAskingFor("DownstreamHttpMethod")) {
    yield;
    const { DownstreamHttpMethod: method, UpstreamHttpMethod: taken } = config;
    const reason = unfit.get(method ?? "");
    if (reason === undefined || taken?.every((one) => one === method) === true) continue;
    const written = quote(method!);
    const remedy = `leave the key out, or take nothing else: "UpstreamHttpMethod": [${written}]`;
    report("method-unfit", locate(place, ["DownstreamHttpMethod"]), `${written} ${reason}: ${remedy}`);
  }
};
