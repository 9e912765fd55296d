/** How a piece of text looks on a terminal. */
export type Style = (format: "bold" | "dim" | "green" | "red" | "yellow", text: string) => string;
