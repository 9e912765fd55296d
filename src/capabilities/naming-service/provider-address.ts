/** Where the naming service is, unless the configuration says otherwise. */
export const providerAddress = { host: "localhost", port: 19_081 } as const;
