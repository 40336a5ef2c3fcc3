import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { expect, test } from 'vitest';
import { scene } from '../../../tests/support/scene.ts';
import { findPlaces, inPixels, PLACES } from './find_places.ts';

type Color = readonly [red: number, green: number, blue: number, opacity?: number];
const [WIDTH, HEIGHT] = [640, 400];
/** An image with the colour of each pixel from a function. */
function draw(colorAt: (x: number, y: number) => Color): Promise<Buffer> {
  const data = new Uint8Array(4 * WIDTH * HEIGHT);
  for (let at = 0; at < WIDTH * HEIGHT; at++) {
    const [red, green, blue, opacity = 255] = colorAt(at % WIDTH, Math.floor(at / WIDTH));
    data.set([red, green, blue, opacity], 4 * at);
  }
  const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255);
  const picture = sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } });
  return (isOpaque ? picture.removeAlpha() : picture).png().toBuffer();
}
const WALL: Color = [221, 227, 234];
const RED: Color = [160, 48, 32];

const asked = { finders: {}, otherwise: 'next' } as const;

test('a subject on a flat background is located within one percent', async () => {
  const bytes = await draw((x, y) => (Math.hypot((x - 460) / 90, (y - 180) / 60) < 1 ? RED : WALL));
  const { found, boxes, reason } = await findPlaces({ bytes, place: 'subject', ...asked });
  const box = inPixels(boxes[0]!, { width: WIDTH, height: HEIGHT });
  for (const [side, value] of Object.entries({ x: 370, y: 120, width: 180, height: 120 }))
    expect(Math.abs(box[side as 'x'] - value)).toBeLessThanOrEqual(4);
  expect([found, reason]).toEqual(['subject', 'The subject, found by its flat background.']);
});

test("a subject by the picture's own transparency", async () => {
  const bytes = await draw((x, y) => (x >= 64 && x < 192 && y >= 100 && y < 300 ? RED : [0, 0, 0, 0]));
  const { boxes, reason } = await findPlaces({ bytes, place: 'subject', ...asked });
  expect(boxes[0]!.x).toBeCloseTo(0.1, 2);
  expect(boxes[0]!.height).toBeCloseTo(0.5, 2);
  expect(reason).toBe('The subject, found by the transparency of the image.');
});

test('attention selects the only object', async () => {
  const bytes = await draw((x, y) => (Math.hypot(x - 560, y - 330) < 30 ? [232, 176, 144] : [136, 136, 136]));
  const {
    boxes: [box],
  } = await findPlaces({ bytes, place: 'attention', ...asked });
  expect(box).toMatchObject({ x: 0.5, y: 0.5, width: 0.5, height: 0.5 });
});

test('without a face detection model the result names the reason and the substitute', async () => {
  const bytes = await draw((x, y) => (Math.hypot(x - 200, y - 200) < 80 ? RED : WALL));
  expect(await findPlaces({ bytes, place: 'faces', ...asked })).toMatchObject({
    found: 'subject',
    isLookedFor: false,
    reason:
      'No model that finds faces is installed. The operator can install one with "atelier models pull face_full_range". Used instead: the subject, found by its flat background.',
  });
});

test('a target without a permitted substitute has no boxes', async () => {
  const bytes = await scene();
  expect(await findPlaces({ bytes, place: 'text', finders: {}, otherwise: 'none' })).toMatchObject({
    found: undefined,
    boxes: [],
    isLookedFor: false,
  });
});

test.each(PLACES)('%s in an image of one pixel or one colour falls back to attention', async (place) => {
  const plain = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: '#345' } })
      .png()
      .toBuffer();
  for (const side of [1, 64]) {
    const { found, boxes } = await findPlaces({ bytes: await plain(side), place, ...asked });
    expect([found, boxes.length]).toEqual(['attention', 1]);
  }
});
