import { describe, expect, test } from 'vitest';
import { baseUrl, callTool, newWallet } from './api.ts';
import { oneColor, pngSize, quarters, spot } from './pictures.ts';

const image = quarters(40);

describe('resize_image', () => {
  test('contain fits within the bounds and keeps the aspect', async () => {
    const { status, body } = await callTool('resize_image', { image, width: 20, height: 10 });
    expect(status).toBe(200);
    expect(pngSize(body.image_b64)).toEqual({ width: 10, height: 10 });
  });

  test.each(['cover', 'stretch'])('%s gives the exact size', async (mode) => {
    const { body } = await callTool('resize_image', { image, width: 30, height: 11, mode });
    expect(pngSize(body.image_b64)).toEqual({ width: 30, height: 11 });
  });

  test.each([
    ['png', 'image/png'],
    ['jpeg', 'image/jpeg'],
    ['webp', 'image/webp'],
  ])('format %s is %s', async (format, type) => {
    const { body } = await callTool('resize_image', { image, width: 8, height: 8, format });
    expect(body).toMatchObject({ content_type: type, width: 8, height: 8 });
  });

  test('is free, names its engine and offers next steps', async () => {
    const { body } = await callTool('resize_image', { image, width: 8, height: 8 });
    expect(body.cost).toMatchObject({ credit: 0, usd: 0 });
    expect(body).toMatchObject({
      degraded: false,
      engine: { name: expect.any(String), version: expect.any(String) },
      next_steps: expect.any(Array),
    });
  });

  test('the signed link has the same bytes', async () => {
    const { body } = await callTool('resize_image', { image, width: 8, height: 8 });
    const bytes = await (
      await fetch(new URL(new URL(body.result_url).pathname + new URL(body.result_url).search, baseUrl()))
    ).arrayBuffer();
    expect(Buffer.from(bytes).toString('base64')).toBe(body.image_b64);
  });

  test('output "url" leaves the base64 out, and the handle feeds the next tool', async () => {
    const first = await callTool('resize_image', { image, width: 8, height: 8, output: 'url' });
    const second = await callTool('resize_image', { image: first.body.result, width: 4, height: 4 });
    expect(first.body.image_b64).toBeUndefined();
    expect(pngSize(second.body.image_b64)).toEqual({ width: 4, height: 4 });
  });

  test.each([
    [{ width: 0, height: 1 }, 'width'],
    [{ width: 8193, height: 1 }, 'width'],
    [{ width: 1.5, height: 1 }, 'width'],
    [{ width: '12', height: 1 }, 'width'],
    [{ width: 1 }, 'height'],
    [{ width: 1, height: 1, mode: 'crop' }, 'mode'],
    [{ width: 1, height: 1, quality: 0 }, 'quality'],
    [{ width: 1, height: 1, quality: 101 }, 'quality'],
    [{ width: 1, height: 1, format: 'bmp' }, 'format'],
  ])('refuses %j and names the field', async (fields, field) => {
    const { status, body } = await callTool('resize_image', { image, ...fields });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ field, message: expect.any(String) });
  });

  test('offers the corrected body where there is one', async () => {
    const { body } = await callTool('resize_image', { image, width: '300', height: 9000, format: 'jpg' });
    expect(body.try).toMatchObject({ width: 300, height: 8192, format: 'jpeg' });
  });

  test('unknown fields are named in warnings, not refused', async () => {
    const { status, body } = await callTool('resize_image', { image, width: 4, height: 4, widht: 3 });
    expect(status).toBe(200);
    expect(body.warnings[0]).toContain('Did you mean "width"');
  });
});

