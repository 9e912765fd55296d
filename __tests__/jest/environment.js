import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";

/** Where suites run: in the process itself. A context of its own for each would have to load the package anew. */
export default class ProcessEnvironment {
  // Jest puts its own console and process.exit here, where they change nothing for the process.
  global = Object.create(globalThis, { process: { value: {} } });
  moduleMocker = new ModuleMocker(globalThis);

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  getVmContext() {
    return null;
  }
}
