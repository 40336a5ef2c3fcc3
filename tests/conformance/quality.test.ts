import { describe, expect, test } from 'vitest';
import { callTool, get, newWallet, post } from './api.ts';
import { quarters, spot } from './pictures.ts';

const image = quarters(160);

/** Tools that make a picture of a picture, but for mockup_image: what it makes shows another thing. */
const MAKERS = [
  'convert_color_profile',
  'infuse_metadata',
  'print_ready',
  'remove_background',
  'resize_image',
  'upscale_image',
  'vectorize_image',
  'watermark_embed',
];
const FIGURES = {
  psnr_db: [0, 99],
  ssim: [-1, 1],
  delta_e00_mean: [0, 200],
  delta_e00_p95: [0, 200],
  halo_percent: [0, 100],
} as const;

/** Whatever is told lies within its bounds. */
function expectFigures(quality: Record<string, unknown>, names: readonly (keyof typeof FIGURES)[]) {
  expect(['source_size', 'result_size']).toContain(quality.compared_at);
  for (const name of names) {
    expect(quality[name], name).toBeGreaterThanOrEqual(FIGURES[name][0]);
    expect(quality[name], name).toBeLessThanOrEqual(FIGURES[name][1]);
  }
}

const COLORS = ['delta_e00_mean', 'delta_e00_p95'] as const;
const SAMENESS = ['psnr_db', 'ssim', ...COLORS] as const;

describe('quality', () => {
  test('has the same schema in every tool that makes an image', async () => {
    const { body } = await get('/openapi.json');
    const tools = Object.entries<{ post?: { responses: object } }>(body.paths)
      .filter(([, { post: call }]) => JSON.stringify(call?.responses ?? {}).includes('schemas/Quality"'))
      .map(([path]) => path.split('/').at(-1)!);
    expect(tools).toEqual(expect.arrayContaining(MAKERS));
    expect(tools).not.toContain('mockup_image');
    const shapes = JSON.stringify(body).match(
      /"compared_at":\{(?:(?!"compared_at").)*?"line_error_px":\{.*?\}/g,
    );
    expect(new Set(shapes).size).toBe(1);
  });

  test.each([
    ['resize_image', { width: 60, height: 60, format: 'jpeg', quality: 60, measure: true }, SAMENESS],
    ['resize_image', { width: 500, height: 500, measure: true }, [...SAMENESS, 'halo_percent']],
    ['convert_color_profile', {}, COLORS],
    ['convert_color_profile', { soft_proof: true }, COLORS],
    ['print_ready', { product_size: 'custom', custom_width_mm: 60, custom_height_mm: 60, dpi: 150 }, COLORS],
    ['watermark_embed', { image: spot(256), payload: 'Ada' }, SAMENESS],
    ['remove_background', { image: spot(96) }, COLORS],
    ['vectorize_image', { image: spot(96) }, SAMENESS],
  ] as const)('%s %o tells what applies', async (tool, fields, names) => {
    const { status, body } = await callTool(tool, { image, ...fields });
    expect(status).toBe(200);
    expectFigures(body.quality, names);
  });

  test('inapplicable fields are absent', async () => {
    const fields = { width: 60, height: 60, format: 'jpeg', measure: true };
    const { body } = await callTool('resize_image', { image, ...fields });
    for (const name of ['halo_percent', 'uncertain_percent', 'invented_percent', 'line_error_px'])
      expect(body.quality).not.toHaveProperty(name);
    expect(
      (await callTool('convert_color_profile', { image, target_profile: 'srgb' })).body,
    ).not.toHaveProperty('quality');
  });

  test('a smaller JPEG loses more, a PNG nothing', async () => {
    const at = async (fields: object) =>
      (
        await callTool('resize_image', {
          image: spot(300),
          width: 150,
          height: 150,
          measure: true,
          ...fields,
        })
      ).body.quality;
    const [png, good, bad] = [
      await at({}),
      await at({ format: 'jpeg', quality: 95 }),
      await at({ format: 'jpeg', quality: 10 }),
    ];
    expect(png).toMatchObject({ psnr_db: 99, ssim: 1, delta_e00_mean: 0, delta_e00_p95: 0 });
    expect(good.psnr_db).toBeGreaterThan(bad.psnr_db);
    expect(good.delta_e00_mean).toBeLessThan(bad.delta_e00_mean);
  });

  test('an upscaled image is compared with its source', async () => {
    const { bearer } = await newWallet();
    const { status, body } = await callTool('upscale_image', { image: quarters(64), scale: 2 }, bearer);
    expect(status).toBe(200);
    expectFigures(body.quality, [...SAMENESS, 'halo_percent']);
    expect(body.quality.psnr_db).toBeGreaterThan(20);
  });

  test('each step of a recipe tells its own', async () => {
    const { bearer } = await newWallet();
    const steps = [
      {
        tool: 'resize_image',
        params: { image: '$photo', width: 64, height: 64, format: 'webp', measure: true },
        save_as: 'small',
      },
      { tool: 'convert_color_profile', params: { image: '$small' }, save_as: 'inks' },
    ];
    const { body } = await callTool('run_recipe', { steps, inputs: { photo: image } }, bearer);
    const [small, inks] = body.steps;
    expectFigures(small.answer.quality, SAMENESS);
    expectFigures(inks.answer.quality, COLORS);
  });

  test('a response over MCP has the same, without additional tokens in the tool list', async () => {
    const call = (method: string, params: object = {}) =>
      post('/mcp', { jsonrpc: '2.0', id: 1, method, params });
    const fields = { image, width: 60, height: 60, format: 'jpeg' };
    const { body } = await call('tools/call', { name: 'resize_image', arguments: fields });
    const rest = await callTool('resize_image', fields);
    expect(body.result.structuredContent.quality).toEqual(rest.body.quality);
    const list = await call('tools/list');
    expect(list.text).not.toContain('delta_e00');
    const own = list.body.result.tools.find(({ name }: { name: string }) => name === 'resize_image');
    expect(own.outputSchema.properties).not.toHaveProperty('quality');
  });
});
