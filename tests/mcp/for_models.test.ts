import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner, type Owner } from '../support/owner.ts';
import { scene } from '../support/scene.ts';

/** What a model gets where a program gets more, or something else. */

let app: TestApp;
let owner: Owner;
let image: string;

beforeAll(async () => {
  app = await openTestApp();
  owner = await newOwner(app);
  image = (await scene()).toString('base64');
});
afterAll(() => app?.close());

// biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
const call = async (name: string, args: object, headers: Record<string, string> = {}): Promise<any> => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  return (await app.post('/mcp', message, headers)).body.result;
};

test('next steps name tools, also in a refusal', async () => {
  const { structuredContent: done } = await call('resize_image', { image, width: 8, height: 8 });
  const { structuredContent: unpaid } = await call('upscale_image', { image });

  for (const step of [...done.next_steps, unpaid.next_steps[0]])
    expect(step).toMatchObject({ tool: expect.stringMatching(/^[a-z_]+$/), params: expect.anything() });
  expect(JSON.stringify(done)).not.toContain('POST /api');
});

test('signed statements are links, and the receipt signs the response as sent', async () => {
  const sent = { image, metadata: { title: 'Harbour' }, metadata_mode: 'full_codex' };
  const { structuredContent, content, _meta } = await call('infuse_metadata', sent, owner.bare);
  const { jws, jws_url: url } = structuredContent.soulmark;
  const [, claims] = _meta['io.github.atelier/receipt'].split('.');
  const { answer_sha256 } = JSON.parse(Buffer.from(claims, 'base64url').toString());

  expect(jws).toBe('');
  expect((await app.get(new URL(url).pathname + new URL(url).search)).text).toMatch(
    /^[\w-]+\.[\w-]+\.[\w-]+$/,
  );
  expect(answer_sha256).toBe(createHash('sha256').update(content[0].text).digest('hex'));
});

test('a watermark’s statement is a link over MCP and inline over REST', async () => {
  const marked = await call('watermark_embed', { image, payload: 'Ada' });
  const { body } = await app.post('/api/tools/watermark_embed', { image, payload: 'Ada' });

  expect(marked.structuredContent).toMatchObject({
    statement: '',
    statement_url: expect.stringMatching(/^http/),
  });
  expect(body.statement.split('.')).toHaveLength(3);
});

test('a recipe shows the last image of each step sequence', async () => {
  const steps = [
    { tool: 'resize_image', params: { image: '$photo', width: 40, height: 40 }, save_as: 'small' },
    { tool: 'convert_image', params: { image: '$small', format: 'webp' }, save_as: 'web' },
  ];
  const { content } = await call('run_recipe', { steps, for_each: { photo: [image, EXAMPLE_PNG_B64] } });

  expect(content.filter(({ type }: { type: string }) => type === 'image')).toMatchObject([
    { mimeType: 'image/webp' },
    { mimeType: 'image/webp' },
  ]);
});

test('an upload or result is found by id, with or without prefix and extension', async () => {
  const bytes = Buffer.from(EXAMPLE_PNG_B64, 'base64');
  const sent = await app.fetch(
    new Request('http://atelier.test/api/uploads', { method: 'POST', body: new Blob([bytes]) }),
  );
  const { upload_id: id } = (await sent.json()) as { upload_id: string };
  const made = await call('resize_image', { image: `upload:${id}`, width: 8, height: 6 });
  const result = made.structuredContent.result.replace('result:', '');
  const bare = result.replace(/\..*/, '');

  for (const handle of [id, `${id}.png`.replace(/^/, 'upload:'), result, `result:${bare}`]) {
    const { structuredContent } = await call('inspect_image', { image: handle });
    expect([handle, structuredContent.width > 0]).toEqual([handle, true]);
  }
});
