/** By these a client wants an answer only if it is another one than it has. */
export const comparingHeaders = ["if-none-match", "if-modified-since"] as const;

/** By these a client wants a part of an answer, or one from a certain state. */
export const partialHeaders = ["range", "if-range", "if-match", "if-unmodified-since"] as const;
