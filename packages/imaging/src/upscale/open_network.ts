import { openSession, type Provider, type Session } from '../onnx/open_session.ts';
import type { Tensors } from '../onnx/tensors.ts';
import { type Architecture, COLORS } from './architecture.ts';
import { buildGraph } from './build_graph.ts';
import { rulesOf, TAIL_SCALE } from './effort.ts';
import { planTiles, type TileRules } from './plan_tiles.ts';

/** A network ready to enlarge pictures. */
export interface Network {
  /** Times as wide and high. */
  readonly scale: number;
  /** What it may be given at once. */
  readonly rules: TileRules;
  /** @param planes red, green, blue, each row by row, 0 to 1. @returns the same of the larger picture, to be clamped */
  enlarge(planes: Float32Array, width: number, height: number): Promise<Float32Array>;
  /** Where it runs. */
  readonly provider: Session['provider'];
  /** Gives its memory back. */
  close(): Promise<void>;
}

/** The tail holds 12 KB for each of its pixels; two pixels around decide about one. */
const TAIL_RULES: TileRules = { pixelsMax: 128 * 128, contextPx: 2, multipleOf: 1 };
/**
 * Opens a network. An RRDBNet is opened in two parts, so that the last layers, which work on
 * 16 times as many pixels, get smaller pieces: memory then bounds the first part alone.
 * @throws WeightsError where the weights are those of another network
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
    rules: rulesOf(architecture),
    async enlarge(planes, width, height) {
      const features = await answerOf(trunk, planes, [1, COLORS, height, width]);
      const picture = { width: width / fold, height: height / fold, planes: architecture.features };
      return runInPieces(tail, features, picture);
    },
    close: async () => void (await Promise.all([trunk.close(), tail.close()])),
  };
}

async function wholeNetwork(
  architecture: Architecture,
  tensors: Tensors,
  provider: Provider,
): Promise<Network> {
  const session = await openSession(buildGraph(architecture, tensors), provider);
  return {
    scale: architecture.scale,
    provider: session.provider,
    rules: rulesOf(architecture),
    enlarge: (planes, width, height) => answerOf(session, planes, [1, COLORS, height, width]),
    close: () => session.close(),
  };
}

async function answerOf(
  session: Session,
  data: Float32Array,
  sides: readonly number[],
): Promise<Float32Array> {
  return (await session.run(data, sides)).get('output')!.data;
}

/** Runs the tail piece by piece over features. */
async function runInPieces(
  tail: Session,
  features: Float32Array,
  { width, height, planes }: { width: number; height: number; planes: number },
): Promise<Float32Array> {
  const enlarged = new Float32Array(COLORS * width * height * TAIL_SCALE ** 2);
  const outWidth = width * TAIL_SCALE;
  for (const { seen, ...tile } of planTiles(width, height, TAIL_RULES).flat()) {
    const piece = new Float32Array(planes * seen.width * seen.height);
    for (let row = 0; row < planes * seen.height; row += 1) {
      const [plane, y] = [Math.floor(row / seen.height), seen.top + (row % seen.height)];
      const from = (plane * height + y) * width + seen.left;
      piece.set(features.subarray(from, from + seen.width), row * seen.width);
    }
    const answer = await answerOf(tail, piece, [1, planes, seen.height, seen.width]);
    const [tileWidth, tileHeight] = [tile.width * TAIL_SCALE, tile.height * TAIL_SCALE];
    const [skipX, skipY] = [(tile.left - seen.left) * TAIL_SCALE, (tile.top - seen.top) * TAIL_SCALE];
    for (let row = 0; row < COLORS * tileHeight; row += 1) {
      const [plane, y] = [Math.floor(row / tileHeight), row % tileHeight];
      const from = (plane * seen.height * TAIL_SCALE + skipY + y) * seen.width * TAIL_SCALE + skipX;
      const to =
        (plane * height * TAIL_SCALE + tile.top * TAIL_SCALE + y) * outWidth + tile.left * TAIL_SCALE;
      enlarged.set(answer.subarray(from, from + tileWidth), to);
    }
  }
  return enlarged;
}
