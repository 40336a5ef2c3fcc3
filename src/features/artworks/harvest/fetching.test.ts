import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WAIT_MS_MAX } from '../../../../tests/support/wait_ms_max.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { downloadSource, fetchFile, harvest } from './fetch_museum.ts';
import { fetchTerms } from './fetch_terms.ts';

/** A museum's server: its responses in order, and the requests it received. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;
let server: Server;
let answers: Answer[] = [];
let asked: { url: string; range?: string; ifRange?: string }[] = [];
let base: string;
let folder: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    asked.push({ url: request.url!, ...(range && { range }), ...(ifRange && { ifRange: String(ifRange) }) });
    answers.shift()!(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-museums-'));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const how = { fetch, signal: new AbortController().signal, pauseMs: 1, onProgress() {} };
const download = (...served: Answer[]) => {
  answers = served;
  return downloadSource({ ...how, url: `${base}/data.csv`, path: join(folder, 'data.csv') });
};
const content = () => readFileSync(join(folder, 'data.csv'), 'utf8');

const WHOLE = 'first half, second half';
const HALF = 12;
/** Sends half of the file and closes the connection once that has arrived. */
const breaksOff =
  (headers: Record<string, string> = { ETag: '"one"' }): Answer =>
  async (response) => {
    response.writeHead(200, { 'Content-Length': WHOLE.length, ...headers });
    response.write(WHOLE.slice(0, HALF));
    await vi.waitFor(() => expect(statSync(join(folder, 'data.csv.part')).size).toBe(HALF), {
      timeout: WAIT_MS_MAX,
      interval: 5,
    });
    response.destroy();
  };
const whole =
  (text = WHOLE): Answer =>
  (response) =>
    response.writeHead(200, { ETag: '"two"' }).end(text);
const rest =
  (from = HALF): Answer =>
  (response) =>
    response
      .writeHead(206, { 'Content-Range': `bytes ${from}-${WHOLE.length - 1}/${WHOLE.length}`, ETag: '"one"' })
      .end(WHOLE.slice(from));
const refuses =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end('no');
const hangsUp: Answer = (response) => response.destroy();

test('an interrupted download resumes if the file is unchanged', async () => {
  await download(breaksOff(), refuses(503), rest());
  expect(content()).toBe(WHOLE);
  expect(asked.slice(1)).toEqual(Array(2).fill({ url: '/data.csv', range: 'bytes=12-', ifRange: '"one"' }));
  expect(readdirSync(folder)).toEqual(['data.csv']);
});

test('a failed download keeps its partial file and the next command resumes it', async () => {
  await expect(download(breaksOff(), ...Array(5).fill(hangsUp))).rejects.toThrow(
    'the same command resumes it',
  );
  expect(asked.length).toBe(6);
  await download(rest());
  expect(content()).toBe(WHOLE);
  await download();
});

test.each([
  ['has changed meanwhile', { ETag: '"one"' }, { ifRange: '"one"' }],
  [
    'has a date',
    { 'Last-Modified': 'Sat, 21 Nov 2026 10:00:00 GMT' },
    { ifRange: 'Sat, 21 Nov 2026 10:00:00 GMT' },
  ],
])(
  'a file that %s is downloaded from the start when the server sends all of it',
  async (_, headers, condition) => {
    await download(breaksOff(headers), whole('another file'));
    expect(content()).toBe('another file');
    expect(asked[1]).toMatchObject(condition);
  },
);

test.each([[{}], [{ ETag: 'W/"one"' }]])(
  'with headers %j a partial file has no strong validator and is discarded',
  async (headers) => {
    await download(breaksOff(headers), whole());
    expect(content()).toBe(WHOLE);
    expect(asked[1]).toEqual({ url: '/data.csv' });
  },
);

test('a partial file rejected with status 416 is downloaded again', async () => {
  writeFileSync(join(folder, 'data.csv.part'), 'something else altogether');
  writeFileSync(join(folder, 'data.csv.part.version'), '"one"');
  await download(refuses(416), whole());
  expect(content()).toBe(WHOLE);
});

test('an unsolicited partial response is rejected', async () => {
  await expect(download(rest())).rejects.toThrow('a range that was not requested');
});

test('a permanent failure is reported at once, a temporary one after retries', async () => {
  await expect(download(refuses(410))).rejects.toThrow('/data.csv returned status 410');
  await expect(download(...Array(6).fill(refuses(503)))).rejects.toThrow('returned status 503');
  await expect(download(refuses(429, { 'Retry-After': '86400' }))).rejects.toThrow('returned status 429');
  expect(asked.length).toBe(8);
  expect(existsSync(join(folder, 'data.csv'))).toBe(false);
});

