import { Graph, scalar } from '../onnx/graph.ts';
import { openSession } from '../onnx/open_session.ts';
import type { Provider, Session } from '../onnx/session.ts';
import type { Tensor, Tensors } from '../onnx/tensors.ts';
import {
  type Architecture,
  COLORS,
  checkArchitecture,
  DENSE_BLOCKS,
  DENSE_CONVOLUTIONS,
  SPAN_CONVOLUTIONS,
  SPAN_FALLBACK_PX,
  SPAN_MEAN,
} from './architecture.ts';
import { TAIL_SCALE, tileRulesOf } from './model_cost.ts';
import { planTiles, type TileRules } from './plan_tiles.ts';

/** Slope of the leaky ReLUs and residual scaling, from training. */
const SLOPE = 0.2;
const RESIDUAL = 0.2;
const UNSHUFFLE = 2;

/** RRDBNet is split: most layers run at the size of the image, the last ones on 16 times as many pixels. */
type GraphPart = 'whole' | 'trunk' | 'tail';

/**
 * Builds the model as an ONNX file with dynamic size: `input` (batch, 3, height, width) in RGB from 0 to 1, `output` `scale` times as high
 * and wide, to be clamped. RRDBNet ×2 requires even sides. Layers keep their published names, and `expose` adds the output of some of them
 * to the graph outputs. The `trunk` of an RRDBNet outputs features, the input of its `tail`. Defined in xinntao/Real-ESRGAN and
 * XPixelGroup/BasicSR: basicsr/archs/rrdbnet_arch.py, srvgg_arch.py; hongyuanyu/SPAN: basicsr/archs/span_arch.py.
 * @throws WeightsError if the weights belong to another model
 */
export function buildGraph(
  architecture: Architecture,
  tensors: Tensors,
  { part = 'whole', expose = [] }: { part?: GraphPart; expose?: readonly string[] } = {},
): Uint8Array {
  if (part !== 'tail') checkArchitecture(tensors, architecture);
  const layers = new Layers(tensors);
  if (architecture.kind === 'SRVGGNetCompact') buildCompact(layers, architecture);
  else if (architecture.kind === 'SPAN') buildSpan(layers, architecture);
  else {
    const features = part === 'tail' ? 'input' : trunk(layers, architecture);
    const output = part === 'trunk' ? features : tail(layers, features);
    layers.graph.node('Identity', [output], {}, 'output');
  }
  return layers.graph.toModel({
    input: [part === 'tail' ? architecture.features : COLORS, 'height', 'width'],
    outputs: [...expose, 'output'].map((name) => ({ name, sides: [] })),
  });
}

class Layers {
  readonly graph = new Graph();
  readonly #tensors: Tensors;

  constructor(tensors: Tensors) {
    this.#tensors = tensors;
  }

  tensor(name: string): Tensor {
    return this.#tensors.get(name)!;
  }

  weights(name: string): string {
    return this.graph.weights(name, this.tensor(name));
  }

  convolution(name: string, input: string, kernel = this.weights(`${name}.weight`)): string {
    const inputs = [input, kernel, this.weights(`${name}.bias`)];
    const [, , height, width] = this.tensor(`${name}.weight`).shape as [number, number, number, number];
    const [down, across] = [(height - 1) / 2, (width - 1) / 2];
    const kept = { kernel_shape: [height, width], pads: [down, across, down, across] };
    return this.graph.node('Conv', inputs, kept, name);
  }

  leaky(input: string): string {
    return this.graph.node('LeakyRelu', [input], { alpha: { float: SLOPE } });
  }

  add(one: string, other: string, name?: string): string {
    return this.graph.node('Add', [one, other], {}, name);
  }

  /** `input` + 0.2 × `change` */
  residual(input: string, change: string, name?: string): string {
    const factor = this.graph.constant('residual', [RESIDUAL], 'float');
    return this.add(input, this.graph.node('Mul', [change, factor]), name);
  }

  /** Nearest-neighbour upsampling by `factor`. */
  repeatPixels(input: string, factor: number): string {
    const scales = this.graph.constant(`times_${factor}`, [1, 1, factor, factor], 'float');
    const exact = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
    return this.graph.node('Resize', [input, '', scales], exact);
  }
}

