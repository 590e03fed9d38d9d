/** Titles of windows that tell which settings the window knows. */

const MARKS = { machine: "\u200b", folder: "\u200c" };

/** A title of its own for each writing of settings, of machine or folder. The marks have no width: pictures stay clean. */
export function numbered(kind: keyof typeof MARKS, number: number): string {
  return `models${MARKS[kind].repeat(number)}`;
}

/** Whether the settings of a folder have a say in a title. */
export function ofFolder(title: string): boolean {
  return title.includes(MARKS.folder);
}
