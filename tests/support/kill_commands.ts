import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type RunningCommand, runCommand } from './run_command.ts';

/** Runs a command, expects success, and returns its output. */
export async function succeed(words: string[], settings: Record<string, string>): Promise<string> {
  const { code, said } = await runCommand(words, settings).ended;
  expect(said).not.toMatch(/\n\s+at /);
  expect([code, said]).toEqual([0, said]);
  return said;
}

/** Kills a command as soon as a condition holds; false if it has ended before. */
export async function killWhen(
  command: RunningCommand,
  isTime: () => boolean | Promise<boolean>,
): Promise<boolean> {
  let hasEnded = false;
  command.ended.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !(await isTime())) await sleep(1);
  command.kill();
  return (await command.ended).code === null;
}

/**
 * Repeats until the kill came in the middle: some phases last milliseconds, and this process may miss one.
 */
export async function inTheMiddle<T>(tryOnce: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 8; tries += 1) {
    const killed = await tryOnce();
    if (killed !== undefined) return killed;
  }
  throw new Error('It had ended each time before it was killed.');
}