test('a terms page is stored under its SHA-256 and a failed fetch is reported', async () => {
  answers = [whole('You may.'), refuses(404)];
  const page = { ...how, url: `${base}/terms`, folder };
  const sha256 = createHash('sha256').update('You may.').digest('hex');
  expect(await fetchTerms(page)).toBe(sha256);
  expect(readFileSync(join(folder, `${sha256}.html`), 'utf8')).toBe('You may.');
  await expect(fetchTerms(page)).rejects.toThrow('/terms returned status 404');
});

test('URLs with the same file name become two files and a retry is shown', async () => {
  answers = [refuses(503), whole('one'), whole('two')];
  const shown: string[] = [];
  const onProgress = (_: number, message: string) => shown.push(message);
  const one = await fetchFile(`${base}/a/data.csv`, { ...how, onProgress, folder });
  expect(shown[0]).toBe(`trying again in 1 s: ${base}/a/data.csv returned status 503.`);
  const two = await fetchFile(`${base}/b/data.csv`, { ...how, folder });
  expect([one, two].map(({ path }) => readFileSync(path, 'utf8'))).toEqual(['one', 'two']);
});

const page =
  (token: string): Answer =>
  (response) =>
    response.end(`<ListRecords><record/><resumptionToken>${token}</resumptionToken></ListRecords>`);
const repository = (served: Answer[], more: object = {}) => {
  answers = served;
  return harvest({ ...how, url: `${base}/oai?verb=ListRecords&metadataPrefix=edm`, folder, ...more });
};

test('an OAI-PMH harvest retries a broken page and resumes after the last stored page', async () => {
  await repository([page('a&amp;b')], { pagesMax: 1 });
  await repository([hangsUp, page('two'), page('')]);
  expect(asked.map(({ url }) => url.split('?')[1])).toEqual([
    'verb=ListRecords&metadataPrefix=edm',
    'verb=ListRecords&resumptionToken=a%26b',
    'verb=ListRecords&resumptionToken=a%26b',
    'verb=ListRecords&resumptionToken=two',
  ]);
  await repository([]);
  expect(readdirSync(folder).length).toBe(3);
});

test('an expired resumption token is reported and the fetched pages are kept', async () => {
  await repository([page('old')], { pagesMax: 1 });
  const forgets: Answer = (response) => response.end('<error code="badResumptionToken"/>');
  await expect(repository([forgets])).rejects.toThrow('The pages fetched so far can be imported');
  expect(readdirSync(folder).length).toBe(1);
});

test('a repository that repeats a resumption token is abandoned', async () => {
  await expect(repository([page('again'), page('again'), page('again')])).rejects.toThrow(
    'maximum number of pages',
  );
});

test('a page full of unclosed resumption tokens is parsed in linear time', async () => {
  const hostile = `<ListRecords>${'<resumptionToken '.repeat(1_000_000)}</ListRecords>`;
  await repository([(response) => response.end(hostile)]);
  expect(readdirSync(folder)).toEqual(['000001.xml']);
});

test('an HTML page instead of a file is rejected and not stored', async () => {
  const page: Answer = (response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Log in');
  await expect(download(page)).rejects.toThrow('returned a web page');
  expect(readdirSync(folder)).toEqual([]);
});

test('a download that is too slow is abandoned', async () => {
  const drips: Answer = (response) => {
    response.writeHead(200, { 'Content-Length': 1_000_000 });
    const timer = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(timer));
  };
  answers = Array.from({ length: 10 }, () => drips);
  const wanted = { ...how, url: `${base}/data.csv`, path: join(folder, 'data.csv'), stallMs: 100 };
  await expect(downloadSource(wanted)).rejects.toThrow(SourceProblem);
});

test('a decompression bomb is abandoned', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const compressed: Answer = (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
  await expect(download(compressed)).rejects.toThrow('exceeds the maximum size');
});

test('a concurrent download of the same file is rejected', async () => {
  const both = await Promise.allSettled([download(whole()), download(whole())]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(content()).toBe(WHOLE);
});

test('a download to a full disk is rejected before it is written', async () => {
  answers = [whole()];
  const requireRoom = () => Promise.reject(new AtelierError('storage_full', 'no room'));
  const wanted = { ...how, url: `${base}/data.csv`, path: join(folder, 'data.csv'), requireRoom };
  await expect(downloadSource(wanted)).rejects.toThrow('no room');
  expect(asked.length).toBe(1);
});
