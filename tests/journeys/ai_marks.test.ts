import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { alteredCopies } from '@atelier/imaging/provenance/ai_marking/altered_copies.ts';
import { markPicture } from '@atelier/imaging/provenance/ai_marking/mark_picture.ts';
import { detectWatermark } from '@atelier/imaging/watermark/detect_watermark.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { marksCheckCommand } from '../../src/interfaces/cli/commands/marks_check.ts';
import { c2paProblems } from '../support/c2pa_problems.ts';
import { exiftool } from '../support/exiftool.ts';
import { certificateOf, MAKERS, OPENED, signAs } from '../support/foreign_manifests.ts';
import { developmentCertificate } from '../support/open_manifests.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { openVisitor } from '../support/open_visitor.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** Marks of AI in every form they may be written into, and what readers find of them after changes. */

const START = 'AI|Example|3|Example Ltd|2026-11-20T09:11:12Z|';
const request = { payload: `${START}b30c`, sameStart: START, id: '0123456789ab', strength: 0.5 };
const picture = sharp(await scene(3));

test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'a %s keeps its format, and the AI mark is read back from it',
  async (format) => {
    const bytes = await picture.clone().toFormat(format).toBuffer();
    const { bytes: marked, ...answer } = await markPicture({ ...request, bytes });
    expect((await sharp(marked).metadata()).format).toBe(format);
    expect(await detectWatermark({ bytes: marked })).toMatchObject({ payload: request.payload });
    expect(answer).toMatchObject({ wasThere: false, payload: request.payload });
  },
  240_000,
);

