import { expect } from 'vitest';

/** Waits until no process of a group is left; its id is that of the process started as `detached`. */
export const endOfGroup = (group: number): Promise<void> => expect.poll(() => isThere(group)).toBe(false);

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
