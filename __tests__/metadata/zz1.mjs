import { createGateway, parseConfig } from "/work/main/src/index.ts";

function readWith(MetadataOptions, Metadata) {
  const route = {
    UpstreamPathTemplate: "/",
    DownstreamPathTemplate: "/",
    DownstreamHostAndPorts: [{ Host: "localhost" }],
    Metadata,
  };
  const config = parseConfig({ Routes: [route], GlobalConfiguration: { MetadataOptions } }, { logger: false });
  return createGateway(config, { logger: false }).routes.get("0").getMetadata;
}

const german = readWith({ CurrentCulture: "de-DE" }, { price: "1.234,50 €", loss: "(3)" });
console.log(german("price", "decimal").toString()); // 1234.5
console.log(german("loss", "int")); // -3

const bits = readWith({ CurrentCulture: "", NumberStyle: "HexNumber" }, { mask: "FF" });
console.log(bits("mask", "byte"), bits("mask", "sbyte")); // 255 -1

const list = readWith({ Separators: [";"], StringSplitOption: "RemoveEmptyEntries" }, { hosts: "a; b;;" });
console.log(list("hosts", "string[]")); // [ 'a', 'b' ]