function trunk(layers: Layers, { scale, blocks }: Architecture & { kind: 'RRDBNet' }): string {
  const first = scale === 2 ? pixelUnshuffle(layers) : layers.convolution('conv_first', 'input');
  let outer = first;
  for (let block = 0; block < blocks; block += 1) {
    let inner = outer;
    for (let dense = 1; dense <= DENSE_BLOCKS; dense += 1)
      inner = denseBlock(layers, `body.${block}.rdb${dense}`, inner);
    outer = layers.residual(outer, inner, `body.${block}`);
  }
  return layers.add(first, layers.convolution('conv_body', outer));
}

function tail(layers: Layers, input: string): string {
  let features = input;
  for (const name of ['conv_up1', 'conv_up2'])
    features = layers.leaky(layers.convolution(name, layers.repeatPixels(features, 2)));
  return layers.convolution('conv_last', layers.leaky(layers.convolution('conv_hr', features)));
}

/** Dense connections: each convolution receives the input and all previous outputs. */
function denseBlock(layers: Layers, name: string, input: string): string {
  const seen = [input];
  for (let index = 1; index < DENSE_CONVOLUTIONS; index += 1)
    seen.push(layers.leaky(layers.convolution(`${name}.conv${index}`, joinParts(layers, seen))));
  return layers.residual(
    input,
    layers.convolution(`${name}.conv${DENSE_CONVOLUTIONS}`, joinParts(layers, seen)),
    name,
  );
}

const joinParts = (layers: Layers, parts: readonly string[]): string =>
  parts.length === 1 ? parts[0]! : layers.graph.node('Concat', parts, { axis: 1 });

/**
 * Pixel unshuffle: moves 2 × 2 pixels into channels. ONNX orders them (row, column, colour), PyTorch (colour, row, column), so the input
 * channels of the first convolution are permuted.
 */
function pixelUnshuffle(layers: Layers): string {
  const { shape, data } = layers.tensor('conv_first.weight');
  const [outputs, inputs, ...kernel] = shape as [number, number, number, number];
  const size = kernel.reduce((product, side) => product * side, 1);
  const turned = new Float32Array(data.length);
  for (let output = 0; output < outputs; output += 1)
    for (let input = 0; input < inputs; input += 1) {
      const [color, place] = [Math.floor(input / UNSHUFFLE ** 2), input % UNSHUFFLE ** 2];
      const from = (output * inputs + input) * size;
      turned.set(data.subarray(from, from + size), (output * inputs + place * COLORS + color) * size);
    }
  const kernelName = layers.graph.weights('conv_first.weight', { shape, data: turned });
  const folded = layers.graph.node('SpaceToDepth', ['input'], { blocksize: UNSHUFFLE });
  return layers.convolution('conv_first', folded, kernelName);
}

function buildCompact(
  layers: Layers,
  { scale, convolutions }: Architecture & { kind: 'SRVGGNetCompact' },
): void {
  let features = 'input';
  for (let layer = 0; layer <= convolutions; layer += 1) {
    const made = layers.convolution(`body.${2 * layer}`, features);
    features = layers.graph.node(
      'PRelu',
      [made, slopes(layers, `body.${2 * layer + 1}`)],
      {},
      `body.${2 * layer + 1}`,
    );
  }
  const last = layers.convolution(`body.${2 * (convolutions + 1)}`, features);
  const detail = layers.graph.node('DepthToSpace', [last], { blocksize: scale, mode: 'CRD' });
  layers.add(detail, layers.repeatPixels('input', scale), 'output');
}

/** SPAN computes with values of 0 to 255, from training. */
const LEVELS = 255;

/** The last layers receive the outputs of the first convolution, the first block, the middle of the last block, and the last block. */
function buildSpan(layers: Layers, { scale, blocks }: Architecture & { kind: 'SPAN' }): void {
  const { graph } = layers;
  const centred = graph.node('Sub', [
    'input',
    graph.weights('mean', { shape: [1, COLORS, 1, 1], data: SPAN_MEAN }),
  ]);
  const levels = graph.node('Mul', [centred, graph.constant('levels', [LEVELS], 'float')]);
  const first = layers.convolution('conv_1', levels);
  const made: Block[] = [];
  for (let block = 1; block <= blocks; block += 1)
    made.push(spanBlock(layers, `block_${block}`, made.at(-1)?.output ?? first));
  const end = layers.convolution('conv_2', made.at(-1)!.output);
  const joined = joinParts(layers, [first, end, made[0]!.output, made.at(-1)!.early]);
  const detail = layers.convolution('upsampler.upsampler.0', layers.convolution('conv_cat', joined));
  const enlarged = graph.node('DepthToSpace', [detail], { blocksize: scale, mode: 'CRD' });
  blendDiverging(layers, enlarged, scale);
}