describe('a marked image and its altered copies', needs('OpenSSL'), () => {
  const WALLET = '0x00000000000000000000000000000000000000e5';
  const AI = {
    system: 'Painter',
    version: '3',
    provider: 'Example Ltd',
    generated_at: '2026-01-20T10:11:12Z',
  };
  let app: TestApp;
  let jpeg: Buffer;
  /** By alteration; `as_is` is what infuse_metadata returned, the last is what resize_image made of it. */
  const copies = new Map<string, Buffer>();
  let payload: string;

  beforeAll(async () => {
    const [C2PA_CERTIFICATE, C2PA_KEY] = developmentCertificate();
    app = await openTestApp({ C2PA_CERTIFICATE, C2PA_KEY });
    await app.post('/api/wallet/register', { wallet: WALLET });
    jpeg = await sharp(await scene(7))
      .jpeg({ quality: 92 })
      .toBuffer();
    const { body } = await call('infuse_metadata', jpeg, { metadata: { title: 'Sea' }, ai: AI });
    payload = body.ai.payload_embedded;
    const marked = Buffer.from(body.image_b64, 'base64');
    copies.set('as_is', marked);
    for (const { alteration, bytes } of await alteredCopies(marked))
      copies.set(alteration, Buffer.from(bytes));
    const resized = await call('resize_image', marked, { width: 320, height: 240 });
    copies.set('resize_image', Buffer.from(resized.body.image_b64, 'base64'));
  }, 240_000);
  afterAll(() => app?.close());

  const call = (tool: string, image: Uint8Array, more: object = {}) =>
    app.post(
      `/api/tools/${tool}`,
      { image: Buffer.from(image).toString('base64'), ...more },
      { Authorization: `Bearer ${WALLET}` },
    );
  const verify = async (image: Uint8Array) => (await call('verify_provenance', image)).body;

  type Mark = { layer: string; is_ai: boolean; signature: string };
  const outcomeOf = (marks: readonly Mark[], layer: string): string => {
    const own = marks.filter((mark) => mark.layer === layer && mark.is_ai);
    if (own.length === 0) return 'lost';
    return own.some(({ signature }) => signature !== 'broken') ? 'read' : 'broken';
  };

  test('verify_provenance reports which layers survive, as the operator documentation states', async () => {
    const layers = ['c2pa', 'iptc', 'soulmark', 'watermark'];
    const rows = new Map<string, string[]>();
    for (const [name, image] of copies) {
      const { marked_as_ai, ai_marks, summary } = await verify(image);
      expect([name, marked_as_ai]).toEqual([name, 'yes']);
      expect(summary).toMatch(/^Marked as made with AI: /);
      rows.set(
        name,
        layers.map((layer) => outcomeOf(ai_marks, layer)),
      );
    }
    expect(Object.fromEntries(rows)).toEqual({
      as_is: ['read', 'read', 'read', 'read'],
      half_size: ['lost', 'read', 'broken', 'read'],
      jpeg_75: ['lost', 'read', 'broken', 'read'],
      crop_10: ['lost', 'read', 'broken', 'read'],
      no_metadata: ['lost', 'lost', 'lost', 'read'],
      resize_image: ['read', 'read', 'broken', 'read'],
    });
    const page = readFileSync(join(import.meta.dirname, '../../docs/operating/marking_ai.md'), 'utf8');
    for (const cells of rows.values()) expect(page).toContain(`| ${cells.join(' | ')} |`);
  }, 240_000);

  test('a marked but unregistered image is not reported as unknown', async () => {
    const { body } = await call('infuse_metadata', await scene(12), {
      metadata: { title: 'Sea' },
      ai: AI,
      metadata_mode: 'standard',
    });
    const { verdict, match_found } = await verify(Buffer.from(body.image_b64, 'base64'));
    expect([verdict, match_found]).toEqual(['marked_as_ai', false]);
  }, 240_000);

  test('another watermark beside signed metadata is not reported as an AI mark', async () => {
    const { body } = await call('watermark_embed', await scene(13), { payload: 'Ada, 17' });
    const { marked_as_ai, ai_marks } = await verify(Buffer.from(body.image_b64, 'base64'));
    expect([marked_as_ai, ai_marks]).toEqual(['no_trace', []]);
  }, 240_000);

  test('a visible label is a separate layer', async () => {
    const { body } = await call('infuse_metadata', await scene(15, 320, 240), {
      metadata: { title: 'Sea' },
      metadata_mode: 'standard',
      ai: { ...AI, label: { style: 'text', language: 'de' } },
    });
    const { ai_marks, ai_evidence } = await verify(Buffer.from(body.image_b64, 'base64'));
    expect(ai_marks).toContainEqual(
      expect.objectContaining({ layer: 'visible_label', is_ai: true, says: 'KI-generiert' }),
    );
    expect(ai_evidence).toContainEqual(
      expect.objectContaining({ measure: '1.4', coverage: 'here', status: 'met' }),
    );
  }, 240_000);

  test('the page reports the AI mark first and names each layer', async () => {
    const visitor = openVisitor(app);
    for (const name of ['as_is', 'no_metadata']) {
      const image = new File([new Uint8Array(copies.get(name)!)], 'a.jpg', { type: 'image/jpeg' });
      const { goTo } = await visitor.press('/verify', { image });
      const { text } = await visitor.look(goTo);
      expect(/<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1]).toMatch(/^Marked as made with AI by /);
      expect(text.includes('<dt>C2PA manifest</dt><dd class="">AI</dd>')).toBe(name === 'as_is');
      expect(text).toContain('<dt>Watermark</dt><dd class="">AI</dd>');
    }
  }, 240_000);

  test('ExifTool reads the source type from every copy that keeps metadata', needs('ExifTool'), () => {
    const read = [...copies].filter(([, image]) =>
      String(exiftool(image)['XMP-iptcExt:DigitalSourceType'] ?? '').endsWith('/trainedAlgorithmicMedia'),
    );
    expect(read.map(([name]) => name)).toEqual([...copies.keys()].filter((name) => name !== 'no_metadata'));
  });

  test('c2pa-ts finds a valid manifest only in copies signed by this server', async () => {
    const holding: string[] = [];
    for (const [name, image] of copies) if ((await c2paProblems(image)).length === 0) holding.push(name);
    expect(holding).toEqual(['as_is', 'resize_image']);
  });

  test('the watermark alone restores the text from every copy', async () => {
    for (const [name, image] of copies)
      expect([name, (await call('watermark_detect', image)).body.payload_detected]).toEqual([name, payload]);
  }, 240_000);

  test('the operator command reports the same for a folder and fails for an unmarked image', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-marks-'));
    try {
      writeFileSync(join(folder, 'marked.jpg'), copies.get('as_is')!);
      writeFileSync(join(folder, 'plain.jpg'), jpeg);
      const written: string[] = [];
      const output = { write: (text: string | Uint8Array) => written.push(String(text)) };
      const world = {
        terminal: { stdout: output, stderr: { write: () => {} } },
        signal: new AbortController().signal,
        openMarkTrials: async () => ({ copiesOf: alteredCopies }),
        connect: async () => ({
          baseUrl: 'http://atelier.test',
          fetch: async (request: Request) => app.fetch(request),
          close: async () => {},
        }),
      };
      const typed = { words: [folder], values: { url: 'http://atelier.test' } };
      expect(await marksCheckCommand.run(typed as never, world as never, [])).toBe(1);
      expect(written.join('')).toMatch(
        /Watermark +Example Ltd +AI +speaks +speaks +speaks +speaks +speaks\n/,
      );
      expect(written.join('')).toContain('plain.jpg: no AI marking found');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 240_000);

  test('damaged manifests get a response without a server error', async () => {
    const openai = certificateOf('OpenAI', 'Truepic Lens CLI in Sora');
    const small = await sharp(await scene(14, 160, 120))
      .jpeg()
      .toBuffer();
    const made = await signAs(openai, small, MAKERS.openai);
    const ingredient = { bytes: made, relationship: 'parentOf' } as const;
    const whole = await signAs(openai, small, { generator: 'ChatGPT', actions: [OPENED], ingredient });
    expect(await verify(whole)).toMatchObject({
      verdict: 'marked_as_ai',
      marked_as_ai: 'yes',
      ai_marks: [{ layer: 'c2pa', who: 'OpenAI', signature: 'holds', trust: 'not_checked' }],
    });
    const statuses = new Set<number>();
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 12; round++) {
      const bytes = Buffer.from(whole);
      // The manifest begins behind the first 20 bytes and takes most of this file.
      for (let changes = 0; changes <= random(8); changes++)
        bytes[20 + random(bytes.length / 2)] = random(256);
      statuses.add((await call('verify_provenance', bytes)).status);
    }
    expect([...statuses].filter((status) => status !== 200 && status !== 422)).toEqual([]);
  }, 240_000);
});
