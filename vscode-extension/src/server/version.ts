/** Versions of the server: what it says of itself, and whether that is new enough for this extension. */

/** The oldest server whose commands and notifications this extension knows how to use. */
export const OLDEST_SERVER = "0.1.0";

/** The first version number in what `exportdb-lsp --version` printed, or undefined where there is none. */
export function versionIn(output: string): string | undefined {
  return /\b\d+\.\d+(?:\.\d+)?(?:[-.]?[a-z]+\d*)*/i.exec(output)?.[0];
}

/** Whether `version` is `oldest` or newer. A pre-release counts as its release: people who run one know why. */
export function isRecent(version: string, oldest: string = OLDEST_SERVER): boolean {
  const have = numbers(version);
  const want = numbers(oldest);
  for (let i = 0; i < 3; i++) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function numbers(version: string): number[] {
  return (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number);
}
