import type { Chapter } from "./chapter.ts";

/** Locked routes, asked by nobody in particular and by the users of the OpenID provider. */
export const whoMayComeIn: Chapter = {
  title: "Who may come in",
  about:
    "An OpenID provider runs beside the gateway. It knows laura, who may read the ledger, and tom, a clerk. The page fetches a token from it before it asks as one of them; the token itself goes no further than the gateway.",
  examples: [
    {
      route: "members",
      title: "Any token",
      about: "Whoever the provider knows may come in. The gateway tells the service in X-User who that is.",
      requests: [
        { path: "/members", shows: "nobody in particular: 401, and nothing is sent" },
        { path: "/members", as: "laura", shows: "X-User: laura arrives, her token does not" },
        { path: "/members", as: "tom", shows: "X-User: tom arrives" },
        {
          path: "/members",
          headers: { "X-User": "laura" },
          as: "tom",
          shows: "a name that tom makes up is replaced by his own",
        },
      ],
    },
    {
      route: "ledger",
      title: "A scope",
      about: "The token must allow ledger.read.",
      requests: [
        { path: "/ledger", shows: "nobody: 401" },
        { path: "/ledger", as: "laura", shows: "her token has the scope" },
        { path: "/ledger", as: "tom", shows: "his has not: 403" },
      ],
    },
    {
      route: "desk",
      title: "A claim",
      about: "The token must call its user a clerk.",
      requests: [
        { path: "/desk", shows: "nobody: 401" },
        { path: "/desk", as: "laura", shows: "an accountant: 403" },
        { path: "/desk", as: "tom", shows: "a clerk" },
      ],
    },
    {
      route: "partners",
      title: "An API key",
      about: "gateway.json holds the SHA-256 of the key, and with it what is known of the partner.",
      requests: [
        { path: "/partners", shows: "no key: 401" },
        {
          path: "/partners",
          headers: { "X-Api-Key": "tea-for-two" },
          shows: "X-User and X-Discount arrive, the key does not",
        },
        { path: "/partners", as: "laura", shows: "a token is no key: 401" },
      ],
    },
  ],
};
