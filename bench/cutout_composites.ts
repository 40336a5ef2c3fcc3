import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSession } from '@atelier/imaging/onnx/open_session.ts';
import { compose } from '@atelier/imaging/segmentation/compose.ts';
import { cutOutObject } from '@atelier/imaging/segmentation/remove_background.ts';
import { type Segment, segmentByColor, UNSURE_FROM } from '@atelier/imaging/segmentation/segment.ts';
import { segmentByNetwork } from '@atelier/imaging/segmentation/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import { type Composite, composites } from './support/cutouts/composites.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
/** Below this a cut-out counts as wrong. */
const RIGHT_IOU = 0.9;

interface Score {
  readonly iou: number;
  /** Mean absolute and mean squared error of opacity; and opacity lost, of all there is. */
  readonly error: number;
  readonly squared: number;
  readonly lost: number;
  /** Absent: not measured, as before a flat background. */
  readonly doubt?: number;
  readonly ms: number;
}

interface Row extends Pick<Composite, 'name' | 'half'> {
  readonly scores: Readonly<Record<string, Score>>;
}

/** Forty composites with known opacity: how good cut-outs are, and whether they know. */
export async function run(): Promise<string> {
  if (!existsSync(`${SHARED}images/matting`)) return 'cutout_composites: skipped, ../shared/images is absent';
  const session = await openSession(readFileSync(`${SHARED}models/u2netp.onnx`));
  const ways: Record<string, Segment> = {
    colours: segmentByColor,
    'u2netp asked once': segmentByNetwork(session, { ...SEGMENTERS.u2netp, isCompleted: false }),
    'u2netp completed': segmentByNetwork(session, SEGMENTERS.u2netp),
  };
  const rows: Row[] = [];
  for await (const composite of composites()) {
    const scores: Record<string, Score> = {};
    for (const [way, segment] of Object.entries(ways)) scores[way] = await scoreOf(composite, segment);
    rows.push({ name: composite.name, half: composite.half, scores });
  }
  return [
    '## Cut-outs of forty composites',
    '',
    '| half, way | IoU | mean error | squared | lost | right (IoU ≥ 0.9) | called sure | of these wrong | time |',
    '|---|---|---|---|---|---|---|---|---|',
    ...(['building', 'held_back'] as const).flatMap((half) =>
      Object.keys(ways).map((way) =>
        summaryLine(
          half,
          way,
          rows.filter((row) => row.half === half),
        ),
      ),
    ),
    '',
    `| picture (IoU, how likely wrong) | ${Object.keys(ways).join(' | ')} |`,
    `|---|${'---|'.repeat(Object.keys(ways).length)}`,
    ...rows.map((row) => `| ${row.name} | ${Object.values(row.scores).map(textOf).join(' | ')} |`),
  ].join('\n');
}

async function scoreOf({ picture, truth }: Composite, segment: Segment): Promise<Score> {
  const start = performance.now();
  try {
    const { cutOut, figures } = await cutOutObject(picture, segment);
    const { data } = compose(cutOut, { kind: 'mask' });
    const ms = performance.now() - start;
    return {
      ...errorsOf(data, truth.data),
      ...(figures.doubt !== undefined && { doubt: figures.doubt }),
      ms,
    };
  } catch {
    // A picture refused is one of which the engine was not sure.
    return { iou: 0, error: 0, squared: 0, lost: 1, doubt: 1, ms: performance.now() - start };
  }
}

function errorsOf(levels: Uint8Array, truth: Float32Array): Omit<Score, 'doubt' | 'ms'> {
  let [both, either, error, squared, lost, all] = [0, 0, 0, 0, 0, 0];
  for (let pixel = 0; pixel < truth.length; pixel++) {
    const off = levels[pixel]! / 255 - truth[pixel]!;
    const [is, should] = [levels[pixel]! >= 128, truth[pixel]! >= 0.5];
    if (is && should) both++;
    if (is || should) either++;
    error += Math.abs(off);
    squared += off * off;
    lost += Math.max(0, -off);
    all += truth[pixel]!;
  }
  return {
    iou: both / Math.max(1, either),
    error: error / truth.length,
    squared: squared / truth.length,
    lost: lost / all,
  };
}

function summaryLine(half: string, way: string, rows: readonly Row[]): string {
  const scores = rows.map((row) => row.scores[way]!);
  const mean = (of: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + of(score), 0) / scores.length;
  const sure = scores.filter(({ doubt }) => (doubt ?? 0) <= UNSURE_FROM);
  const isRight = ({ iou }: Score) => iou >= RIGHT_IOU;
  const once = rows.reduce((sum, row) => sum + row.scores['u2netp asked once']!.ms, 0) / rows.length;
  return `| ${half}, ${way} | ${mean(({ iou }) => iou).toFixed(3)} | ${mean(({ error }) => error).toFixed(4)} | ${mean(({ squared }) => squared).toFixed(4)} | ${mean(({ lost }) => lost).toFixed(3)} | ${scores.filter(isRight).length} | ${sure.length} | ${sure.filter((score) => !isRight(score)).length} | ${(mean(({ ms }) => ms) / once).toFixed(2)} |`;
}

const textOf = ({ iou, doubt }: Score): string => `${iou.toFixed(3)}, ${doubt?.toFixed(2) ?? '–'}`;
