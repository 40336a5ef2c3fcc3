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

test('an object is read whatever harmless type it claims', async () => {
  const bodies = await Promise.all(
    ['application/json; charset=utf-8', 'text/plain', 'application/x-www-form-urlencoded'].map((type) =>
      readJson(sent('{"a":1}', { 'Content-Type': type }), 100),
    ),
  );
  expect(bodies).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
});

test('an empty body is an empty object, a byte order mark is skipped', async () => {
  expect(await readJson(sent(''), 100)).toEqual({});
  expect(await readJson(sent('\ufeff{"a":1}'), 100)).toEqual({ a: 1 });
});

test.each(['{', '[1]', 'nul', '"x"', '7'])('%s is refused as invalid_json', async (text) => {
  await expect(readJson(sent(text), 100)).rejects.toMatchObject({ code: 'invalid_json' });
});

test('a megabyte of empty arrays is refused as payload_too_large, with the limit and what to send', async () => {
  const body = `{"query":5,"x":[${Array(300_000).fill('[]').join(',')}]}`;
  await expect(readJson(sent(body), 2 ** 20)).rejects.toMatchObject({
    code: 'payload_too_large',
    message: 'The JSON has more than 20,000 values. Send shorter lists and objects.',
  });
});

test('bytes that are not UTF-8 are refused', async () => {
  await expect(readJson(sent(Buffer.from([0x7b, 0xff, 0x7d])), 100)).rejects.toMatchObject({
    code: 'invalid_json',
  });
});

test.each(['multipart/form-data', 'application/x-www-form-urlencoded', 'image/png'])(
  '%s that holds no JSON is refused',
  async (type) => {
    await expect(readJson(sent('a=1', { 'Content-Type': type }), 100)).rejects.toMatchObject({
      code: 'unsupported_media_type',
    });
  },
);

test('too much is refused by its header, and while it arrives when the header lies', async () => {
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
])('a body with %s: %s is refused, read whole or as a stream', async (name, value, code) => {
  const body = () => sent('0123456789', { [name]: value });
  await expect(readBody(body(), 100)).rejects.toMatchObject({ code });
  await expect(streamBody(body(), 100).next()).rejects.toMatchObject({ code });
});

test('Content-Encoding: identity changes nothing', async () => {
  expect(String(await readBody(sent('0123', { 'Content-Encoding': 'Identity' }), 100))).toBe('0123');
});
