import { afterAll, afterEach } from "@jest/globals";
import { type ConsulInstance, type ConsulSimulator, createConsulSimulator } from "../../src/simulator/index.ts";
import { startUpstream, type Upstream } from "../helpers/start-upstream.ts";

/** An upstream that answers with its name and the target. */
export async function startInstance(name: string): Promise<Upstream & ConsulInstance> {
  const upstream = await startUpstream((req, res) => res.end(`${name} ${req.url}`));
  return Object.assign(upstream, { address: "127.0.0.1" });
}

/** Two instances that all tests of a suite share, and the list of what each test leaves to be closed behind it. */
export async function startTwoInstances() {
  const [a, b] = await Promise.all([startInstance("a"), startInstance("b")]);
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  afterAll(async () => {
    await Promise.all([a.close(), b.close()]);
  });
  return { a, b, closing };
}

/** A Consul with some services, and the provider that asks it. */
export async function startConsul(
  services: Readonly<Record<string, readonly ConsulInstance[]>>,
  token?: string,
): Promise<ConsulSimulator & { provider: Readonly<{ Type: string; Host: string; Port: number }> }> {
  const consul = createConsulSimulator({ services, token });
  const { port } = await consul.listen();
  return { ...consul, provider: { Type: "Consul", Host: "127.0.0.1", Port: port } };
}

/** A route to a service. */
export function routeTo(service: string, more: object = {}): object {
  return {
    UpstreamPathTemplate: `/${service}/{everything}`,
    DownstreamPathTemplate: "/{everything}",
    DownstreamScheme: "http",
    ServiceName: service,
    ...more,
  };
}

/** Asks again and again until the answer is as expected; fails with the last answer after some seconds. */
export async function eventually<Answer>(
  ask: () => Promise<Answer> | Answer,
  isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
  const end = performance.now() + 20_000;
  for (;;) {
    const answer = await ask();
    if (isExpected(answer) || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
