/** What an entity tag names: services that code bodies name the same by a weak tag and a strong one. */
export function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, "");
}
