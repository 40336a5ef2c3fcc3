import { type Tensors, WeightsError } from '../onnx/tensors.ts';

/** A model of the Real-ESRGAN family or SPAN, by its published name and the dimensions its weights must have. */
export type Architecture =
  | {
      readonly kind: 'RRDBNet';
      /** Upsamples 4x internally; for 2, the image is first pixel-unshuffled to half its size and 12 channels. */
      readonly scale: 2 | 4;
      readonly features: number;
      readonly growth: number;
      readonly blocks: number;
    }
  | {
      readonly kind: 'SRVGGNetCompact';
      readonly scale: number;
      readonly features: number;
      /** Convolutions between the first and the last. */
      readonly convolutions: number;
    }
  | {
      readonly kind: 'SPAN';
      readonly scale: number;
      readonly features: number;
      /** Of three convolutions with parameter-free attention. */
      readonly blocks: number;
    };

export const COLORS = 3;
const KERNEL = [3, 3] as const;
/** Convolutions in a block of SPAN, and the number of feature maps its last layers concatenate. */
export const SPAN_CONVOLUTIONS = 3;
export const SPAN_CONCATENATED = 4;
/** Mean that SPAN subtracts from red, green and blue; from training. */
export const SPAN_MEAN = Float32Array.of(0.4488, 0.4371, 0.404);
/** Radius around a diverging pixel that falls back to cubic resampling too, because values diverge in patches. */
export const SPAN_FALLBACK_PX = 2;
/** Dense convolutions in a residual dense block, and such blocks in an RRDB. */
export const DENSE_CONVOLUTIONS = 5;
export const DENSE_BLOCKS = 3;

/** Name and shape of every tensor of the architecture, in layer order. */
export function expectedShapes(architecture: Architecture): Map<string, readonly number[]> {
  return new Map([...layersOf(architecture)]);
}

function layersOf(architecture: Architecture): Layers {
  if (architecture.kind === 'RRDBNet') return rrdbLayers(architecture);
  return architecture.kind === 'SPAN' ? spanLayers(architecture) : compactLayers(architecture);
}

type Layers = Generator<[name: string, shape: readonly number[]]>;

function* convolution(name: string, from: number, to: number, kernel: readonly number[] = KERNEL): Layers {
  yield [`${name}.weight`, [to, from, ...kernel]];
  yield [`${name}.bias`, [to]];
}

function* rrdbLayers({ scale, features, growth, blocks }: Architecture & { kind: 'RRDBNet' }): Layers {
  yield* convolution('conv_first', scale === 2 ? COLORS * 4 : COLORS, features);
  for (let block = 0; block < blocks; block += 1)
    for (let dense = 1; dense <= DENSE_BLOCKS; dense += 1)
      for (let index = 1; index <= DENSE_CONVOLUTIONS; index += 1) {
        const name = `body.${block}.rdb${dense}.conv${index}`;
        yield* convolution(
          name,
          features + (index - 1) * growth,
          index < DENSE_CONVOLUTIONS ? growth : features,
        );
      }
  for (const name of ['conv_body', 'conv_up1', 'conv_up2', 'conv_hr'])
    yield* convolution(name, features, features);
  yield* convolution('conv_last', features, COLORS);
}

function* compactLayers(architecture: Architecture & { kind: 'SRVGGNetCompact' }): Layers {
  const { scale, features, convolutions } = architecture;
  for (let layer = 0; layer <= convolutions; layer += 1) {
    yield* convolution(`body.${2 * layer}`, layer === 0 ? COLORS : features, features);
    yield [`body.${2 * layer + 1}.weight`, [features]];
  }
  yield* convolution(`body.${2 * (convolutions + 1)}`, features, COLORS * scale ** 2);
}

/** Reparameterised for inference: three sequential convolutions and a parallel one from training are merged into one. */
function* spanLayers({ scale, features, blocks }: Architecture & { kind: 'SPAN' }): Layers {
  yield* convolution('conv_1', COLORS, features);
  for (let block = 1; block <= blocks; block += 1)
    for (let index = 1; index <= SPAN_CONVOLUTIONS; index += 1)
      yield* convolution(`block_${block}.c${index}_r`, features, features);
  yield* convolution('conv_2', features, features);
  yield* convolution('conv_cat', SPAN_CONCATENATED * features, features, [1, 1]);
  yield* convolution('upsampler.upsampler.0', features, COLORS * scale ** 2);
}

/**
 * Checks tensors against an architecture.
 * @throws WeightsError with the first tensor that is missing, surplus or of a different shape, and the architecture the file resembles
 */
export function checkArchitecture(tensors: Tensors, architecture: Architecture): void {
  const expected = expectedShapes(architecture);
  const wrong = [...expected].find(([name, shape]) => tensors.get(name)?.shape.join() !== shape.join());
  const extra = [...tensors.keys()].find((name) => !expected.has(name));
  const bad = [...expected.keys()].find((name) =>
    tensors.get(name)?.data.some((value) => !Number.isFinite(value)),
  );
  if (!wrong && extra === undefined && bad === undefined) return;
  if (bad !== undefined && !wrong && extra === undefined)
    throw new WeightsError(`The tensor "${bad}" contains NaN or infinite values: the file is damaged.`);
  const [name, shape] = wrong ?? [extra!, undefined];
  const found = tensors.get(name)?.shape;
  throw new WeightsError(
    `These are not the weights of ${describe(architecture)}: "${name.slice(0, 80)}" ${
      found ? `has the shape (${found.join(', ')})` : 'is missing'
    }${shape ? `; expected (${shape.join(', ')})` : ', which does not exist in that network'}. ${similarNetworks(tensors)}`,
  );
}

function describe({ kind, scale, ...sizes }: Architecture): string {
  const numbers = Object.entries(sizes).map(([name, value]) => `${value} ${name}`);
  return `${kind} ×${scale} (${numbers.join(', ')})`;
}

/** Names the architecture the file resembles, for the error message about an unsupported file. */
function similarNetworks(tensors: Tensors): string {
  const span = tensors.get('upsampler.upsampler.0.weight')?.shape[0];
  if (span && tensors.has('conv_cat.weight'))
    return `The file looks like SPAN ×${Math.sqrt(span / COLORS)} with ${tensors.get('conv_cat.weight')!.shape[0]} features.`;
  const blocks = new Set([...tensors.keys()].map((name) => /^body\.(\d+)\.rdb/.exec(name)?.[1])).size - 1;
  const input = tensors.get('conv_first.weight')?.shape[1];
  if (blocks > 0)
    return `The file looks like RRDBNet ×${input === COLORS * 4 ? 2 : 4} with ${blocks} blocks.`;
  const layers = [...tensors.keys()].filter((name) => /^body\.\d+\.bias$/.test(name)).length;
  if (layers > 2) return `The file looks like SRVGGNetCompact with ${layers - 2} convolutions.`;
  return 'The file resembles neither a network of the Real-ESRGAN family nor SPAN.';
}
