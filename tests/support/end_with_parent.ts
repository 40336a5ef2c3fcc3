import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program that a test starts: the program ends when the process that started it does, however that ended. One
 * left behind by a failed test would hold the output of the run open, and whoever waits for its end would wait for ever.
 * Threads and processes of the program load it too, and have no such input.
 */
const STDIN = 0;

if (isMainThread && fstatSync(STDIN).isSocket()) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
  // A program that stops by itself is not held up.
  process.stdin.unref();
}
