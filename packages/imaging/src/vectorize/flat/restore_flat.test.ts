import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawVectors } from '../../../../../tests/support/draw_vectors.ts';
import { scene } from '../../../../../tests/support/scene.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

const GROUND = '<rect width="200" height="200" fill="#fff"/>';
const DISC = `${GROUND}<circle cx="100" cy="96" r="70" fill="#0b6e4f"/>`;

describe('flat artwork with lossy compression', () => {
  test('is traced as clean shapes without compression artefacts', async () => {
    const { svg, pathCount, notes } = await drawVectors(await draw(DISC).jpeg({ quality: 60 }).toBuffer());
    const [, x, y, radius] = svg.match(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"\/>/)!.map(Number);
    expect(Math.hypot(x! - 100, y! - 96, radius! - 70)).toBeLessThan(0.3);
    expect([pathCount, notes.join()]).toEqual([2, expect.stringContaining('traces of compression')]);
  });

  test('is traced as clean shapes after re-encoding as PNG', async () => {
    const png = sharp(await draw(DISC).webp({ quality: 70 }).toBuffer()).png();
    expect((await drawVectors(await png.toBuffer())).svg).toContain('<circle ');
  });

  test('keeps its colours', async () => {
    const stripes = `${GROUND}<rect y="60" width="200" height="60" fill="#e4572e"/><rect y="120" width="200" height="80" fill="#17324d"/>`;
    const { svg } = await drawVectors(await draw(stripes).jpeg({ quality: 75 }).toBuffer());
    const found = [...svg.matchAll(/<g id="color-([0-9a-f]{6})/g)].map(([, hex]) => hex!);
    const off = ['e4572e', '17324d'].map((hex) => Math.min(...found.map((one) => farApart(one, hex))));
    expect(Math.max(...off)).toBeLessThanOrEqual(3);
  });

  test('small grey text keeps its own grey next to black', async () => {
    const type = `${GROUND}<rect x="20" y="20" width="90" height="60" fill="#111"/><text x="20" y="150" font-size="17" font-family="DejaVu Sans, sans-serif" fill="#888">grey letters</text>`;
    const { svg } = await drawVectors(await draw(type).jpeg({ quality: 80 }).toBuffer());
    const greys = [...svg.matchAll(/<g id="color-([0-9a-f]{6})/g)].filter(
      ([, hex]) => farApart(hex!, '888888') < 40,
    );
    expect(greys.length).toBeGreaterThan(0);
  });

  test('thin lines keep a colour that fills no area', async () => {
    const table = `${GROUND}${[40, 80, 120, 160].map((y) => `<rect y="${y}" width="200" height="1" fill="#333"/>`).join('')}`;
    const { svg } = await drawVectors(await draw(table).jpeg({ quality: 75 }).toBuffer());
    const { data } = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect([40, 80, 120, 160].map((y) => data[y * 200 + 100]! < 90)).toEqual([true, true, true, true]);
  });
});

test('a transparent logo reduced by Lanczos keeps its shapes and its ground', async () => {
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><circle cx="800" cy="800" r="736" fill="#e11d48"/><path d="M640 480L1152 800L640 1120Z" fill="#fff"/></svg>`;
  const small = await sharp(Buffer.from(logo)).resize(200, 200, { kernel: 'lanczos3' }).png().toBuffer();
  const { svg, pathCount } = await drawVectors(small);
  const [, x, y, radius] = svg.match(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"\/>/)!.map(Number);
  expect(Math.hypot(x! - 100, y! - 100, radius! - 92)).toBeLessThan(0.2);
  const { channels } = await sharp(Buffer.from(svg)).stats();
  expect([pathCount, channels[3]!.min]).toEqual([2, 0]);
});

test('a translucent shadow is not classified as flat artwork', async () => {
  const shadowed = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><filter id="b"><feGaussianBlur stdDeviation="8"/></filter></defs><circle cx="104" cy="108" r="60" opacity=".5" filter="url(#b)"/><circle cx="100" cy="100" r="60" fill="#e11d48"/></svg>`;
  const { svg } = await drawVectors(await sharp(Buffer.from(shadowed)).png().toBuffer());
  expect(svg).not.toContain('id="color-');
});

test.each([
  ['a photograph', async () => sharp(await scene(3)).resize(320, 240)],
  [
    'a gradient',
    async () =>
      draw(
        `<defs><linearGradient id="g"><stop stop-color="#036"/><stop offset="1" stop-color="#fc0"/></linearGradient></defs><rect width="200" height="200" fill="url(#g)"/>`,
      ),
  ],
  ['a soft shadow', async () => draw(`${GROUND}<circle cx="100" cy="100" r="50" fill="#333"/>`).blur(12)],
])('%s is not classified as flat artwork', async (_name, picture) => {
  const { svg, notes } = await drawVectors(await (await picture()).jpeg({ quality: 75 }).toBuffer());
  expect([svg.includes('id="color-'), notes]).toEqual([false, []]);
});

const draw = (body: string) =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">${body}</svg>`),
  ).flatten({ background: '#fff' });

const farApart = (one: string, other: string): number =>
  Math.max(
    ...[0, 2, 4].map((at) =>
      Math.abs(Number.parseInt(one.slice(at, at + 2), 16) - Number.parseInt(other.slice(at, at + 2), 16)),
    ),
  );
