/** Where a request goes from the middleware: to the upstream, to the error handlers, or out of the gateway. */
export type Destinations = Readonly<{ proxy: () => void; fail: (error: unknown) => void; leave: () => void }>;
