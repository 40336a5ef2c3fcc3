import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DRAWN, drawVectors } from '../../../../tests/support/draw_vectors.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { findTwoTones } from './two_tones.ts';

// The engines' sharp reads no SVG; these tests do.
sharp.unblock({ operation: ['VipsForeignLoadSvg'] });

/** A scan of hatching, hair lines and dots in ink on paper, re-encoded with noise. */
const engraving = async (lineWidth: number): Promise<Buffer> => {
  const lines = Array.from(
    { length: 40 },
    (_, at) => `<path d="M${10 + 9 * at} 20q30 ${60 + at} 10 140" fill="none"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#f4ead6"/><g stroke="#241c14" stroke-width="${lineWidth}">${lines.join('')}<path d="M20 200L380 260" fill="none"/></g><ellipse cx="200" cy="230" rx="60" ry="30" fill="#241c14"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer();
};

const rasterOf = async (bytes: Buffer) => {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, channels: 4 as const, data: new Uint8Array(data) };
};

test('an engraving is drawn in its ink on its paper and in no other colour', async () => {
  const { svg } = await drawVectors(await engraving(2));
  const colors = [...new Set(svg.match(/#[0-9a-f]{3,6}/g))];
  expect(colors).toHaveLength(2);
  expect(svg).not.toContain('<radialGradient');
});

test('lines narrower than a pixel stay continuous', async () => {
  const { svg } = await drawVectors(await engraving(0.7));
  const shown = await rasterOf(await sharp(Buffer.from(svg)).png().toBuffer());
  const dark = Array.from({ length: 360 }, (_, at) => {
    const x = 20 + at;
    const y = Math.round(200 + at / 6);
    return Math.min(...[-1, 0, 1].map((off) => shown.data[4 * ((y + off) * shown.width + x)]!));
  });
  expect(dark.filter((value) => value > 200).length).toBeLessThan(0.1 * dark.length);
});

test('a scanned plan keeps a pale hair line, its dashes and the counters of digits', async () => {
  const dashes = Array.from({ length: 30 }, (_, at) => `<path d="M${40 + 20 * at} 60h12"/>`).join('');
  const plan = `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="300"><rect width="700" height="300" fill="#fff"/><g stroke="#000" fill="none" stroke-width="2">${dashes}<path d="M40 100H660" stroke-width=".6"/></g><text x="40" y="200" font-size="40" font-family="DejaVu Sans, sans-serif">8069 8069</text></svg>`;
  const bytes = await sharp(Buffer.from(plan)).blur(0.6).jpeg({ quality: 75 }).toBuffer();
  const { svg } = await drawVectors(bytes);
  const shown = await rasterOf(await sharp(Buffer.from(svg)).png().toBuffer());
  const darkestNear = (x: number, y: number) =>
    Math.min(...[-1, 0, 1].map((off) => shown.data[4 * ((y + off) * shown.width + x)]!));
  expect(Array.from({ length: 600 }, (_, at) => darkestNear(45 + at, 100)).filter((v) => v > 220)).toEqual(
    [],
  );
  expect(Array.from({ length: 30 }, (_, at) => darkestNear(46 + 20 * at, 60)).every((v) => v < 90)).toBe(
    true,
  );
  expect([...new Set(svg.match(/#[0-9a-f]{3,6}/g))]).toHaveLength(2);
});

test('a photograph has more than two tones', async () => {
  const photo = await sharp(await scene(23))
    .greyscale()
    .toBuffer();
  expect(findTwoTones(await rasterOf(photo))).toBeUndefined();
});

test('a sky above a dark roof has more than two tones', async () => {
  const shaded = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><linearGradient id="g" x2="0" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="#888"/></linearGradient><rect width="200" height="200" fill="url(#g)"/><path d="M0 200L100 90L200 200Z" fill="#111"/></svg>`;
  const picture = await rasterOf(await sharp(Buffer.from(shaded)).png().toBuffer());
  expect(findTwoTones(picture)).toBeUndefined();
});

test('a palette of its own decides about the colours of an engraving', async () => {
  const { svg } = await drawVectors(await engraving(2), {
    ...DRAWN,
    palette: [
      [255, 0, 0],
      [255, 255, 255],
    ],
  });
  expect([...new Set(svg.match(/#[0-9a-f]{3,6}/g))].sort()).toEqual(['#f00', '#fff']);
});
