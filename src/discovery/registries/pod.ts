import { readNamedFile } from "../../named-files.ts";

/** What Kubernetes puts into each of its pods: where it is itself, and who the pod is to it. */
type Pod = Readonly<{
  host: string | undefined;
  port: number | undefined;
  ca: Buffer | undefined;
  namespace: string | undefined;
  /** Undefined outside of a pod. */
  tokenFile: string | undefined;
}>;

const folder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Reads what the gateway finds where it runs in a pod; outside of one there is nothing. */
export function readPod(): Pod {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const tokenFile = `${folder}/token`;
  return {
    host: host === "" ? undefined : host,
    port: Number(port) > 0 ? Number(port) : undefined,
    ca: readIfThere(`${folder}/ca.crt`),
    namespace: readIfThere(`${folder}/namespace`)?.toString().trim(),
    tokenFile: readIfThere(tokenFile) === undefined ? undefined : tokenFile,
  };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readNamedFile(path);
  } catch {
    return undefined;
  }
}
