import { expect, test } from 'vitest';
import { streamBody } from './index.ts';
import { readBody, readJson } from './read_body.ts';

const sent = (body: string | Buffer | ReadableStream, headers: Record<string, string> = {}) => ({
  request: new Request('http://atelier.test/', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit),
});

test('a JSON object is parsed under any permitted Content-Type', async () => {
  const bodies = await Promise.all(
    ['application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded'].map((type) =>
      readJson(sent('{"a":1}', { 'Content-Type': type }), 100),
    ),
  );
  expect(bodies).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
});

test('an empty body is an empty object, and a byte order mark is skipped', async () => {
  expect(await readJson(sent(''), 100)).toEqual({});
  expect(await readJson(sent('\ufeff{"a":1}'), 100)).toEqual({ a: 1 });
});

test.each(['{', '[1]', 'nul', '"x"', '7'])('%s is rejected as invalid_json', async (text) => {
  await expect(readJson(sent(text), 100)).rejects.toMatchObject({ code: 'invalid_json' });
});

test('1 MiB of empty arrays is rejected as payload_too_large with the limit and a fix', async () => {
  const body = `{"query":5,"x":[${Array(300_000).fill('[]').join(',')}]}`;
  await expect(readJson(sent(body), 2 ** 20)).rejects.toMatchObject({
    code: 'payload_too_large',
    message: 'The JSON has more than 20,000 values. Send shorter lists and objects.',
  });
});

test('bytes that are not UTF-8 are rejected', async () => {
  await expect(readJson(sent(Buffer.from([0x7b, 0xff, 0x7d])), 100)).rejects.toMatchObject({
    code: 'invalid_json',
  });
});

test.each(['multipart/form-data', 'application/x-www-form-urlencoded', 'image/png'])(
  '%s without JSON is rejected',
  async (type) => {
    await expect(readJson(sent('a=1', { 'Content-Type': type }), 100)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  },
);

test('an oversized body is rejected by Content-Length, or while streaming if that header is wrong', async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1000)) });
  await expect(readBody(sent('{}', { 'Content-Length': '5000' }), 100)).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  await expect(readBody(sent(endless), 10_000)).rejects.toMatchObject({ code: 'payload_too_large' });
});

test.each([
  ['Content-Range', 'bytes 0-9/1000', 'unreadable_request'],
  ['Content-Range', 'bytes */*', 'unreadable_request'],
  ['Content-Encoding', 'gzip', 'unsupported_media_type'],
])('a body with %s: %s is rejected, buffered or streamed', async (name, value, code) => {
  const body = () => sent('0123456789', { [name]: value });
  await expect(readBody(body(), 100)).rejects.toMatchObject({ code });
  await expect(streamBody(body(), 100).next()).rejects.toMatchObject({ code });
});

test('Content-Encoding: identity is accepted', async () => {
  expect(String(await readBody(sent('0123', { 'Content-Encoding': 'Identity' }), 100))).toBe('0123');
});
