import { expect } from 'vitest';

/** Waits until no process is left of a group, which has the number of the process that was started `detached`. */
export const endOfGroup = (group: number): Promise<void> => expect.poll(() => isThere(group)).toBe(false);

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
