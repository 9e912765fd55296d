import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { runCommand, runWaymark } from "./run-waymark.ts";

const cli = fileURLToPath(new URL("../fixtures/cli", import.meta.url));

type Expected = Readonly<{
  why: string;
  words: readonly string[];
  env?: Readonly<Record<string, string>>;
  code: number;
  stdout?: string;
  stderr?: string;
}>;

const portUnset = `The configuration variables.json cannot be used: 1 problem.

variables.json:7:63 (variable-unset)
  the environment variable "PORT" is not set: set it, or give a default with "\${PORT:-default}"
  7 |       "DownstreamHostAndPorts": [{ "Host": "\${HOST}", "Port": "\${PORT}" }],
    |                                                               ^^^^^^^^^
`;

const rows: readonly Expected[] = [
  {
    why: "the version is that of the package",
    words: ["--version"],
    code: 0,
    stdout: "0.1.0\n",
  },
  {
    why: "a mistyped command is named",
    words: ["chekc", "shop.json"],
    code: 2,
    stderr:
      'There is no command "chekc". Did you mean "check"? The commands are serve, check, explain, routes, diff, merge, schema, init; see waymark --help.\n',
  },
  {
    why: "a mistyped option is named",
    words: ["check", "--fromat", "json", "shop.json"],
    code: 2,
    stderr: 'waymark check has no option "--fromat". Did you mean --format? See waymark check --help.\n',
  },
  {
    why: "check: a configuration without problems",
    words: ["check", "shop.json"],
    code: 0,
    stdout: "shop.json: no problems\n  Anybody may come in, on every route.\n",
  },
  {
    why: "check: variables are put into texts, where they cannot become anything else",
    words: ["check", "--env", "variables.json"],
    env: { HOST: 'a.internal" }], "Routes": [{ "Host": "b' },
    code: 1,
    stdout: `variables.json:7:44 error Routes[0].DownstreamHostAndPorts[0].Host (host-invalid)
  expected a host name or address without scheme, port and path, found "a.internal\\" }], \\"Routes\\": [{ \\"Host\\": \\"b"
  7 |       "DownstreamHostAndPorts": [{ "Host": "\${HOST}", "Port": "\${PORT}" }],
    |                                            ^^^^^^^^^

variables.json:7:63 error (variable-unset)
  the environment variable "PORT" is not set: set it, or give a default with "\${PORT:-default}"
  7 |       "DownstreamHostAndPorts": [{ "Host": "\${HOST}", "Port": "\${PORT}" }],
    |                                                               ^^^^^^^^^

variables.json: 2 errors
`,
  },
  {
    why: "check: colours on a terminal, or where they are forced",
    words: ["check", "absent.json"],
    env: { FORCE_COLOR: "1" },
    code: 2,
    stdout: `\u001b[1mabsent.json\u001b[22m \u001b[31merror\u001b[39m \u001b[2m(file-unreadable)\u001b[22m
  cannot read the configuration "absent.json": there is no such file (the working directory is ${JSON.stringify(cli)})

absent.json: 1 error
`,
  },
  {
    why: "check: with --strict, a warning fails",
    words: ["check", "--strict", "doubtful.json"],
    code: 1,
    stdout: `doubtful.json:8:7 warning Routes[0].Proirity (key-unknown)
  "Proirity" is unknown here and has no effect – did you mean "Priority"?
  8 |       "Proirity": 2
    |       ^^^^^^^^^^

doubtful.json:11:28 warning GlobalConfiguration.ConnectionClose (key-unsupported)
  "ConnectionClose" has no effect in this gateway: connections are kept alive
  11 |   "GlobalConfiguration": { "ConnectionClose": true }
     |                            ^^^^^^^^^^^^^^^^^

doubtful.json: 2 warnings
  Anybody may come in, on every route.
`,
  },
  {
    why: "check: who may come in, and the lines that supply a scheme that is missing",
    words: ["check", "locked.json"],
    code: 0,
    stdout: `locked.json:10:50 warning Routes[0].AuthenticationOptions.AuthenticationProviderKeys[1] (scheme-missing)
  "AuthenticationOptions" of route "order", and of 1 more route, names "Partners": "AuthenticationSchemes" has "Bearer". Without it the gateway does not start: pass it in the option "authentication" of createGateway(), or write it into the configuration:
  "GlobalConfiguration": {
    "AuthenticationSchemes": {
      "Partners": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }
    }
  }
  10 |         "AuthenticationProviderKeys": ["Bearer", "Partners"],
     |                                                  ^^^^^^^^^^

locked.json: 1 warning
  Who may come in:
    GET,PUT /orders/{id}  Bearer or Partners, scope orders.read
    /prices               Partners
    /help                 anybody
`,
  },
  {
    why: "routes: who may come in",
    words: ["routes", "locked.json"],
    code: 0,
    stdout: `order  id      methods  upstream      target
1      order   GET,PUT  /orders/{id}  http://orders.internal:5001/api/orders/{id}
       who may come in: Bearer or Partners, scope orders.read
2      prices  any      /prices       http://prices.internal/prices
       who may come in: Partners
3      help    any      /help         http://help.internal/help
       who may come in: anybody
`,
  },
  {
    why: "serve: a scheme that is missing stops the start, with the lines that supply it and no stack",
    words: ["serve", "locked.json", "--port", "0", "--log", "none"],
    code: 1,
    stderr: `"AuthenticationOptions" of route "order" names "Partners": "AuthenticationSchemes", with the option authentication of createGateway(), has "Bearer". Pass it in code, or write it into the configuration:
"GlobalConfiguration": {
  "AuthenticationSchemes": {
    "Partners": { "Type": "Jwt", "Issuer": "https://…", "Audience": "…" }
  }
}
`,
  },
  {
    why: "routes: a table in the order of matching, secrets masked",
    words: ["routes", "shop.json"],
    code: 0,
    stdout: `order  id          methods  upstream
1      tea         any      tea.example/{path}
       target: http://naming.internal:19081/Shop/Tea/{path}
       priority: 0
       found by: the naming service at http://naming.internal:19081, asked with each request
2      files       any      /files/{path}
       target: http://a.internal/{path} (and 1 more)
       priority: 5
       hosts: in turns (RoundRobin)
3      order       GET,PUT  /orders/{id}
       target: http://orders.internal:5001/api/orders/{id}?apikey=***
4      everything  any      /{path}
       target: http://old.internal/{path}
       priority: 0

Anybody may come in, on every route.
`,
  },
  {
    why: "routes: the same for programs; defaults and escapes of variables",
    words: ["routes", "--format", "json", "--env", "variables.json"],
    env: { HOST: "a.internal", PORT: "8081" },
    code: 0,
    stdout: `[
  {
    "order": 1,
    "id": "plain",
    "kind": "route",
    "methods": [],
    "upstream": "/a/{rest}",
    "target": "http://a.internal:8081/v1/{rest}",
    "priority": 1,
    "access": {
      "open": true,
      "schemes": [],
      "scopes": [],
      "claims": [],
      "summary": "anybody"
    },
    "policies": [],
    "headers": {
      "request": {},
      "answer": {}
    }
  }
]
`,
  },
  {
    why: "routes: from which addresses clients may come, and which headers are changed",
    words: ["routes", "office.json"],
    code: 0,
    stdout: `order  id       methods  upstream       target
1      reports  any      /reports/{id}  http://reports.internal/{id}
       who may come in: anybody, only from 10.1.0.0/16, not from 10.1.0.13
       headers changed: request: x-client, x-debug; answer: location
`,
  },
  {
    why: "routes: what becomes of each header, for programs",
    words: ["routes", "office.json", "--format", "json"],
    code: 0,
    stdout: `[
  {
    "order": 1,
    "id": "reports",
    "kind": "route",
    "methods": [],
    "upstream": "/reports/{id}",
    "target": "http://reports.internal/{id}",
    "priority": 1,
    "access": {
      "open": false,
      "schemes": [],
      "scopes": [],
      "claims": [],
      "addresses": "only from 10.1.0.0/16, not from 10.1.0.13",
      "summary": "anybody, only from 10.1.0.0/16, not from 10.1.0.13"
    },
    "policies": [],
    "headers": {
      "request": {
        "x-client": "set to {RemoteIpAddress}",
        "x-debug": "removed"
      },
      "answer": {
        "location": "{DownstreamBaseUrl} becomes {BaseUrl}/reports"
      }
    }
  }
]
`,
  },
  {
    why: "explain: a client at an address that is blocked is refused",
    words: ["explain", "office.json", "GET", "/reports/7", "--address", "10.1.0.13"],
    code: 1,
    stdout: `GET /reports/7 (host localhost, from 10.1.0.13)
Route "reports" takes it, but it is answered 403 (address-refused)

Routes, in the order in which they are tried:
  ✓ reports  /reports/{id}: it is the first that fits

Placeholders:
  {id} = "7", from the path

Who may come in:
  anybody, only from 10.1.0.0/16, not from 10.1.0.13

Refused:
  Clients with this address may not come in here.
  The client's address must be in IPAllowedList, where there is one, and not in IPBlockedList. It is the last address that trustProxy does not trust.
`,
  },
  {
    why: "explain: a client at an address that is allowed, as a server of both protocols writes it",
    words: ["explain", "office.json", "GET", "/reports/7", "--address", "::ffff:10.1.0.14"],
    code: 0,
    stdout: `GET /reports/7 (host localhost, from ::ffff:10.1.0.14)
Route "reports" sends it to http://reports.internal/7

Routes, in the order in which they are tried:
  ✓ reports  /reports/{id}: it is the first that fits

Placeholders:
  {id} = "7", from the path

Who may come in:
  anybody, only from 10.1.0.0/16, not from 10.1.0.13

Sent upstream, unless middleware or a handler changes it:
  GET http://reports.internal/7
  host: reports.internal
  x-forwarded-for: ::ffff:10.1.0.14
  x-forwarded-proto: http
  x-forwarded-host: localhost
  x-client: ::ffff:10.1.0.14

Changed in the answer:
  location: {DownstreamBaseUrl} becomes {BaseUrl}/reports
`,
  },
  {
    why: "explain: what is no address is a wrong use of the command",
    words: ["explain", "office.json", "GET", "/reports/7", "--address", "10.1.0"],
    code: 2,
    stderr: '--address is an address, such as 10.1.2.3 or 2001:db8::1, received "10.1.0".\n',
  },
  {
    why: "routes: a configuration that cannot be used is a problem found",
    words: ["routes", "variables.json", "--env"],
    env: { HOST: "a.internal" },
    code: 1,
    stderr: portUnset,
  },
  {
    why: "explain is wired",
    words: ["explain", "shop.json", "GET", "/orders/7"],
    code: 0,
    stdout: `GET /orders/7 (host localhost)
Route "order" sends it to http://orders.internal:5001/api/orders/7?apikey=***

Routes, in the order in which they are tried:
  ✗ tea         tea.example/{path} (priority 0): host: the host is "localhost", the route is for "tea.example"
  ✗ files       /files/{path} (priority 5): path: segment 1 is "orders", the template has "files"
  ✓ order       GET,PUT /orders/{id}: it is the first that fits
  · everything  /{path} (priority 0): it fits too, but "order" comes first

Placeholders:
  {id} = "7", from the path

Who may come in:
  anybody

Sent upstream, unless middleware or a handler changes it:
  GET http://orders.internal:5001/api/orders/7?apikey=***
  host: orders.internal:5001
  x-forwarded-for: <address of the client>
  x-forwarded-proto: http
  x-forwarded-host: localhost
`,
  },
  {
    why: "diff: routes, and requests that go elsewhere",
    words: ["diff", "shop.json", "shop-next.json", "--probe", "requests.txt"],
    code: 1,
    stdout: `1 route added
  + items

1 route removed
  - everything

1 route changed
  ~ order: UpstreamHttpMethod

2 of 5 probed requests would go elsewhere
  PUT /orders/7
    - route order: PUT http://orders.internal:5001/api/orders/7?apikey=***
    + no route: 404
  GET /items/3
    - route everything: GET http://old.internal/items/3
    + route items: GET http://items.internal/v2/items/3
`,
  },
  {
    why: "diff: nothing differs",
    words: ["diff", "shop.json", "shop.json", "--probe", "requests.txt", "--format", "json"],
    code: 0,
    stdout: `{
  "changes": {
    "added": [],
    "removed": [],
    "changed": []
  },
  "changedKeys": [],
  "opened": [],
  "probed": {
    "count": 5,
    "moved": []
  }
}
`,
  },
  {
    why: "diff: what cannot be compared does not look like a difference",
    words: ["diff", "shop.json", "variables.json", "--env"],
    env: { HOST: "a.internal" },
    code: 2,
    stderr: portUnset,
  },
  {
    why: "serve: who was let in is told with requests, or not at all",
    words: ["serve", "shop.json", "--log", "events", "--log-identity"],
    code: 2,
    stderr: "--log-identity says who was let in with each request: it needs --log requests.\n",
  },
  {
    why: "serve: a wrong number is refused before anything starts",
    words: ["serve", "shop.json", "--port", "65536"],
    code: 2,
    stderr: '--port is a whole number from 0 to 65535, received "65536".\n',
  },
];

describe("the program", () => {
  test.each(rows)("$why", async ({ words, code, stdout = "", stderr = "", ...row }) => {
    expect(await runCommand(words, { cwd: cli, ...row })).toEqual({ code, stdout, stderr });
  });

  const ofEachCode = [0, 1, 2].map((code) => rows.find((row) => row.code === code)!);
  test.each(ofEachCode)("as a process: $why", async ({ words, code, stdout = "", stderr = "", ...row }) => {
    expect(await runWaymark(words, { cwd: cli, ...row })).toEqual({ code, stdout, stderr });
  });
});
