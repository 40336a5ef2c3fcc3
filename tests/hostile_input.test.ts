import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/tools/example_image.ts';
import { tools } from '../src/tools/index.ts';
import { FREE } from '../src/tools/price.ts';
import type { AnyTool } from '../src/tools/tool.ts';
import { openTestApp, type TestApp, type TestReply } from './support/open_test_app.ts';
import { toppedUp } from './support/topped_up.ts';

const HOSTILE = join(import.meta.dirname, '../../shared/fixtures/badimages');
const MIB = 1024 * 1024;
/** Of 1600 credits each: the dearest tool takes 15 for each of 300 files. */
const PACKS = 3;

interface HostileFile {
  file: string;
  kind: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const imageTools = tools.filter((tool) => 'image' in tool.input.shape);
/** They work for long on what they take, so they get one file of each kind in each folder: all tools decode alike. */
const SLOW = new Set(['mockup_image', 'upscale_image']);
/** What is sent beside the picture: of infuse_metadata that of the mode which does more. */
const exampleOf = ({ name, examples }: AnyTool) => examples[name === 'infuse_metadata' ? 1 : 0];
const ordinary = () => app.post('/api/tools/resize_image', { image: EXAMPLE_PNG_B64, width: 4, height: 4 });

describe.skipIf(!existsSync(HOSTILE))('malformed pictures (skipped without ../shared/fixtures)', () => {
  const files = existsSync(HOSTILE)
    ? (JSON.parse(readFileSync(join(HOSTILE, 'index.json'), 'utf8')) as HostileFile[])
    : [];

  test.each(imageTools.map((tool) => [tool.name, tool] as const))(
    '%s answers every one with a result or a clear 4xx',
    async (_name, tool) => {
      const wrong: string[] = [];
      // Nothing is looked at before somebody can pay for it.
      const wallet = `0x${createHash('sha256').update(tool.name).digest('hex').slice(0, 40)}`;
      for (let packs = 0; packs < PACKS; packs++) await toppedUp(app.post, wallet);
      for (const batch of inBatches(sentTo(tool, files), 6)) {
        await Promise.all(
          batch.map(async ({ file, kind }) => {
            const image = readFileSync(join(HOSTILE, file)).toString('base64');
            const call = { ...exampleOf(tool), image };
            const reply = await app.post(`/api/tools/${tool.name}`, call, {
              Authorization: `Bearer ${wallet}`,
            });
            const problem = problemWith(reply, kind);
            if (problem) wrong.push(`${file} (${kind}): ${problem}`);
          }),
        );
      }
      expect(wrong).toEqual([]);
      expect((await ordinary()).status).toBe(200);
    },
    180_000,
  );
});

function problemWith({ status, text, body }: TestReply, kind: string): string | undefined {
  if (status === 401 || status === 402) return `${status}: the picture was not looked at`;
  if (status >= 500) return `${status} ${body?.code} ${body?.detail}`;
  if (status !== 200 && !body?.detail) return 'no detail';
  if (/node_modules|at \w+ \(|\.ts:\d+|vips_/.test(text)) return `inner detail: ${text.slice(0, 300)}`;
  if (kind.startsWith('bomb') && status === 200) return 'a bomb was taken';
  return undefined;
}

function sentTo(tool: AnyTool, files: readonly HostileFile[]): readonly HostileFile[] {
  if (SLOW.has(tool.name)) return oneOfEach(files);
  // Paid tools take a second for a sound picture, and what they make of one is not the question.
  return tool.price === FREE ? files : files.filter(({ kind }) => !/^valid/.test(kind));
}

const oneOfEach = (files: readonly HostileFile[]): HostileFile[] => [
  ...new Map(files.map((file) => [file.file.split('/')[0] + file.kind, file])).values(),
];

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

describe('bodies', () => {
  test('200 MB are refused by their header, without being read', async () => {
    const request = new Request('http://atelier.test/api/tools/resize_image', {
      method: 'POST',
      headers: { 'Content-Length': String(200 * MIB) },
      body: '{}',
    });
    const response = await app.fetch(request);
    expect(response.status).toBe(413);
  });

  test('200 MB that lie about their length are refused while they arrive', async () => {
    let sent = 0;
    const piece = new Uint8Array(MIB).fill(0x20);
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 200) controller.close();
        else controller.enqueue(piece);
      },
    });
    const request = new Request('http://atelier.test/api/tools/resize_image', {
      method: 'POST',
      body,
      duplex: 'half',
    } as RequestInit);
    const response = await app.fetch(request);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(60);
  });

  test.each([
    '',
    ' ',
    '\u0000',
    '{"a"',
    '{"a":1}}',
    '{"a":01}',
    'NaN',
    "{'a':1}",
    '<xml/>',
    '\ud800',
    '{"__proto__":{"x":1}}',
    `{"image":${'['.repeat(200_000)}`,
  ])('%j is a 4xx', async (text) => {
    const { status, body } = await app.post('/api/tools/resize_image', text.slice(0, 300_000));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body.detail).toEqual(expect.any(String));
  });

  test('nesting as deep as the body allows is a 4xx', async () => {
    const deep = `{"image":"x","width":1,"height":1,"x":${'['.repeat(450_000)}${']'.repeat(450_000)}}`;
    const { status } = await app.post('/api/tools/resize_image', deep);
    expect(status).toBe(400);
  });

  test('a million fields are refused before they are parsed', async () => {
    const fields = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":1`).join(',');
    const { status, body } = await app.post('/api/tools/resize_image', `{${fields}}`);
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'payload_too_large' });
  });

  test('numbers beyond numbers are a 4xx', async () => {
    for (const width of ['1e999', '-0', '1e-999', '99999999999999999999999']) {
      const { status } = await app.post(
        '/api/tools/resize_image',
        `{"image":"${EXAMPLE_PNG_B64}","width":${width},"height":1}`,
      );
      expect(status).toBe(400);
    }
  });
});

describe('a call that fails', () => {
  const wallet = '0x00000000000000000000000000000000000000c1';
  const bearer = { Authorization: `Bearer ${wallet}` };

  test.each([
    [{ wallet, key: 'k', data: '***' }],
    [{ wallet, key: '', data: 'aGk=' }],
    [{ wallet, key: 'a\u0000b', data: 'aGk=' }],
    [{ wallet, key: 'k', data: 'aGk=', content_type: 'text/html\r\nX: y' }],
    [{ wallet, key: 'k', data: 'aGk=', metadata: 'text' }],
    [{ wallet: '0x00000000000000000000000000000000000000c2', key: 'k', data: 'aGk=' }],
  ])('costs nothing: %j', async (body) => {
    await app.post('/api/wallet/register', { wallet });
    const { status } = await app.post('/api/tools/save_asset', body, bearer);
    const balance = await app.post('/api/tools/check_balance', { wallet });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(balance.body).toMatchObject({ balance: 10, held: 0 });
  });
});
