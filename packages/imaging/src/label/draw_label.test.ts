import { describe, expect, test } from 'vitest';
import { labelTypeface } from '../../../../tests/support/label_typeface.ts';
import { sharp } from '../codecs/sharp.ts';
import { luminanceOf } from '../pixels/luma.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { drawLabel, type LabelRequest } from './draw_label.ts';
import { LABEL_CORNERS, LABEL_LANGUAGES, LABEL_STYLES } from './label_words.ts';

const wish: LabelRequest = {
  style: 'icon',
  language: 'en',
  kind: 'generated',
  corner: 'bottom_right',
  typeface: labelTypeface,
};

const filled = (value: (at: number) => number, width = 240, height = 200): DeepRaster => ({
  width,
  height,
  channels: 3,
  data: Uint8Array.from({ length: width * height * 3 }, (_, at) => value(at)),
});
/** Deterministic noise. */
const noise = (at: number): number => Math.imul(at + 1, 2_654_435_761) >>> 24;
const GROUNDS = {
  black: filled(() => 0),
  white: filled(() => 255),
  'mid-grey': filled(() => 128),
  noise: filled(noise),
};

/** Samples of one channel of a row inside the label. */
const rowOf = ({ raster, label: { region } }: ReturnType<typeof drawLabel>, y: number, inset = 0): number[] =>
  Array.from(
    { length: region.width - 2 * inset },
    (_, x) => raster.data[((region.y + y) * raster.width + region.x + inset + x) * 3]!,
  );

describe.each(Object.entries(GROUNDS))('on %s', (_name, ground) => {
  const drawn = drawLabel(ground, wish);

  test('pixels outside the label region are unchanged', () => {
    const { x, y, width, height } = drawn.label.region;
    const isInside = (at: number): boolean => {
      const [px, py] = [Math.floor(at / 3) % ground.width, Math.floor(at / 3 / ground.width)];
      return px >= x && px < x + width && py >= y && py < y + height;
    };
    const changed = drawn.raster.data.findIndex((value, at) => value !== ground.data[at] && !isInside(at));
    expect(changed).toBe(-1);
  });

  test('the label has white letters on a black plate with a white edge on any background', () => {
    const middle = rowOf(drawn, Math.floor(drawn.label.region.height / 2));
    expect(Math.min(middle[0]!, middle.at(-1)!)).toBeGreaterThan(240);
    expect([middle[2], middle.at(-3)]).toEqual([0, 0]);
    expect(Math.max(...middle.slice(3, -3))).toBe(255);
    const inside = (raster: DeepRaster) => rowOf({ ...drawn, raster }, 12, 8);
    expect(inside(drawn.raster)).toEqual(inside(drawLabel(GROUNDS.black, wish).raster));
  });
});

test('label contrast exceeds the WCAG minimum of 4.5:1', () => {
  const row = rowOf(drawLabel(GROUNDS.noise, wish), 12, 8);
  const linear = (value: number) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const [light, dark] = [Math.max(...row), Math.min(...row)].map((value) =>
    luminanceOf(linear(value), linear(value), linear(value)),
  );
  expect((light! + 0.05) / (dark! + 0.05)).toBeGreaterThan(4.5);
});

test.each(LABEL_CORNERS)('a %s label has equal margins to both edges', (corner) => {
  const { region } = drawLabel(GROUNDS.white, { ...wish, corner }).label;
  const left = corner.endsWith('left') ? region.x : 240 - region.x - region.width;
  const top = corner.startsWith('top') ? region.y : 200 - region.y - region.height;
  expect([left, top]).toEqual([10, 10]);
});

test.each([
  [200, 25],
  [1000, 65],
  [4000, 254],
  [12_000, 452],
])('an image with a shorter side of %i px gets an icon %i px high', (side, height) => {
  const raster = { width: side, height: side, channels: 1 as const, data: new Uint8Array(side * side) };
  expect(drawLabel(raster, wish).label.region.height).toBe(height);
});

