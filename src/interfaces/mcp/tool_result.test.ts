import { expect, test } from 'vitest';
import { sampleTools } from '../../../tests/support/sample_tools.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Services } from '../../features/services.ts';
import { toolResult } from './answer_call.ts';
import { MCP_TEXT_FIELD_CHARACTERS_MAX } from './limits.ts';

const tool = sampleTools[0]!;
const signal = new AbortController().signal;
const KEPT = { handle: 'result:abc', url: 'https://a.test/r/abc' };
const broken = {
  pixels: {},
  results: {
    open: () => Promise.reject(new AtelierError('result_not_found')),
    keep: () => Promise.resolve(KEPT),
  },
  site: { publicUrl: 'https://a.test' },
} as unknown as Pick<Services, 'pixels' | 'results' | 'site'>;

const resultOf = (body: Record<string, unknown>) =>
  toolResult(broken, tool, body, { wantsPreview: true, signal });

test('a missing preview adds a warning to the tool’s own warnings', async () => {
  const picture = { result: 'result:x', content_type: 'image/png', width: 9, height: 9 };
  const { structuredContent } = await resultOf({ ...picture, warnings: ['from the tool'] });

  expect(structuredContent).toMatchObject({
    warnings: ['from the tool', expect.stringContaining('No preview')],
  });
});

test('an SVG is included only if it is short', async () => {
  const short = { svg_content: '<svg/>', content_type: 'image/svg+xml', result_url: 'https://a.test/r' };
  const long = { ...short, svg_content: '<'.repeat(MCP_TEXT_FIELD_CHARACTERS_MAX + 1) };

  expect((await resultOf(short)).structuredContent).toEqual(short);
  expect((await resultOf(long)).structuredContent).not.toHaveProperty('svg_content');
  expect((await resultOf(long)).content[1]).toMatchObject({ type: 'resource_link', name: 'turn_image.svg' });
});

test('a non-text field named data is kept', async () => {
  expect((await resultOf({ data: { a: 1 } })).structuredContent).toEqual({ data: { a: 1 } });
});

test('a URL with an unsafe scheme is not offered as a link', async () => {
  expect((await resultOf({ url: 'javascript:alert(1)' })).content).toHaveLength(1);
});

test('base64 is omitted at any depth, and a nested image is shown', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUg==';
  const difference = { share: 0.5, heat_map_b64: png, parts: [{ raw_b64: 'AAAA', data: 'kept' }] };
  const { structuredContent, content } = await resultOf({ difference });

  expect(structuredContent).toEqual({ difference: { share: 0.5, parts: [{ data: 'kept' }] } });
  expect((content[0] as { text: string }).text).not.toContain(png);
  expect(content.slice(1)).toEqual([{ type: 'image', data: png, mimeType: 'image/png' }]);
});

test('a long list is truncated, and the full response is stored as a result', async () => {
  const works = Array.from({ length: 200 }, (_, id) => ({ id, title: 'A work '.repeat(20) }));
  const { structuredContent, content } = await resultOf({ works });
  const shown = structuredContent as { works: unknown[]; warnings: string[] };

  expect(shown.works.length).toBeLessThan(100);
  expect(shown.warnings).toEqual([expect.stringMatching(/of 200\).*atelier:\/\/results\/abc/)]);
  expect(content[1]).toMatchObject({ type: 'resource_link', uri: 'https://a.test/r/abc' });
});

test('a receipt is shown as an id and a link, and is complete in _meta', async () => {
  const payment = { wallet: '0xabc', receipt_id: 'rcpt_1', receipt: 'a.b.c' };
  const { structuredContent, content, _meta } = await resultOf({ payment });

  expect(structuredContent).toEqual({ payment: { ...payment, receipt: '' } });
  expect(content[1]).toMatchObject({ uri: 'https://a.test/api/wallet/receipts/rcpt_1?wallet=0xabc' });
  expect(_meta).toEqual({ 'io.github.atelier/receipt': 'a.b.c' });
});
