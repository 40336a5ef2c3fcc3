import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { AtelierError } from '../../src/core/errors/atelier_error.ts';
import { pictureHeader } from '../../src/core/workers/image_header.ts';
import { createPixels } from '../../src/core/workers/workers.ts';
import type { HostilePicture } from '../fixtures/hostile/hostile_pictures.ts';

const MEMORY_BYTES_MAX = 512 * 1024 * 1024;

const pool = createPixels({
  workers: 2,
  pixelsInFlightMax: 160_000_000,
  queueLengthMax: 400,
  deadlineMs: 60_000,
});
afterAll(() => pool.close());
const signal = new AbortController().signal;

const resizeInPool = (bytes: Uint8Array) =>
  pool.run(
    'resize',
    { bytes, width: 64, height: 64, mode: 'contain', format: 'jpeg', quality: 80 },
    { pixels: 1000, signal, deadlineMs: 120_000 },
  );

/** Checks images of known kinds in the header reader and in the worker pool. */
export function testBadImages(pictures: readonly HostilePicture[]): void {
  test('each is answered or refused with a clean 4xx, and the processes stay within memory', async () => {
    const answers = await Promise.all(
      pictures.map(async ({ name, kind, bytes }) => ({
        name,
        kind,
        head: header(bytes),
        answer: await resizeInPool(bytes).catch(outcome),
      })),
    );

    const refused = answers.filter(({ answer }) => answer instanceof AtelierError);
    expect(refused.filter(({ answer }) => (answer as AtelierError).status >= 500)).toEqual([]);
    expect(refused.filter(({ answer }) => /\/|vips|\n/i.test((answer as AtelierError).message))).toEqual([]);
    expect(answers.filter(({ head }) => head instanceof Error && !(head instanceof AtelierError))).toEqual(
      [],
    );
    const wronglyRefused = answers.filter(
      ({ kind, head, answer }) => kind === 'sound' && (head instanceof Error || answer instanceof Error),
    );
    expect(wronglyRefused).toEqual([]);
    const wronglyTaken = answers.filter(
      ({ kind, answer }) => /^(corrupt|cut)$/.test(kind) && !(answer instanceof Error),
    );
    expect(wronglyTaken).toEqual([]);
    const bombsPastTheHeader = answers.filter(
      ({ kind, head }) => kind === 'bomb' && !(head instanceof Error),
    );
    expect(bombsPastTheHeader).toEqual([]);
    for (const pid of pool.pids) expect(peakBytes(pid)).toBeLessThan(MEMORY_BYTES_MAX);
  }, 60_000);

  test.each(pictures.filter(({ kind }) => kind === 'polyglot'))(
    '$name: it does not survive',
    async ({ bytes }) => {
      const endOfZip = 'PK\x05\x06';
      const resized = await resizeInPool(bytes);
      expect(bytes.includes(endOfZip)).toBe(true);
      expect(Buffer.from(resized.bytes).includes(endOfZip)).toBe(false);
    },
  );
}

const outcome = (error: unknown) => (error instanceof AtelierError ? error : Promise.reject(error));
const header = (bytes: Uint8Array) => {
  try {
    return pictureHeader(bytes);
  } catch (error) {
    return error;
  }
};

function peakBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
