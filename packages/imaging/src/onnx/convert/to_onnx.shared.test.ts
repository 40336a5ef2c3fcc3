import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import { sharp } from '../../codecs/sharp.ts';
import { openSession } from '../open_session.ts';
import { toOnnx } from './to_onnx.ts';

/** The published files, compared with graphs that another program converted from them. */

const SHARED = new URL('../../../../../../shared/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, SHARED));
const SIDE = 224;
const PICTURES = [
  'photo/kodak_03.png',
  'photo/kodak_15.png',
  'photo/kodak_23.png',
  'photo/pexels_food.png',
  'photo/pexels_woman.png',
  'anime/pepper_2015.jpg',
  'sr/set5/x4/HR/woman.png',
  'sr/set5/x4/HR/bird.png',
  'sr/set14/x4/HR/monarch.png',
];

/** Pixels of an image as planes, the model's input. */
async function planesOf(path: string, toInput: (sample: number) => number): Promise<Float32Array> {
  const pixels = await sharp(read(`images/${path}`))
    .resize(SIDE, SIDE, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const area = SIDE * SIDE;
  return Float32Array.from(pixels, (_, at) => toInput(pixels[(at % area) * 3 + Math.floor(at / area)]!));
}

const topOf = (scores: Float32Array): number => scores.indexOf(Math.max(...scores));

describe.each([
  [
    'imagenet_mobilenet_v2',
    'imagenet_mobilenet_v2/mobilenet_v2_1.0_224_quant.tflite',
    (v: number) => (v - 128) / 128,
  ],
  ['nsfw_mobilenet_v2', 'nsfw_mobilenet_v2/model.json', (v: number) => v / 255],
])('%s', needs('../shared'), (name, path, toInput) => {
  test('gives the same output as the reference graph from a file no larger', async () => {
    const graph = toOnnx(read(`models/${path}`), (shard) => read(`models/${name}/${shard}`))!;
    const theirs = read(`models/${name}.onnx`);
    expect(graph.length / theirs.length).toBeLessThan(1.01);
    const sessions = await Promise.all([graph, theirs].map((file) => openSession(file)));
    for (const picture of PICTURES) {
      const planes = await planesOf(picture, toInput);
      const [own, other] = (await Promise.all(
        sessions.map(async (session) => (await session.run(planes, [1, 3, SIDE, SIDE])).get('scores')!.data),
      )) as [Float32Array, Float32Array];
      expect([picture, topOf(own)]).toEqual([picture, topOf(other)]);
      const differences = own.map((score, at) => Math.abs(score - other[at]!));
      expect(Math.max(...differences)).toBeLessThan(1e-5);
    }
    await Promise.all(sessions.map((session) => session.close()));
  });
});
