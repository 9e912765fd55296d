/** How many bytes may wait, over all routes, until they are kept or have gone to their clients. */
export type Room = Readonly<{
  /** Takes so much; false where there is not as much left. */
  take: (bytes: number) => boolean;
  giveBack: (bytes: number) => void;
}>;

/** Makes a room of some bytes. */
export function createRoom(bytes: number): Room {
  let left = bytes;
  return {
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
    giveBack(taken) {
      left += taken;
    },
  };
}
