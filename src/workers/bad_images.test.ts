import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { readHeader } from '../engines/picture/read_header.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { createPixels } from './create_pixels.ts';

/** Every hostile, damaged and odd file of the fixtures, through the header reader and through the pool. */
const FOLDER = new URL('../../../shared/fixtures/badimages/', import.meta.url);
const isHere = existsSync(FOLDER);
const MEMORY_BYTES_MAX = 512 * 1024 * 1024;

interface BadFile {
  readonly file: string;
  readonly kind: string;
}
const files: BadFile[] = isHere
  ? JSON.parse(readFileSync(new URL('index.json', FOLDER), 'utf8')).filter(
      ({ kind }: BadFile) => !kind.startsWith('request text'),
    )
  : [];

const pool = createPixels({
  workers: 2,
  pixelsInFlightMax: 160_000_000,
  queueLengthMax: 400,
  deadlineMs: 60_000,
});
afterAll(() => pool.close());
const signal = new AbortController().signal;
const resized = (bytes: Uint8Array) =>
  pool.run(
    'resize',
    { bytes, width: 64, height: 64, mode: 'contain', format: 'jpeg', quality: 80 },
    { pixels: 1000, signal, deadlineMs: 20_000 },
  );

const outcome = (error: unknown) => (error instanceof AtelierError ? error : Promise.reject(error));
const header = (bytes: Uint8Array) => {
  try {
    return readHeader(bytes);
  } catch (error) {
    return error;
  }
};

const ready = test.skipIf(!isHere);

ready(
  'every file is answered or refused with a clean 4xx, and the processes stay within memory',
  async () => {
    const answers = await Promise.all(
      files.map(async ({ file, kind }) => {
        const bytes = readFileSync(new URL(file, FOLDER));
        return { file, kind, head: header(bytes), answer: await resized(bytes).catch(outcome) };
      }),
    );

    const refused = answers.filter(({ answer }) => answer instanceof AtelierError);
    expect(refused.filter(({ answer }) => (answer as AtelierError).status >= 500)).toEqual([]);
    expect(refused.filter(({ answer }) => /\/|vips|\n/i.test((answer as AtelierError).message))).toEqual([]);
    expect(answers.filter(({ head }) => head instanceof Error && !(head instanceof AtelierError))).toEqual(
      [],
    );

    const wronglyRefused = answers.filter(
      ({ kind, head, answer }) =>
        kind.startsWith('valid') && (head instanceof Error || answer instanceof Error),
    );
    expect(wronglyRefused).toEqual([]);
    const wronglyTaken = answers.filter(
      ({ kind, answer }) => /^(corrupt|first \d)/.test(kind) && !(answer instanceof Error),
    );
    expect(wronglyTaken).toEqual([]);
    const bombsPastTheHeader = answers.filter(
      ({ file, head }) => file.startsWith('bombs/') && !(head instanceof Error),
    );
    expect(bombsPastTheHeader).toEqual([]);

    for (const pid of pool.pids) expect(peakBytes(pid)).toBeLessThan(MEMORY_BYTES_MAX);
  },
  60_000,
);

ready('appended bytes do not survive', async () => {
  const polyglot = readFileSync(new URL('tricks/jpeg-then-zip.jpg', FOLDER));
  const endOfZip = 'PK\x05\x06';
  const { bytes } = await resized(polyglot);
  expect(polyglot.includes(endOfZip)).toBe(true);
  expect(Buffer.from(bytes).includes(endOfZip)).toBe(false);
});

function peakBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) * 1024;
}
