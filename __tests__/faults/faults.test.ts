import { describe, test } from "@jest/globals";
import { engines } from "../helpers/engines.ts";
import { bodyFaults } from "./rows/body.ts";
import { connectFaults } from "./rows/connect.ts";
import { downloadFaults } from "./rows/download.ts";
import { endedCallFaults } from "./rows/ended-calls.ts";
import { failuresBesideResponders } from "./rows/failures-beside-responders.ts";
import { headFaults } from "./rows/head.ts";
import { pipelinedFaults } from "./rows/pipelined.ts";
import { reuseFaults } from "./rows/reuse.ts";
import { uploadFaults } from "./rows/upload.ts";
import { behindHeadFaults } from "./rows/upload-behind-head.ts";
import { besideResponderFaults } from "./rows/upload-refused-beside-responders.ts";
import { readByCodeFaults } from "./rows/upload-read-by-code.ts";
import { setScene } from "./scene.ts";

const faults = [
  ...connectFaults,
  ...headFaults,
  ...uploadFaults,
  ...behindHeadFaults,
  ...readByCodeFaults,
  ...besideResponderFaults,
  ...endedCallFaults,
  ...failuresBesideResponders,
  ...downloadFaults,
  ...bodyFaults,
  ...reuseFaults,
  ...pipelinedFaults,
];

describe.each(engines)("$name", ({ create }) => {
  test.each(faults)("$name", async ({ options, play }) => {
    const scene = await setScene(create(), options);
    await play(scene);
    await scene.leave();
  });
});