/**
 * Range of deviations over which SPAN is blended into cubic resampling. In 10 benchmark images no pixel deviated by more than 43 levels;
 * diverging values deviate by hundreds and thousands.
 */
const DEVIATION = { allowed: 45 / LEVELS, replaced: 65 / LEVELS };

/**
 * Outputs the upscaled image, and cubic resampling where the mean over a source pixel is far from that pixel. SPAN's attention multiplies
 * features by themselves; at extreme contrasts, as in an oversharpened photograph, some diverge from block to block.
 */
function blendDiverging(layers: Layers, enlarged: string, scale: number): void {
  const { graph } = layers;
  const number = (name: string, value: number) => graph.weights(name, scalar(value));
  const sizes = graph.constant('enlarging', [1, 1, scale, scale], 'float');
  const resized = (input: string, mode: 'cubic' | 'linear') =>
    graph.node('Resize', [input, '', sizes], { mode, cubic_coeff_a: { float: -0.5 } });
  const [sides, around] = [[scale, scale], SPAN_FALLBACK_PX];
  const means = graph.node('AveragePool', [enlarged], { kernel_shape: sides, strides: sides });
  const deviation = graph.node('Abs', [graph.node('Sub', [means, 'input'])]);
  const maximum = graph.node('ReduceMax', [deviation], { axes: [1], keepdims: 1 });
  const departure = graph.node('MaxPool', [maximum], {
    kernel_shape: [2 * around + 1, 2 * around + 1],
    pads: [around, around, around, around],
  });
  const beyond = graph.node('Sub', [departure, number('allowed', DEVIATION.allowed)]);
  const steep = number('steepness', 1 / (DEVIATION.replaced - DEVIATION.allowed));
  const [none, all] = [number('none', 0), number('all', 1)];
  const share = resized(graph.node('Clip', [graph.node('Mul', [beyond, steep]), none, all]), 'linear');
  const kept = graph.node('Mul', [enlarged, graph.node('Sub', [all, share])]);
  layers.add(kept, graph.node('Mul', [resized('input', 'cubic'), share]), 'output');
}

interface Block {
  readonly output: string;
  /** The output of its first convolution. */
  readonly early: string;
}

/** Three convolutions with a residual connection, and parameter-free attention from their output. */
function spanBlock(layers: Layers, name: string, input: string): Block {
  const { graph } = layers;
  const silu = (from: string) => graph.node('Mul', [from, graph.node('Sigmoid', [from])]);
  const early = silu(layers.convolution(`${name}.c1_r`, input));
  let found = early;
  for (let index = 2; index <= SPAN_CONVOLUTIONS; index += 1) {
    const convolved = layers.convolution(`${name}.c${index}_r`, found);
    found = index < SPAN_CONVOLUTIONS ? silu(convolved) : convolved;
  }
  const half = graph.constant('half', [0.5], 'float');
  const attention = graph.node('Sub', [graph.node('Sigmoid', [found]), half]);
  return { output: graph.node('Mul', [layers.add(found, input), attention], {}, name), early };
}

/** One PReLU slope per channel, shaped to broadcast over rows and columns. */
function slopes(layers: Layers, name: string): string {
  const { shape, data } = layers.tensor(`${name}.weight`);
  return layers.graph.weights(`${name}.weight`, { shape: [...shape, 1, 1], data });
}

/** A loaded upscaling model. */
export interface Network {
  /** Factor per side. */
  readonly scale: number;
  /** Limits on its tiles. */
  readonly rules: TileRules;
  /**
   * Upscales planar input.
   * @param planes red, green, blue, each row by row, 0 to 1
   * @returns the upscaled planes, to be clamped
   */
  enlarge(planes: Float32Array, width: number, height: number): Promise<Float32Array>;
  /** Execution provider. */
  readonly provider: Session['provider'];
  /** Frees memory kept between tiles. The model remains usable. */
  releaseMemory?(): Promise<void>;
  /** Frees all of its memory. */
  close(): Promise<void>;
}