describe('compare_upscalers', () => {
  test('free: a contact sheet, figures for every network, and a call that upscale_image takes', async () => {
    const resized = await callTool('resize_image', { image, width: 24, height: 24 });
    const { status, body } = await callTool('compare_upscalers', { image: resized.body.result });
    expect([status, body.cost?.credit]).toEqual([200, 0]);
    expect(pngSize(body.image_b64)).toEqual({ width: body.width, height: body.height });
    expect(body.models[0]).toMatchObject({ model: 'lanczos', sharpness: 1, detail: 1 });
    expect(body.models.length).toBeGreaterThan(4);
    const [{ endpoint, params }] = body.next_steps;
    expect(endpoint).toBe('POST /api/tools/upscale_image');
    const { bearer } = await newWallet();
    const quoted = await callTool('upscale_image', { ...params, dry_run: true }, bearer);
    expect(quoted.body.quote.networks).toContain(body.recommended);
  });
});

describe('remove_background', () => {
  const picture = spot(48);

  test('returns a PNG of the same size, free, and names the engine', async () => {
    const { status, body } = await callTool('remove_background', { image: picture });
    expect(status).toBe(200);
    expect(pngSize(body.image_b64)).toEqual({ width: 48, height: 48 });
    expect(body).toMatchObject({
      content_type: 'image/png',
      cost: { credit: 0 },
      degraded: expect.any(Boolean),
      engine: { name: expect.any(String), version: expect.any(String) },
      halo_score: expect.any(Number),
      uncertainty_share: expect.any(Number),
    });
  });

  test('output_format webp is WebP; the mask and a background colour come on request', async () => {
    const webp = await callTool('remove_background', { image: picture, output_format: 'webp' });
    expect(webp.body.content_type).toBe('image/webp');
    const mask = await callTool('remove_background', { image: picture, mask_only: true });
    expect(mask.status).toBe(200);
    const onColor = await callTool('remove_background', { image: picture, background_color: '#00ff88' });
    expect(onColor.status).toBe(200);
  });

  test.each([
    [{ output_format: 'jpeg' }, 400, 'invalid_input'],
    [{ background_color: 'nice' }, 400, 'invalid_input'],
    [{ image: oneColor(40) }, 422, 'unsuitable_image'],
    [{ image: oneColor(1) }, 422, 'unsuitable_image'],
  ])('%o is refused', async (input, status, code) => {
    const answer = await callTool('remove_background', { image: picture, ...input });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('extract_palette', () => {
  test('is exact on flat art', async () => {
    const { body } = await callTool('extract_palette', { image });
    expect(body.colors.map(({ hex }: { hex: string }) => hex).sort()).toEqual([
      '#1e50c8',
      '#28a03c',
      '#dc2828',
      '#f0dc3c',
    ]);
    expect(body.colors.map(({ percentage }: { percentage: number }) => percentage)).toEqual([25, 25, 25, 25]);
  });

  test.each([
    ['hex', /^#[0-9a-f]{6}$/],
    ['rgb', /^rgb\(/],
    ['hsl', /^hsl\(/],
  ])('format %s', async (format, pattern) => {
    const { body } = await callTool('extract_palette', { image, format });
    expect(body.colors[0].value).toMatch(pattern);
  });

  test.each([2, 13])('refuses num_colors %i', async (count) => {
    const { status } = await callTool('extract_palette', { image, num_colors: count });
    expect(status).toBe(400);
  });
});

describe('convert_color_profile', () => {
  test('cmyk is the default and keeps the density', async () => {
    const { status, body } = await callTool('convert_color_profile', { image });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dpi: 300, content_type: 'image/tiff', width: 40, height: 40 });
  });

  test('srgb returns a PNG', async () => {
    const { body } = await callTool('convert_color_profile', { image, target_profile: 'srgb', dpi: 72 });
    expect(body).toMatchObject({ dpi: 72, content_type: 'image/png' });
  });

  test('CMYK converts back', async () => {
    const cmyk = await callTool('convert_color_profile', { image });
    const { status } = await callTool('convert_color_profile', {
      image: cmyk.body.image_b64,
      target_profile: 'srgb',
    });
    expect(status).toBe(200);
  });

  test.each([71, 1201])('refuses %i dpi', async (dpi) => {
    const { status } = await callTool('convert_color_profile', { image, dpi });
    expect(status).toBe(400);
  });
});

describe('vectorize_image', () => {
  test.each(['color', 'binary'])('%s answers an SVG', async (mode) => {
    const { status, body } = await callTool('vectorize_image', { image, mode });
    expect(status).toBe(200);
    expect(body.svg_content).toMatch(/<svg[^>]+xmlns/);
  });

  test.each([
    { color_precision: 0 },
    { color_precision: 11 },
    { filter_speckle: -1 },
    { filter_speckle: 101 },
  ])('refuses %j', async (fields) => {
    const { status } = await callTool('vectorize_image', { image, ...fields });
    expect(status).toBe(400);
  });
});

describe('pictures that are not', () => {
  test.each([
    ['not base64 at all!', 400],
    ['', 400],
    [Buffer.from('hello world, this is text').toString('base64'), 415],
    [Buffer.from('<!doctype html><title>404</title>').toString('base64'), 415],
    [quarters(8).slice(0, 60), 422],
    ['upload:upl_nothing', 404],
    ['result:nothing', 404],
    ['http://127.0.0.1/x.png', 400],
    ['https://127.0.0.1/x.png', 400],
    ['https://169.254.169.254/latest', 400],
    ['file:///etc/passwd', 400],
  ])('%s answers %i', async (text, expected) => {
    const { status, body } = await callTool('resize_image', { image: text, width: 4, height: 4 });
    expect(status).toBe(expected);
    expect(body.detail).toEqual(expect.any(String));
  });

  test('a data URL and white space are welcome', async () => {
    const text = `data:image/png;base64,${image.replace(/(.{40})/g, '$1\n')}`;
    const { status } = await callTool('resize_image', { image: text, width: 4, height: 4 });
    expect(status).toBe(200);
  });
});

describe('upscale_image', () => {
  const balance = async (wallet: string) => (await callTool('check_balance', { wallet })).body.balance;

  test.each([
    [{}, 'realesrgan_x2plus', 2],
    [{ scale: 4 }, 'realesrgan_x4plus', 4],
    [{ scale: 2, model: 'realesr_animevideov3' }, 'realesr_animevideov3', 4],
  ])(
    '%o means %s: enlarged for 2 credits, or free where degraded, by what the dry run said would run',
    async (input, model, scale) => {
      const { bearer } = await newWallet();
      const { quote } = (await callTool('upscale_image', { image, ...input, dry_run: true }, bearer)).body;
      const { status, body } = await callTool('upscale_image', { image, ...input }, bearer);
      expect(status).toBe(200);
      expect(body.degraded).toBe(quote.degraded);
      if (body.degraded) {
        expect(quote.networks).toContain(body.engine.name);
        expect(body.degraded_reason).toContain(quote.degraded_reason);
      }
      const cost = body.degraded ? { credit: 0, usd: 0 } : { credit: 2, usd: 0.2 };
      expect(body).toMatchObject({ model, scale, cost });
      expect(body.engine).toMatchObject({
        name: expect.any(String),
        weights_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(pngSize(body.image_b64)).toEqual({ width: 40 * scale, height: 40 * scale });
    },
  );

  test.each([
    [{ scale: 5 }, 'scale'],
    [{ model: 'realesrgan_x3' }, 'model'],
    [{ scale: '2' }, 'scale'],
  ])('refuses %o and names %s', async (wrong, field) => {
    const { status, body } = await callTool('upscale_image', { image, ...wrong }, (await newWallet()).bearer);
    expect(status).toBe(400);
    expect(body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test('allow_degraded false: the requested model, or a free 503 that names what is missing', async () => {
    const { wallet, bearer } = await newWallet();
    const input = { image, scale: 4, allow_degraded: false };
    const { status, body } = await callTool('upscale_image', input, bearer);
    if (status === 200) {
      expect(body.degraded).toBe(false);
      return;
    }
    expect([status, body.code]).toEqual([503, 'model_unavailable']);
    expect(body.detail).toContain('realesrgan_x4plus');
    expect(await balance(wallet)).toBe(10);
  });

  test('without payment it returns 402', async () => {
    expect((await callTool('upscale_image', { image })).status).toBe(402);
  });
});

describe('print_ready', () => {
  test.each([
    ['a4', 300, 3, 2551, 3579],
    ['letter', 150, 0, 1275, 1650],
  ])(
    '%s at %i dpi with %i mm bleed is a TIFF of %i × %i',
    async (product_size, dpi, bleed_mm, width, height) => {
      const { status, body } = await callTool('print_ready', {
        image: spot(40),
        product_size,
        dpi,
        bleed_mm,
        orientation: 'portrait',
        output: 'url',
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({ content_type: 'image/tiff', width, height, cost: { credit: 0, usd: 0 } });
    },
  );

  test('pdf is a PDF, with a preflight report', async () => {
    const fields = { product_size: 'custom', custom_width_mm: 50, custom_height_mm: 40, dpi: 150 };
    const { body } = await callTool('print_ready', { image, ...fields, output_format: 'pdf' });
    expect(Buffer.from(body.file_b64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(body.preflight).toMatchObject({ verdict: 'fail', checks: expect.any(Array) });
  });

  test.each([
    [{ dpi: 200 }, 'dpi'],
    [{ bleed_mm: 11 }, 'bleed_mm'],
    [{ product_size: 'a0' }, 'product_size'],
    [{ product_size: 'custom' }, 'custom_width_mm'],
    [{ product_size: 'custom', custom_width_mm: 0, custom_height_mm: 10 }, 'custom_width_mm'],
    [{ crop_marks: 'perhaps' }, 'crop_marks'],
    [{ output_format: 'eps' }, 'output_format'],
  ])('refuses %j and names the field', async (fields, field) => {
    const { status, body } = await callTool('print_ready', { image, ...fields });
    expect(status).toBe(400);
    expect(body.errors[0].field).toBe(field);
  });
});

describe('preflight_file', () => {
  const card =
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/MediaBox[0 0 200 100]/Contents 4 0 R>>endobj 4 0 obj<</Length 25>>stream\n1 0 0 rg 0 0 200 100 re f\nendstream endobj trailer<</Root 1 0 R>>';

  test('an uploaded PDF gets a free report with an image of its problems', async () => {
    const uploaded = await fetch(`${baseUrl()}/api/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/pdf' },
      body: card,
    });
    const { uri } = (await uploaded.json()) as { uri: string };
    const { status, body } = await callTool('preflight_file', { file: uri });
    expect(status).toBe(200);
    expect(body).toMatchObject({ passes: false, looked_at: { kind: 'pdf', pages: 1 }, cost: { credit: 0 } });
    expect(body.findings.map((one: { rule: string }) => one.rule)).toContain('rgb_without_profile');
    const drawing = Buffer.from(await (await fetch(body.drawings[0].result_url)).arrayBuffer());
    expect(pngSize(drawing.toString('base64'))).toEqual({
      width: body.drawings[0].width,
      height: body.drawings[0].height,
    });
  });

  test('an image is rejected with the supported alternative', async () => {
    const { status, body } = await callTool('preflight_file', { file: image });
    expect(status).toBe(415);
    expect(body.detail).toContain('Send a PDF or a TIFF');
  });
});

describe('mockup_image', () => {
  test('costs 1 credit and returns a large PNG of the product', async () => {
    const { bearer } = await newWallet();
    const { status, body } = await callTool(
      'mockup_image',
      { image, product: 'mug', background_color: '#00aaff' },
      bearer,
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ product: 'mug', cost: { credit: 1, usd: 0.1 } });
    expect(Math.max(...Object.values(pngSize(body.image_b64)))).toBeGreaterThanOrEqual(1600);
  });

  test('without payment it is 402', async () => {
    const { status } = await callTool('mockup_image', { image });
    expect(status).toBe(402);
  });
});
