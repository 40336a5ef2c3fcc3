import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { sharp } from '../codecs/sharp.ts';
import { openSession } from '../onnx/open_session.ts';
import { readOnnx } from '../onnx/read_weights.ts';
import type { Tensors } from '../onnx/tensors.ts';
import { type Architecture, expectedShapes } from './architecture.ts';
import { buildGraph } from './open_network.ts';

/** Compares our graphs with graphs exported by others from the official weights, on a crop of a photograph. */
const SHARED = new URL('../../../../../shared/', import.meta.url);

const NETWORKS: [name: string, architecture: Architecture][] = [
  ['realesr_animevideov3', { kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions: 16 }],
  ['realesr_general_x4v3', { kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions: 32 }],
  ['realesrgan_x4plus_anime', { kind: 'RRDBNet', scale: 4, features: 64, growth: 32, blocks: 6 }],
  ['realesrgan_x4plus', { kind: 'RRDBNet', scale: 4, features: 64, growth: 32, blocks: 23 }],
  ['span_x2_ch48', { kind: 'SPAN', scale: 2, features: 48, blocks: 6 }],
  ['span_x4_ch48', { kind: 'SPAN', scale: 4, features: 48, blocks: 6 }],
];
const [WIDTH, HEIGHT] = [52, 36];

async function piece(): Promise<Float32Array> {
  const bytes = await sharp(readFileSync(new URL('images/photo/kodak_23.png', SHARED)))
    .extract({ left: 300, top: 200, width: WIDTH, height: HEIGHT })
    .raw()
    .toBuffer();
  const plane = WIDTH * HEIGHT;
  return Float32Array.from(bytes, (_, at) => bytes[(at % plane) * 3 + Math.floor(at / plane)]! / 255);
}
const level = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 255);

test.each(NETWORKS)(
  '%s: output is within one level of the reference graph',
  needs('../shared'),
  async (name, architecture) => {
    const path = fileURLToPath(new URL(`models/${name}.onnx`, SHARED));
    const beside = (file: string) => readFileSync(new URL(`models/${file}`, SHARED));
    const { tensors } = readOnnx(readFileSync(path), beside);
    const ours = await openSession(buildGraph(architecture, bringToShape(tensors, architecture)));
    const reference = await InferenceSession.create(path, { logSeverityLevel: 3 });
    const [input, sides] = [await piece(), [1, 3, HEIGHT, WIDTH]];

    const mine = (await ours.run(input, sides)).get('output')!;
    const theirs = (await reference.run({ input: new OnnxTensor('float32', input, sides) })).output!;
    const levels = (theirs.data as Float32Array).map((value, at) =>
      Math.abs(level(value) - level(mine.data[at]!)),
    );
    expect(mine.sides).toEqual([1, 3, HEIGHT * architecture.scale, WIDTH * architecture.scale]);
    expect(Math.max(...levels)).toBeLessThanOrEqual(1);
    const deviation = mine.data.map((value, at) => Math.abs(value - (theirs.data as Float32Array)[at]!));
    expect(Math.max(...deviation)).toBeLessThan(1e-3);
    await Promise.all([ours.close(), reference.release()]);
  },
);

/** Other exporters keep dimensions of one on slopes and add their own constants to the weights. */
const bringToShape = (tensors: Tensors, architecture: Architecture): Tensors =>
  new Map(
    [...expectedShapes(architecture)].map(([name, shape]) => [
      name,
      { shape, data: tensors.get(name)!.data },
    ]),
  );
