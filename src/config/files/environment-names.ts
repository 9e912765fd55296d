const usualNames = new Set(
  ["Development", "Dev", "Staging", "Stage", "Production", "Prod", "Local", "Test", "QA", "UAT", "Docker"].map((name) =>
    name.toLowerCase(),
  ),
);

/** The part of a file's name that is an environment's, such as `Production` in `ocelot.Production.json`. */
export function environmentIn(fileName: string, asked: string | undefined): string | undefined {
  const words = fileName.split(".").slice(1, -1);
  return words.find((word) => usualNames.has(word.toLowerCase()) || word.toLowerCase() === asked?.toLowerCase());
}

/** What a file must be called, in small letters, to be laid over a file or the files of a folder. */
export function overlayNameOf(stem: string, environment: string): string {
  return `${stem}.${environment}.json`.toLowerCase();
}
