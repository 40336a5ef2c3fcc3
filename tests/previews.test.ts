import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { previewAnswer } from '../src/catalog/envelope_schema.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { newOwner, type Owner } from './support/owner.ts';

/** What `preview: true` promises, held against the call it stands for. */

forEachApp((open) => {
  let app: TestApp;
  let owner: Owner;
  let large: string;
  const preview = (tool: string, body: object, headers = {}) =>
    app.post(`/api/tools/${tool}`, { preview: true, ...body }, headers);
  const pixelsOf = (base64: string) =>
    sharp(Buffer.from(base64, 'base64')).removeAlpha().raw().toBuffer({ resolveWithObject: true });

  beforeAll(async () => {
    app = await open();
    owner = await newOwner(app);
    // Left half red, right half blue: 4 megapixels.
    const half = { width: 1000, height: 2000, channels: 3, background: '#cc2222' } as const;
    const bytes = await sharp({ create: { ...half, width: 2000, background: '#2222cc' } })
      .composite([{ input: { create: half }, left: 0, top: 0 }])
      .jpeg({ quality: 95 })
      .toBuffer();
    large = bytes.toString('base64');
  });
  afterAll(() => app?.close());

  test('has one megapixel, with lengths in px scaled to match the full size', async () => {
    const operations = [
      { op: 'crop', box: { x: 500, y: 0, width: 1000, height: 1000 } },
      { op: 'border', width: 100, color: '#00ff00', inside: true },
    ];
    const { status, body } = await preview('edit_image', { image: large, operations });
    const { data, info } = await pixelsOf(body.image_b64);
    const at = (x: number, y: number) => [...data.subarray(3 * (y * info.width + x)).subarray(0, 3)];
    const near = (x: number, y: number, color: number[]) =>
      at(x, y).every((value, channel) => Math.abs(value - color[channel]!) < 40);
    expect(previewAnswer.safeParse(body).error).toBeUndefined();
    expect([status, body.preview.scale, info.width, info.height]).toEqual([200, 0.5, 500, 500]);
    expect([
      near(25, 250, [0, 255, 0]),
      near(150, 250, [204, 34, 34]),
      near(350, 250, [34, 34, 204]),
    ]).toEqual([true, true, true]);
  });

  test('stores nothing and returns no handle', async () => {
    const { body } = await preview('edit_image', { image: large, operations: [{ op: 'flip' }] });
    expect([body.result, body.result_url, body.history, body.cost.credit]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  test('a preview is not counted among the calls of a tool', async () => {
    const call = () => app.post('/api/tools/edit_image', { image: large, operations: [{ op: 'flip' }] });
    const remaining = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    const before = remaining((await call()).headers);
    await preview('edit_image', { image: large, operations: [{ op: 'flip' }] });
    expect(remaining((await call()).headers)).toBe(before - 1);
  });

  test('of a paid tool it is free for everybody, a marked part of 512 px, and costs the wallet nothing', async () => {
    const where = [{ x: 1200, y: 1200, width: 60, height: 60 }];
    const { status, body } = await preview('erase_object', { image: large, where });
    const { data, info } = await pixelsOf(body.image_b64);
    const isMarked = data.some((value, at) => at % 3 === 1 && value > 120);
    expect([status, body.preview.is_marked, info.width, info.height, isMarked]).toEqual([
      200,
      true,
      512,
      512,
      true,
    ]);
    const { body: balance } = await app.post('/api/tools/check_balance', { wallet: owner.wallet });
    expect(balance.balance).toBe(10);
  });

  test('every 64 px part of a paid preview is marked, so that no corner can be cut out', async () => {
    const where = [{ x: 0, y: 0, width: 60, height: 60 }];
    const { body } = await preview('erase_object', { image: large, where });
    const { data } = await pixelsOf(body.image_b64);
    const isRed = (x: number, y: number) => Math.abs(data[3 * (512 * y + x)]! - 204) < 24;
    const cells = Array.from({ length: 64 }, (_, at) => ({
      left: 64 * (at % 8),
      top: 64 * Math.floor(at / 8),
    }));
    const unmarked = cells.filter(({ left, top }) =>
      Array.from({ length: 4096 }, (_, at) => isRed(left + (at % 64), top + Math.floor(at / 64))).every(
        Boolean,
      ),
    );
    expect(unmarked).toEqual([]);
  });

  test('a canvas in mm is composed at a megapixel', async () => {
    const { body } = await preview('compose_image', {
      canvas: { width: 210, height: 297, unit: 'mm' },
      layers: [
        { type: 'shape', shape: 'rect', box: { x: '0mm', y: '0mm', width: '105mm', height: '297mm' } },
      ],
    });
    const { data, info } = await pixelsOf(body.image_b64);
    const middle = Math.floor(info.height / 2) * info.width;
    const at = (share: number) => data[3 * (middle + Math.floor(share * info.width))]!;
    expect(info.width * info.height).toBeLessThanOrEqual(1_001_000);
    expect([at(0.48) < 30, at(0.52) > 225]).toEqual([true, true]);
  });

  test('a size set is returned as small images with their names', async () => {
    const { body } = await preview('make_variants', {
      image: large,
      set: [{ name: 'card', width: 640, height: 480 }],
      fit: 'cover',
    });
    const [first] = body.files;
    expect([body.zip_url, typeof first.image_b64, first.result, first.width <= 240]).toEqual([
      undefined,
      'string',
      undefined,
      true,
    ]);
  });

  test.each([
    ['text instead of true', 'edit_image', { preview: 'true', operations: [{ op: 'flip' }] }],
    ['a tool without previews', 'inspect_image', {}],
    ['an operation that is refused', 'edit_image', { operations: [{ op: 'rotate' }] }],
  ])('refuses %s', async (_, tool, body) => {
    const reply = await preview(tool, { image: large, ...body });
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_input']);
  });
});
