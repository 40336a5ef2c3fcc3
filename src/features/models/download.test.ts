import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { download } from './download.ts';
import { hashOf } from './recognise.ts';

const FILE = Buffer.from(Array.from({ length: 5000 }, (_, at) => at % 251));
const expected = { bytes: FILE.length, sha256: hashOf(FILE) };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-download-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A server in words: what it was asked, and its answers one after the other. */
function served(...answers: ((range: string | null) => Response)[]) {
  const ranges: (string | null)[] = [];
  const seen: number[] = [];
  const wanted = {
    url: 'https://files.test/weights.pth',
    part: join(folder, 'weights.pth.part'),
    expected,
    signal: new AbortController().signal,
    onProgress: (done: number) => void seen.push(done),
    fetch: async (_url: unknown, init?: RequestInit) => {
      const range = new Headers(init?.headers).get('range');
      ranges.push(range);
      return answers.shift()!(range);
    },
  };
  return { wanted, ranges, seen };
}
const whole = () => new Response(FILE);
const rest = (range: string | null) => {
  const start = Number(/bytes=(\d+)-/.exec(range!)![1]);
  const headers = { 'Content-Range': `bytes ${start}-${FILE.length - 1}/${FILE.length}` };
  return new Response(FILE.subarray(start), { status: 206, headers });
};
/** Breaks off when more is asked for, not after a time: an error throws away what waits in the stream unread. */
const breaking = () => {
  const pieces = [new Uint8Array(FILE.subarray(0, 2000))];
  return new Response(
    new ReadableStream(
      {
        pull(controller) {
          const piece = pieces.shift();
          if (piece) controller.enqueue(piece);
          else controller.error(new Error('reset'));
        },
      },
      { highWaterMark: 0 },
    ),
  );
};

test('downloads the whole file and reports progress', async () => {
  const { wanted, ranges, seen } = served(whole);
  expect(Buffer.from(await download(wanted))).toEqual(FILE);
  expect([ranges, seen.at(-1)]).toEqual([[null], FILE.length]);
});

test('after an interruption the next attempt requests only the remaining bytes', async () => {
  const { wanted, ranges } = served(breaking, rest);
  await expect(download(wanted)).rejects.toThrow('stopped sending');
  expect(Buffer.from(await download(wanted))).toEqual(FILE);
  expect(ranges).toEqual([null, 'bytes=2000-']);
});

test('a download that is too slow is aborted like a stalled one', async () => {
  const drip: typeof fetch = async (_url, init) =>
    new Response(
      new ReadableStream({
        start(controller) {
          const timer = setInterval(() => controller.enqueue(Uint8Array.of(0)), 5);
          init!.signal!.addEventListener('abort', () => {
            clearInterval(timer);
            controller.error(init!.signal!.reason);
          });
        },
      }),
    );
  const { wanted } = served();
  await expect(download({ ...wanted, fetch: drip, stallMs: 100 })).rejects.toThrow('stopped sending');
});

test('a full response from a server without range support replaces the partial file', async () => {
  const { wanted } = served(whole);
  writeFileSync(wanted.part, FILE.subarray(0, 1234));
  expect(Buffer.from(await download(wanted))).toEqual(FILE);
});

test('a partial response with the wrong offset is not appended', async () => {
  const { wanted } = served(() => rest('bytes=17-'));
  writeFileSync(wanted.part, FILE.subarray(0, 1234));
  await expect(download(wanted)).rejects.toThrow('ended after');
});

test('a complete file from an earlier attempt is verified and not requested again', async () => {
  const { wanted, ranges } = served();
  writeFileSync(wanted.part, FILE);
  await download(wanted);
  expect(ranges).toEqual([]);
});

test.each([
  ['altered', Buffer.alloc(FILE.length)],
  ['too long', Buffer.alloc(FILE.length + 1)],
])('a partial file that is %s is discarded', async (_what, bytes) => {
  const { wanted } = served(whole, whole);
  writeFileSync(wanted.part, bytes);
  await download(wanted).catch(() => {});
  expect(Buffer.from(await download(wanted))).toEqual(FILE);
});

test('aborting keeps the bytes already received', async () => {
  const stop = new AbortController();
  const { wanted } = served(breaking);
  const given = { ...wanted, signal: stop.signal, onProgress: () => stop.abort(new Error('given up')) };
  await expect(download(given)).rejects.toThrow();
  expect(readFileSync(wanted.part).length).toBe(2000);
});

test.each([
  ['a web page', { 'Content-Type': 'text/html; charset=utf-8' }, 'returned a web page'],
  ['a gigabyte', { 'Content-Length': '1073741824' }, 'offers 1073741824 bytes'],
])('%s instead of the file is rejected before any byte is stored', async (_what, headers, words) => {
  const { wanted } = served(() => new Response(FILE, { headers }));
  await expect(download(wanted)).rejects.toThrow(words);
  expect(readdirSync(folder)).toEqual([]);
});

test('a download interrupted at any byte resumes and completes', async () => {
  for (const cut of [0, 1, 2499, 4998, 4999]) {
    const { wanted } = served(
      () => new Response(FILE.subarray(0, cut)),
      (range) => (range === null ? whole() : rest(range)),
    );
    await expect(download(wanted)).rejects.toThrow('ended after');
    expect(Buffer.from(await download(wanted))).toEqual(FILE);
    rmSync(wanted.part);
  }
});
