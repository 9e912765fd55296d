const preloads = /(?:^|\s)(?:--import|--require|-r|--(?:experimental-)?loader)(?:[\s=]|$)/;

/** Whether something was loaded before this program, which may keep pieces of bodies. */
export function isPreloaded(): boolean {
  return preloads.test([...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" "));
}
