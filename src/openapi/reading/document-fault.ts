/** Why a text is no document, for whoever asks for it. */
export type DocumentFault = Readonly<{ fault: string }>;

/** Whether something could not be read. */
export function isFault(read: object): read is DocumentFault {
  return "fault" in read;
}
