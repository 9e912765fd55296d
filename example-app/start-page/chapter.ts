/** One request that the start page offers; a plain GET is a link, everything else a button. */
export type ExampleRequest = Readonly<{
  path: string;
  /** What to look at in what comes back. */
  shows: string;
  method?: "POST";
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Another host name than the page's: the browser goes there instead of the page asking. */
  host?: string;
  /** What the page says once it has opened a WebSocket at the path. */
  says?: string;
  /** The user in whose name the page asks: it fetches a token first. */
  as?: string;
  /** The page opens a WebSocket at the path, and shows what comes as long as it comes. */
  listens?: true;
}>;

/** What the start page tells about one route, by its `Key`; undefined for requests that no route matches. */
export type Example = Readonly<{
  route: string | undefined;
  title: string;
  about: string;
  requests: readonly ExampleRequest[];
}>;

/** A part of the start page. */
export type Chapter = Readonly<{ title: string; about: string; examples: readonly Example[] }>;
