import type { ConfigRule } from "../../../config/rules/rule.ts";
import { isProxysWord, proxyOfPrograms } from "../../../headers/headers-only-proxies-may-say.ts";
import { plainName } from "../../../headers/header-aliases.ts";
import { quote } from "../../../json/json-node.ts";
import { locate } from "../../../json/place.ts";

const writtenByBrowsers = /^(?:origin|referer|sec-.*)$/;

/** A key stands in a header that clients write and the gateway leaves them; else it shows nothing, or nobody comes in. */
export const checkKeyHeaders: ConfigRule = function checkKeyHeaders({ global: { config, place }, report }) {
  for (const [name, { Header }] of Object.entries(config.AuthenticationSchemes ?? {})) {
    if (Header === undefined) continue;
    const written = Header.toLowerCase();
    const plain = plainName(written);
    const at = (): ReturnType<typeof locate> => locate(place, ["AuthenticationSchemes", name, "Header"]);
    const found = `expected a header that clients set, such as X-Api-Key, found ${quote(Header)}`;
    if (writtenByBrowsers.test(plain)) {
      report("header-name-reserved", at(), `${found}, which browsers write themselves: it is no secret`);
    } else if (plain === proxyOfPrograms || (isProxysWord(plain) && plain !== written)) {
      report("header-name-reserved", at(), `${found}, which is dropped from every request: nobody would come in`);
    } else if (isProxysWord(plain)) {
      const why = "it is dropped unless a peer sends it that trustProxy names, so that all others get 401";
      report("scheme-header-untrusted", at(), `${found}: ${why}`);
    }
  }
};
