import { expect, test } from "@jest/globals";
import { listHosts } from "../../src/hosts/list-hosts.ts";
import { sharedPlacesOf } from "../../src/hosts/shared-places.ts";

test("a long list is made in many steps, and each route that needs its places goes on where others were", () => {
  const instances = Array.from({ length: 10_000 }, (_, index) => ({ host: `host${index}.internal`, port: 80 }));
  const [one, other] = [sharedPlacesOf(instances, "http"), sharedPlacesOf(instances, "http")];
  let steps = 1;
  while (one.next().done !== true) steps += 1;
  expect(steps).toBeGreaterThan(40);
  const described = other.next();
  expect(described.done).toBe(true);
  const listing = listHosts(described.value!, [], () => ({}));
  expect(Array.from(listing).length).toBeGreaterThan(40);
});
