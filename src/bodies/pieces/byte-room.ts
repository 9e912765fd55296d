/** How many bytes may be held at the same time, of all that are held together. */
export type ByteRoom = Readonly<{
  has: (bytes: number) => boolean;
  /** Takes so much; false where there is not as much left. */
  take: (bytes: number) => boolean;
  giveBack: (bytes: number) => void;
}>;

/** Makes a room of some bytes. */
export function createByteRoom(bytes: number): ByteRoom {
  let left = bytes;
  const has = (wanted: number): boolean => wanted <= left;
  return {
    has,
    take(wanted) {
      if (!has(wanted)) return false;
      left -= wanted;
      return true;
    },
    giveBack(taken) {
      left += taken;
    },
  };
}
