/** Waiting for states that can be seen. Nothing here waits for a time. */

/** Long enough for a cold `import torch` on a busy machine, in milliseconds. Tests go on as soon as they can. */
export const PATIENCE = Number(process.env.E2E_PATIENCE ?? 60) * 1000;

/** Waits until something holds; says what was the case instead. */
export async function eventually<T>(
  value: () => T | Promise<T>,
  holds: (value: T) => boolean,
  what: string,
  patience: number = PATIENCE,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const now = await value();
    if (holds(now)) return now;
    if (Date.now() > end) throw new Error(`${what}: still ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Repeats a whole gesture until it has the effect that it waits for: focus may jump while the workbench settles.
 * Each attempt may wait longer than the one before.
 */
export async function retry<T>(gesture: (soon: { timeout: number }) => Promise<T>, times = 8): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await gesture({ timeout: 1_500 * attempt });
    } catch (cause) {
      if (process.env.E2E_TRACE !== undefined) console.error(`attempt ${attempt}: ${String(cause)}`);
      if (attempt === times) throw cause;
    }
  }
}
