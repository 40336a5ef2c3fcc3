import { fstatSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a program that a test starts: the program ends when the process that started it does, in
 * whatever way. A program left behind by a failed test would keep the output of the run open, and the run
 * would never end.
 * Threads and processes of the program load it too, and have no such input.
 */
const STDIN = 0;

if (isMainThread && fstatSync(STDIN).isSocket()) {
  process.stdin.on('close', () => process.kill(process.pid, 'SIGKILL')).resume();
  // Does not keep the program running.
  process.stdin.unref();
}
