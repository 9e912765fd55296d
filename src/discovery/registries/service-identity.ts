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
