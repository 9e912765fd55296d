// Comes before the blocks of the documentation when a test runs them: a block finds the package under its name, may listen
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
const servers = new Set();
const sockets = new Set();
const { listen } = net.Server.prototype;
const { connect } = net.Socket.prototype;

/** Ends all that a block has left open: the next one finds nobody at the ports that it showed. */
export function closeAll() {
  for (const server of servers) server.close();
  for (const socket of sockets) socket.destroy();
  for (const opened of [boundPorts, servers, sockets]) opened.clear();
}

net.Server.prototype.listen = function listenAtFreePort(first, ...rest) {
  const wanted = Number(first?.port ?? first);
  servers.add(this);
  this.unref();
  this.on("connection", (socket) => sockets.add(socket.unref()));
  this.once("listening", () => boundPorts.set(wanted, this.address().port));
  listen.call(this, typeof first === "object" ? { ...first, port: 0 } : 0, ...rest);
  // Without a host the port is bound at once, before the event tells of it.
  if (this.address() !== null) boundPorts.set(wanted, this.address().port);
  return this;
};

net.Socket.prototype.connect = function connectToBoundPort(...parts) {
  sockets.add(this);
  const options = Array.isArray(parts[0]) ? parts[0][0] : parts[0];
  const port = boundPorts.get(Number(options?.port));
  if (port !== undefined) options.port = port;
  return connect.apply(this, parts);
};
