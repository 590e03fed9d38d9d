/** The last lines of the log, for bug reports. */
export class RecentLines {
  private readonly lines: string[] = [];

  constructor(private readonly limit: number) {}

  add(text: string): void {
    this.lines.push(...text.split("\n"));
    if (this.lines.length > this.limit) this.lines.splice(0, this.lines.length - this.limit);
  }

  all(): readonly string[] {
    return this.lines;
  }
}
