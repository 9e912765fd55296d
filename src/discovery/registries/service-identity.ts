import type { Provider } from "../provider.ts";
import { labelOf, type Service } from "../service.ts";

/** Consul and Eureka know no namespaces, and find a name in any letters. */
export function byName({ name }: Service): string {
  return name.toLowerCase();
}

/** The name servers find a name in any letters. */
export function byLabel(service: Service): string {
  return labelOf(service).toLowerCase();
}

/** Kubernetes tells letters apart; a service without a namespace is in that of the provider. */
export function byNamespace(usual: string): Provider["identify"] {
  return ({ name, namespace = usual }) => `${namespace}/${name}`;
}

/**
 * A name in DNS without the labels of a port (`_http._tcp`), and then those above it: the records of a service's ports and
 * of its instances have names below that of the service.
 */
export function namesAbove(service: Service): readonly string[] {
  const labels = byLabel(service).split(".");
  // Where all labels are such ones, the last one stays.
  const name = labels.slice(labels.findIndex((label) => !label.startsWith("_")));
  return name.map((_label, index) => name.slice(index).join("."));
}
