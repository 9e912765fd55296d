import type { Settings } from "./contender.ts";

/** Something that is measured: a contender with its settings and the request that it gets. */
export type Subject = Readonly<{
  name: string;
  contender: string;
  settings?: Partial<Settings>;
  method?: string;
  path?: string;
  bodyBytes?: number;
  status?: number;
  workers?: number;
}>;

/** What the ratio of two subjects' CPU time per request may be. */
export type Bound = Readonly<{ of: string; to: string; atMost: number }>;

/** Subjects that are measured in turns, so that what disturbs one round disturbs all of them. */
export type Experiment = Readonly<{
  name: string;
  quick: boolean;
  /** A request takes long: fewer of them warm a contender up. */
  isHeavy?: boolean;
  subjects: readonly Subject[];
  bounds?: readonly Bound[];
}>;

const smallPath = "/service-0/items/100";

const rivals = {
  express: { name: "bare Express (no proxy)", contender: "express" },
  nginx: { name: "nginx", contender: "nginx" },
  undici: { name: "raw undici proxy", contender: "undici" },
  middleware: { name: "Express + http-proxy-middleware", contender: "http-proxy-middleware" },
  fastify: { name: "@fastify/http-proxy", contender: "fastify-http-proxy" },
  httpProxy3: { name: "http-proxy-3", contender: "http-proxy-3" },
} as const satisfies Record<string, Subject>;

const ours = {
  undici: { name: "waymark, undici, Express", contender: "waymark", settings: { engine: "undici" } },
  undiciPlain: {
    name: "waymark, undici, node:http",
    contender: "waymark",
    settings: { engine: "undici", mount: "node:http" },
  },
  default: { name: "waymark, default, Express", contender: "waymark", settings: { engine: "http-proxy-middleware" } },
  defaultPlain: {
    name: "waymark, default, node:http",
    contender: "waymark",
    settings: { engine: "http-proxy-middleware", mount: "node:http" },
  },
} as const satisfies Record<string, Subject>;

const proxies: readonly Subject[] = [rivals.undici, rivals.middleware, ours.undici, ours.default];

function all(subjects: readonly Subject[], request: Partial<Subject>): Subject[] {
  return subjects.map((subject) => ({ ...subject, ...request }));
}

function variants(names: Readonly<Record<string, Partial<Subject>>>): Subject[] {
  return Object.entries(names).map(([name, { settings, ...request }]) => ({
    ...ours.undici,
    ...request,
    name,
    settings: { ...ours.undici.settings, ...settings },
  }));
}

const ten = 10_000;

export const experiments: readonly Experiment[] = [
  {
    name: "small GET",
    quick: true,
    subjects: [...Object.values(rivals), ...Object.values(ours)],
    bounds: [
      { of: ours.undici.name, to: rivals.undici.name, atMost: 1.3 },
      { of: ours.undiciPlain.name, to: rivals.undici.name, atMost: 1.2 },
      { of: ours.undici.name, to: rivals.middleware.name, atMost: 0.58 },
      { of: ours.undici.name, to: rivals.fastify.name, atMost: 0.8 },
      { of: ours.default.name, to: rivals.middleware.name, atMost: 1.05 },
    ],
  },
  { name: "small POST", quick: false, subjects: all(proxies, { method: "POST", bodyBytes: 200 }) },
  { name: "answer in three chunks", quick: false, subjects: all(proxies, { path: "/service-0/items/3x300" }) },
  { name: "100 KB answer", quick: false, isHeavy: true, subjects: all(proxies, { path: "/service-0/items/102400" }) },
  {
    name: "1 MB answer",
    quick: true,
    isHeavy: true,
    subjects: all(proxies, { path: "/service-0/items/1048576" }),
    bounds: [{ of: ours.undici.name, to: rivals.undici.name, atMost: 1.15 }],
  },
  {
    name: "1 MB upload",
    quick: false,
    isHeavy: true,
    subjects: all(proxies, { method: "POST", bodyBytes: 1_048_576 }),
    bounds: [{ of: ours.undici.name, to: rivals.undici.name, atMost: 1.15 }],
  },
  {
    name: "number of routes",
    quick: true,
    subjects: variants({
      "1 route": {},
      "1,000 routes, last": { path: "/service-999/items/100", settings: { routes: 1_000 } },
      "10,000 routes, first": { settings: { routes: ten } },
      "10,000 routes, middle": { path: "/service-5000/items/100", settings: { routes: ten } },
      "10,000 routes, last": { path: "/service-9999/items/100", settings: { routes: ten } },
    }),
    bounds: ["first", "middle", "last"].map((place) => ({
      of: `10,000 routes, ${place}`,
      to: "1 route",
      atMost: 1.05,
    })),
  },
  {
    name: "no route matches",
    quick: false,
    subjects: variants({
      "1 route, missing": { path: "/nowhere/items/100", status: 404 },
      "10,000 routes, missing": { path: "/nowhere/items/100", status: 404, settings: { routes: ten } },
    }),
    bounds: [{ of: "10,000 routes, missing", to: "1 route, missing", atMost: 1.05 }],
  },
  {
    name: "what a request passes through",
    quick: false,
    subjects: variants({
      nothing: {},
      "nothing, without X-Powered-By": { settings: { mount: "Express without X-Powered-By" } },
      "three middleware": { settings: { between: "middleware" } },
      "four metadata reads": { settings: { between: "metadata" } },
      "metadata responder, header only": { settings: { between: "responder" } },
      "naming service, placeholders, partition": {
        path: "/cluster/shop/orders/bytes/100?PartitionKind=Int64Range&PartitionKey=7",
      },
    }),
  },
  {
    name: "several cores",
    quick: false,
    subjects: variants({ "1 worker": {}, "2 workers": { workers: 2 } }),
  },
];

/** What is asked for where a subject does not say otherwise. */
export const defaultRequest = { method: "GET", path: smallPath, bodyBytes: 0, status: 200 } as const;
