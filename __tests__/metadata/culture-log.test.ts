import { expect, test } from "@jest/globals";
import { createGateway, parseConfig } from "../../src/index.ts";
import { createLogBook, route } from "../config/configurations.ts";

test.each<[metadata: object, global: object, isTold: boolean]>([
  [{ limit: "1,5" }, { MetadataOptions: { CurrentCulture: "de-DE" } }, true],
  [{ limit: "1,5" }, {}, true],
  [{}, { Metadata: { limit: "5" } }, true],
  [{ team: "orders" }, { MetadataOptions: { CurrentCulture: "de-DE" } }, false],
  [{ team: "orders" }, {}, false],
  [{}, {}, false],
])("The culture is told only where metadata hold numbers: %j, %j", async (Metadata, GlobalConfiguration, isTold) => {
  const { logger, lines } = createLogBook();
  const config = parseConfig({ Routes: [route({ Metadata })], GlobalConfiguration }, { logger });
  const gateway = createGateway(config, { logger });
  await gateway.close();
  expect(lines.some((line) => line.includes("Numbers in metadata are read as in this culture"))).toBe(isTold);
});
