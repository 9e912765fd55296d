// Comes before a block of the documentation when a test runs it: the block finds the package under its name, may listen
// at the ports that it shows whatever else runs on the machine, and ends when nothing is under way any more.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import net from "node:net";

const top = new URL("../../", import.meta.url);
const { name, exports } = JSON.parse(readFileSync(new URL("package.json", top), "utf8"));

const sources = new Map(
  Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([path, { default: built }]) => [
      `${name}${path.slice(1)}`,
      new URL(built.replace("./dist/", "src/").replace(/\.js$/, ".ts"), top).href,
    ]),
);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const source = sources.get(specifier);
    if (source !== undefined) return { url: source, format: "module-typescript", shortCircuit: true };
    // Only the block itself stands outside the project; a package finds its own dependencies.
    const isWithinPackage = context.parentURL?.includes("/node_modules/") === true;
    const isPackage = /^[@\w]/.test(specifier) && !specifier.includes(":") && !isWithinPackage;
    return nextResolve(specifier, isPackage ? { ...context, parentURL: new URL("package.json", top).href } : context);
  },
});

const boundPorts = new Map();
const { listen } = net.Server.prototype;
const { connect } = net.Socket.prototype;

net.Server.prototype.listen = function listenAtFreePort(first, ...rest) {
  const wanted = Number(first?.port ?? first);
  this.unref();
  this.on("connection", (socket) => socket.unref());
  this.once("listening", () => boundPorts.set(wanted, this.address().port));
  listen.call(this, typeof first === "object" ? { ...first, port: 0 } : 0, ...rest);
  // Without a host the port is bound at once, before the event tells of it.
  if (this.address() !== null) boundPorts.set(wanted, this.address().port);
  return this;
};

net.Socket.prototype.connect = function connectToBoundPort(...parts) {
  const options = Array.isArray(parts[0]) ? parts[0][0] : parts[0];
  const port = boundPorts.get(Number(options?.port));
  if (port !== undefined) options.port = port;
  return connect.apply(this, parts);
};
