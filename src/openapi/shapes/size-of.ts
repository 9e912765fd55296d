// An empty object is two signs of text, and many times that in memory.
const leastSize = 16;

/** How many bytes a value has as JSON, small ones counted as what they cost in memory; no further than beyond `most`. */
export function sizeOf(value: unknown, most: number): number {
  if (typeof value === "string") return sizeOfText(value);
  if (typeof value === "bigint") return String(value).length;
  if (typeof value !== "object" || value === null) return leastSize;
  return Array.isArray(value) ? sizeOfList(value, most) : sizeOfMembers(value, most);
}

function sizeOfText(text: string): number {
  return Math.max(leastSize, Buffer.byteLength(JSON.stringify(text)));
}

function sizeOfList(list: readonly unknown[], most: number): number {
  let size = leastSize;
  for (const item of list) {
    if (size > most) break;
    size += sizeOf(item, most - size);
  }
  return size;
}

function sizeOfMembers(object: object, most: number): number {
  let size = leastSize;
  for (const [name, value] of Object.entries(object)) {
    if (size > most) break;
    if (value !== undefined) size += sizeOfText(name) + sizeOf(value, most - size);
  }
  return size;
}
