/** The other processes that serve the same gateway. */
export type Peers = Readonly<{
  /** Whether there are any. */
  areThere: boolean;
  /** Asks all of them about something; those that fail, or do not answer in time, are left out. */
  ask: (topic: string, asked: unknown) => Promise<readonly unknown[]>;
  /** Says how this process answers them about something; what comes and goes is plain JSON. */
  answer: (topic: string, by: (asked: unknown) => unknown) => void;
}>;

/** Of a gateway that one process serves alone. */
export const noPeers: Peers = { areThere: false, ask: () => Promise.resolve([]), answer: () => undefined };

/**
 * Makes a function of this process one of all: what comes back asks this one and all others at the same time. This one's
 * answer comes first.
 */
export function askEverywhere<Asked, Answer>(
  peers: Peers,
  topic: string,
  own: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<readonly Answer[]> {
  // Processes of one gateway run the same program.
  peers.answer(topic, (asked) => own(asked as Asked));
  return async function askAll(asked) {
    const [here, there] = await Promise.all([own(asked), peers.ask(topic, asked)]);
    return [here, ...(there as readonly Answer[])];
  };
}
