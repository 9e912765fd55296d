// Puts itself before http-proxy-middleware and writes down which members it reads of the request and response it gets.
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const watched = "watched:http-proxy-middleware";
const gateway = pathToFileURL(`${import.meta.dirname}/../../../src/gateway.ts`).href;

const source = `
import { createProxyMiddleware as create } from ${JSON.stringify(`${watched}/real`)};

export const reads = new Set();
globalThis.readsOfProxy = reads;

export function createProxyMiddleware(options) {
  const proxy = create(options);
  return (req, res, next) => proxy(watch(req, "req"), watch(res, "res"), next);
}

function watch(object, name) {
  return new Proxy(object, {
    get(target, key) {
      reads.add(name + "." + String(key));
      const value = target[key];
      return key === "socket" ? watch(value, name + ".socket") : value;
    },
    has(target, key) {
      reads.add(String(key) + " in " + name);
      return key in target;
    },
    ownKeys(target) {
      reads.add("keys of " + name);
      return Reflect.ownKeys(target);
    },
    set(target, key) {
      reads.add("set " + name + "." + String(key));
      return Reflect.set(...arguments);
    },
  });
}
`;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === "http-proxy-middleware") return { url: watched, shortCircuit: true };
    if (specifier === `${watched}/real`)
      return nextResolve("http-proxy-middleware", { ...context, parentURL: gateway });
    return nextResolve(specifier, context);
  },
  load: (url, context, nextLoad) =>
    url === watched ? { format: "module", source, shortCircuit: true } : nextLoad(url, context),
});
