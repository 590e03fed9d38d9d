/** When to start a crashed server again. Pure: the caller gives the time, so tests need no clock. */

const DELAYS = [500, 2_000, 5_000, 15_000];
/** A server that ran this long was healthy: its crash starts a new series. */
const HEALTHY = 120_000;

export interface Retry {
  /** Milliseconds to wait, or undefined: it crashed too often in a row, leave it. */
  delay: number | undefined;
  /** Whether this is the first crash of a series, the one that people are told about. */
  first: boolean;
}

export class Backoff {
  private crashes = 0;
  private startedAt: number | undefined;

  /** The server answered its first request. */
  started(now: number): void {
    this.startedAt = now;
  }

  /** The server ended without having been asked to. */
  crashed(now: number): Retry {
    if (this.startedAt !== undefined && now - this.startedAt >= HEALTHY) this.crashes = 0;
    this.startedAt = undefined;
    const delay = DELAYS[this.crashes];
    this.crashes += 1;
    return { delay, first: this.crashes === 1 };
  }

  /** Somebody asked for a restart: the past does not count. */
  reset(): void {
    this.crashes = 0;
    this.startedAt = undefined;
  }
}
