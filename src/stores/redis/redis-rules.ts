import type { ConfigRule } from "../../config/rules/rule.ts";
import { findMember, locate } from "../../json/place.ts";

/** A store that cannot be found, or that tells everybody who reads the file its password. */
export const checkRedis: ConfigRule = function checkRedis({ global: { config, place }, report }) {
  const { Redis: redis } = config;
  if (redis === undefined) return;
  const here = locate(place, ["Redis"]);
  if (redis.Prefix !== undefined && !/^[^{}]+$/.test(redis.Prefix)) {
    report(
      "redis-invalid",
      locate(place, ["Redis", "Prefix"]),
      "expected a text without { and }, which say where a cluster keeps a key",
    );
  }
  const url = findMember(here, "Url") ?? here;
  if (!isRedisUrl(redis.Url)) {
    const found = "expected a URL such as redis://localhost:6379 or rediss://:${REDIS_PASSWORD}@redis.example.org:6380";
    report("redis-invalid", url, found);
    return;
  }
  const isInFile = url.span.start !== -1 && !("holdsVariable" in url.node);
  if (new URL(redis.Url).password !== "" && isInFile) {
    const found = "the password of Redis can be read in the file";
    report("secret-literal", url, `${found}: write "\${VARIABLE}", and give its value in the environment`);
  }
};

/** Whether a text tells where a Redis is. */
export function isRedisUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "redis:" || url.protocol === "rediss:") && url.hostname !== "";
}