/** The tail needs 12 KB per pixel; its receptive field extends two pixels. */
const TAIL_RULES: TileRules = { pixelsMax: 128 * 128, overlapPx: 2, multipleOf: 1 };
/**
 * Loads a model. An RRDBNet is loaded in two parts, so that the last layers, which run on 16 times as many pixels, use smaller tiles: then
 * only the first part limits memory.
 * @throws WeightsError if the weights belong to another model
 */
export async function openNetwork(
  architecture: Architecture,
  tensors: Tensors,
  provider: Provider = 'cpu',
): Promise<Network> {
  if (architecture.kind !== 'RRDBNet') return wholeNetwork(architecture, tensors, provider);
  const parts = ['trunk', 'tail'] as const;
  const [trunk, tail] = (await Promise.all(
    parts.map((part) => openSession(buildGraph(architecture, tensors, { part }), provider)),
  )) as [Session, Session];
  const fold = TAIL_SCALE / architecture.scale;
  return {
    scale: architecture.scale,
    provider: trunk.provider,
    rules: tileRulesOf(architecture),
    async enlarge(planes, width, height) {
      const features = await firstOutput(trunk, planes, [1, COLORS, height, width]);
      const picture = { width: width / fold, height: height / fold, planes: architecture.features };
      return runTailTiled(tail, features, picture);
    },
    close: async () => void (await Promise.all([trunk.close(), tail.close()])),
  };
}

async function wholeNetwork(
  architecture: Architecture,
  tensors: Tensors,
  provider: Provider,
): Promise<Network> {
  const open = () => openSession(buildGraph(architecture, tensors), provider, undefined, 'kept');
  let session = await open();
  let isReleased = false;
  return {
    scale: architecture.scale,
    provider: session.provider,
    rules: tileRulesOf(architecture),
    async enlarge(planes, width, height) {
      if (isReleased) {
        session = await open();
        isReleased = false;
      }
      return firstOutput(session, planes, [1, COLORS, height, width]);
    },
    // Reopening takes 35 ms on a CPU, but seconds on a GPU, which has its own memory.
    ...(session.provider === 'cpu' && {
      async releaseMemory() {
        if (isReleased) return;
        isReleased = true;
        await session.close();
      },
    }),
    async close() {
      if (!isReleased) await session.close();
      // A closed model stays closed: its session rejects further runs.
      isReleased = false;
    },
  };
}

async function firstOutput(
  session: Session,
  data: Float32Array,
  sides: readonly number[],
): Promise<Float32Array> {
  return (await session.run(data, sides)).get('output')!.data;
}

/** Runs the tail tile by tile over features. */
async function runTailTiled(
  tail: Session,
  features: Float32Array,
  { width, height, planes }: { width: number; height: number; planes: number },
): Promise<Float32Array> {
  const enlarged = new Float32Array(COLORS * width * height * TAIL_SCALE ** 2);
  const outWidth = width * TAIL_SCALE;
  for (const { input, ...tile } of planTiles(width, height, TAIL_RULES).flat()) {
    const piece = new Float32Array(planes * input.width * input.height);
    for (let row = 0; row < planes * input.height; row += 1) {
      const [plane, y] = [Math.floor(row / input.height), input.top + (row % input.height)];
      const from = (plane * height + y) * width + input.left;
      piece.set(features.subarray(from, from + input.width), row * input.width);
    }
    const result = await firstOutput(tail, piece, [1, planes, input.height, input.width]);
    const [tileWidth, tileHeight] = [tile.width * TAIL_SCALE, tile.height * TAIL_SCALE];
    const [skipX, skipY] = [(tile.left - input.left) * TAIL_SCALE, (tile.top - input.top) * TAIL_SCALE];
    for (let row = 0; row < COLORS * tileHeight; row += 1) {
      const [plane, y] = [Math.floor(row / tileHeight), row % tileHeight];
      const from = (plane * input.height * TAIL_SCALE + skipY + y) * input.width * TAIL_SCALE + skipX;
      const to =
        (plane * height * TAIL_SCALE + tile.top * TAIL_SCALE + y) * outWidth + tile.left * TAIL_SCALE;
      enlarged.set(result.subarray(from, from + tileWidth), to);
    }
  }
  return enlarged;
}
