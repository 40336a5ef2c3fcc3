import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { downloadSource } from './download_source.ts';
import { harvest } from './harvest.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-museums-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A server in words: its answers one after the other, and what it was asked. */
function served(...answers: ((range: string | null) => Response)[]) {
  const asked: { url: string; range: string | null }[] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    const range = new Headers(init?.headers).get('range');
    asked.push({ url: String(url), range });
    return answers.shift()!(range);
  };
  return { asked, fetch: fetch as typeof globalThis.fetch, signal: new AbortController().signal };
}

/** Breaks off when what there was is on the disk. */
const breaking = () =>
  new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('first half, '));
        await vi.waitUntil(() => readdirSync(folder).some((name) => statSync(join(folder, name)).size > 0));
        controller.error(new Error('reset'));
      },
    }),
  );
const rest = () =>
  new Response('second half', { status: 206, headers: { 'Content-Range': 'bytes 12-22/23' } });

test('a download that broke off goes on from there, and is not asked for a third time', async () => {
  const { asked, ...server } = served(breaking, rest);
  const wanted = { ...server, url: 'https://a.test/data.csv', folder, onProgress() {} };
  await expect(downloadSource(wanted)).rejects.toThrow('the same command goes on from there');
  const path = await downloadSource(wanted);
  expect(readFileSync(path, 'utf8')).toBe('first half, second half');
  expect(await downloadSource(wanted)).toBe(path);
  expect(asked.map(({ range }) => range)).toEqual([null, 'bytes=12-']);
});

test('an answer that is no file is told', async () => {
  const { fetch, signal } = served(() => new Response('gone', { status: 410 }));
  const wanted = { fetch, signal, url: 'https://a.test/data.csv', folder, onProgress() {} };
  await expect(downloadSource(wanted)).rejects.toThrow('https://a.test/data.csv answered 410');
});

test('a repository is read page by page, and read on after the last page that is there', async () => {
  const page = (token: string) => () =>
    new Response(`<ListRecords><record/><resumptionToken>${token}</resumptionToken></ListRecords>`);
  const last = () => new Response('<ListRecords><record/><resumptionToken/></ListRecords>');
  const { asked, fetch, signal } = served(page('a&amp;b'), page('two'), last);
  const wanted = {
    fetch,
    signal,
    url: 'https://a.test/oai?verb=ListRecords&metadataPrefix=edm',
    folder,
    onProgress() {},
  };
  await harvest({ ...wanted, pagesMax: 1 });
  await harvest(wanted);
  expect(asked.map(({ url }) => url.split('?')[1])).toEqual([
    'verb=ListRecords&metadataPrefix=edm',
    'verb=ListRecords&resumptionToken=a%26b',
    'verb=ListRecords&resumptionToken=two',
  ]);
});
