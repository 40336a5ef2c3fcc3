import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { sharp } from '../codecs/sharp.ts';
import { openSession } from '../onnx/open_session.ts';
import { distanceInside } from '../pixels/distance_inside.ts';
import type { Stroke } from './correct_mask.ts';
import { removeBackground } from './remove_background.ts';
import { segmentByNetwork } from './segment_by_network.ts';
import { SEGMENTERS } from './segmenters.ts';

const SHARED = new URL('../../../../../shared/', import.meta.url);
const SIDE_PX = 320;
const sized = (name: string) =>
  sharp(readFileSync(new URL(`images/matting/${name}`, SHARED))).resize(SIDE_PX, SIDE_PX, { fit: 'inside' });
const levels = (file: Uint8Array | typeof sharp.prototype) =>
  (file instanceof Uint8Array ? sharp(file) : file).removeAlpha().toColourspace('b-w').raw().toBuffer();

const isIn = (value: number): boolean => value > 127;
function overlap(one: Uint8Array, other: Uint8Array): number {
  let [both, either] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    if (isIn(one[at]!) && isIn(other[at]!)) both++;
    if (isIn(one[at]!) || isIn(other[at]!)) either++;
  }
  return both / either;
}

/** Places a dot at the centre of the largest error, as a user would. */
function dotOn(alpha: Uint8Array, truth: Uint8Array, width: number): Stroke {
  const wrong = (keep: boolean) =>
    distanceInside(
      truth.map((value, at) => (isIn(value) === keep && isIn(alpha[at]!) !== keep ? 1 : 0)),
      width,
    );
  const dots = [true, false].map((keep) => {
    const depths = wrong(keep);
    const depth = depths.reduce((maximum, value) => Math.max(maximum, value), 0);
    const at = depths.indexOf(depth);
    const points: Stroke['points'] = [[(at % width) + 0.5, Math.floor(at / width) + 0.5]];
    return { depth, stroke: { points, radius: Math.max(2, depth / 2), keep } };
  });
  return dots.reduce((best, one) => (one.depth > best.depth ? one : best)).stroke;
}

test.each([
  ['GT08', 0.01],
  ['GT18', 0.05],
])(
  'two dot strokes on %s improve the u2netp mask',
  { ...needs('../shared'), timeout: 240_000 },
  async (name, gain) => {
    const session = await openSession(readFileSync(new URL('models/u2netp.onnx', SHARED)));
    const bytes = await sized(`${name}_image.png`).png().toBuffer();
    const truth = await levels(sized(`${name}_alpha.png`));
    const request = { bytes, format: 'png', look: { kind: 'mask' } } as const;
    const network = {
      segment: segmentByNetwork(session, SEGMENTERS.u2netp),
      engine: { name: 'u2netp', version: '1' },
    };
    const found = await removeBackground(request, undefined, network);
    await session.close();
    const first = await levels(found.bytes);
    const strokes = [dotOn(first, truth, found.width)];
    const once = await levels((await removeBackground({ ...request, mask: found.bytes, strokes })).bytes);
    strokes.push(dotOn(once, truth, found.width));
    const twice = await levels((await removeBackground({ ...request, mask: found.bytes, strokes })).bytes);
    expect(overlap(twice, truth)).toBeGreaterThan(overlap(first, truth) + gain);
  },
);