test.each(LABEL_LANGUAGES.flatMap((language) => LABEL_STYLES.map((style) => [language, style] as const)))(
  '%s as %s fits a 200 px image for generated and modified labels',
  (language, style) => {
    for (const kind of ['generated', 'modified'] as const) {
      const { label } = drawLabel(filled(noise, 200, 200), { ...wish, language, style, kind });
      expect(label.region.x).toBeGreaterThanOrEqual(9);
    }
  },
);

test('a phrase too wide for one line wraps to two', () => {
  const { region } = drawLabel(
    filled(() => 90, 140, 300),
    { ...wish, style: 'text', language: 'el' },
  ).label;
  expect(region).toMatchObject({ height: 39 });
  expect(region.width).toBeLessThan(140);
});

test('an image too small for the label is rejected with the minimum size', () => {
  expect(() => drawLabel(filled(noise, 100, 100), wish)).toThrow(
    /100 × 100 px\. The label "AI GENERATED" needs at least 139 × 64 px/,
  );
  expect(() => drawLabel(filled(noise, 400, 63), wish)).toThrow(/64 px/);
});

test('a second label is not drawn, whichever corner has the first', () => {
  const first = drawLabel(GROUNDS.noise, wish);
  const second = drawLabel(first.raster, { ...wish, corner: 'top_left' });
  expect(second).toEqual({ raster: first.raster, label: first.label, wasThere: true });
  expect(second.raster).toBe(first.raster);
});

test('a different label recorded in metadata is kept, and a missing one is ignored', () => {
  const noted = { style: 'text', language: 'de', kind: 'generated' } as const;
  const first = drawLabel(GROUNDS.noise, { ...wish, ...noted });
  expect(drawLabel(first.raster, { ...wish, noted })).toMatchObject({
    wasThere: true,
    label: { language: 'de' },
  });
  expect(drawLabel(GROUNDS.noise, { ...wish, noted }).wasThere).toBe(false);
  expect(drawLabel(first.raster, wish).wasThere).toBe(false);
});

test.each(Object.entries(GROUNDS))(
  'a label on %s is detected after JPEG at quality 75',
  async (_name, ground) => {
    const { raster } = drawLabel(ground, wish);
    const { width, height, data } = raster;
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 75 })
      .toBuffer();
    const again = { ...raster, data: new Uint8Array(await sharp(jpeg).raw().toBuffer()) };
    expect(drawLabel(again, wish).wasThere).toBe(true);
    expect(drawLabel({ ...raster, data: ground.data }, wish).wasThere).toBe(false);
  },
);

test('16-bit depth and greyscale are preserved', () => {
  const data = Uint16Array.from({ length: 240 * 200 }, (_, at) => at * 3);
  const { raster } = drawLabel({ width: 240, height: 200, channels: 1, data }, wish);
  expect(raster.channels).toBe(1);
  expect(raster.data).toBeInstanceOf(Uint16Array);
  expect(Math.max(...raster.data.subarray(177 * 240, 178 * 240))).toBe(65_535);
});

test('on a transparent image, the label is opaque and the rest stays transparent', () => {
  const data = new Uint8Array(240 * 200 * 4);
  const { raster, label } = drawLabel({ width: 240, height: 200, channels: 4, data }, wish);
  const middle = ((label.region.y + 12) * 240 + label.region.x + 4) * 4;
  expect([...raster.data.subarray(middle, middle + 4)]).toEqual([0, 0, 0, 255]);
  expect([...raster.data.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  const edge = Array.from({ length: 240 * 200 }, (_, pixel) => [
    ...raster.data.subarray(4 * pixel, 4 * pixel + 4),
  ]);
  const halfway = edge.filter(([, , , alpha]) => alpha! > 0 && alpha! < 255);
  expect(Math.min(...halfway.map(([light]) => light!))).toBeGreaterThan(240);
});
