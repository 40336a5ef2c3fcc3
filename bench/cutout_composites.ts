import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openSession } from '@atelier/imaging/onnx/open_session.ts';
import { compose } from '@atelier/imaging/segmentation/compose.ts';
import { cutOutObject, type SubjectFinder } from '@atelier/imaging/segmentation/remove_background.ts';
import { segmentByColor, UNSURE_FROM } from '@atelier/imaging/segmentation/segment.ts';
import { segmentByNetwork } from '@atelier/imaging/segmentation/segment_by_network.ts';
import { SEGMENTERS } from '@atelier/imaging/segmentation/segmenters.ts';
import { type Composite, composites, mattedPairs } from './support/cutouts/composites.ts';

const SHARED = fileURLToPath(new URL('../../shared/', import.meta.url));
/** Below this IoU a cutout counts as wrong. */
const RIGHT_IOU = 0.9;

interface Score {
  readonly name: string;
  readonly half: Composite['half'];
  /** Absent: refused. */
  readonly iou?: number;
  /** Mean absolute error of opacity. */
  readonly error?: number;
  /** Uncertainty reported by the engine; 0 for a flat background. */
  readonly doubt: number;
  readonly cpuSeconds: number;
}

/**
 * Sixty composites and the five matted photographs: quality of cutouts, calibration of their uncertainty, and
 * cost. IS-Net, which is too large to be stored beside the repository, is read from the file that ISNET_ONNX
 * names.
 */
export async function run(): Promise<string> {
  if (!existsSync(`${SHARED}images/matting`)) return 'cutout_composites: skipped, ../shared/images is absent';
  const pictures: Composite[] = [];
  for await (const pair of mattedPairs()) pictures.push(pair);
  for await (const composite of composites()) pictures.push(composite);
  const rows: string[] = [];
  // In order of memory use: the peak of the process is that of the last method.
  for (const [way, open] of Object.entries(await waysOf())) {
    const finder = await open();
    const scores: Score[] = [];
    for (const picture of pictures) scores.push(await scoreOf(picture, finder));
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    for (const half of ['pair', 'building', 'held_back'] as const)
      rows.push(
        summaryLine(
          `${way}, ${half}`,
          scores.filter((score) => score.half === half),
          peak,
        ),
      );
    rows.push(
      `| ${way}: rank correlation of uncertainty and error | ${rankCorrelation(scores).toFixed(2)} | | | | | | | |`,
    );
  }
  return [
    '## Cutouts of sixty composites and five matted photographs',
    '',
    '| way, half | IoU | mean error | worst | refused | sure | of these wrong | unsure and right | CPU s: median, p95; peak MB |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

type Ways = Record<string, () => Promise<SubjectFinder>>;

async function waysOf(): Promise<Ways> {
  const isnet = process.env.ISNET_ONNX;
  const network = (path: string, name: keyof typeof SEGMENTERS) => async (): Promise<SubjectFinder> => ({
    kind: 'network',
    segment: segmentByNetwork(await openSession(readFileSync(path)), SEGMENTERS[name]),
  });
  return {
    colours: async () => ({ kind: 'colors', segment: segmentByColor }),
    u2netp: network(`${SHARED}models/u2netp.onnx`, 'u2netp'),
    ...(isnet && { isnet_general: network(isnet, 'isnet_general') }),
  };
}

async function scoreOf({ name, half, picture, truth }: Composite, finder: SubjectFinder): Promise<Score> {
  const start = process.cpuUsage();
  const cpuSeconds = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  try {
    const { cutOut, figures } = await cutOutObject(picture, finder);
    const { data } = compose(cutOut, { kind: 'mask' });
    const spent = cpuSeconds();
    return { name, half, ...errorsOf(data, truth.data), doubt: figures.doubt ?? 0, cpuSeconds: spent };
  } catch {
    // The engine refuses an image if it is too uncertain.
    return { name, half, doubt: 1, cpuSeconds: cpuSeconds() };
  }
}

function errorsOf(levels: Uint8Array, truth: Float32Array): { iou: number; error: number } {
  let [both, either, error] = [0, 0, 0];
  for (let pixel = 0; pixel < truth.length; pixel++) {
    const [is, should] = [levels[pixel]! >= 128, truth[pixel]! >= 0.5];
    if (is && should) both++;
    if (is || should) either++;
    error += Math.abs(levels[pixel]! / 255 - truth[pixel]!);
  }
  return { iou: both / Math.max(1, either), error: error / truth.length };
}

function summaryLine(label: string, scores: readonly Score[], peak: number): string {
  const answered = scores.filter(({ iou }) => iou !== undefined);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const isRight = ({ iou = 0 }: Score) => iou >= RIGHT_IOU;
  const sure = answered.filter(({ doubt }) => doubt <= UNSURE_FROM);
  const unsureRight = answered.filter((score) => score.doubt > UNSURE_FROM && isRight(score));
  const cpu = scores.map(({ cpuSeconds }) => cpuSeconds).sort((one, other) => one - other);
  const quantile = (part: number) => cpu[Math.min(cpu.length - 1, Math.floor(part * cpu.length))]!.toFixed(1);
  const ious = answered.map(({ iou }) => iou!);
  const figures = [
    mean(ious).toFixed(3),
    mean(answered.map(({ error }) => error!)).toFixed(3),
    Math.min(...ious).toFixed(3),
    `${scores.length - answered.length} of ${scores.length}`,
    sure.length,
    sure.filter((score) => !isRight(score)).length,
    unsureRight.length,
    `${quantile(0.5)}, ${quantile(0.95)}; ${peak}`,
  ];
  return `| ${label} | ${figures.join(' | ')} |`;
}

/** Spearman's rank correlation between uncertainty and 1 − IoU; a refusal has IoU 0. */
function rankCorrelation(scores: readonly Score[]): number {
  const doubts = ranksOf(scores.map(({ doubt }) => doubt));
  const errors = ranksOf(scores.map(({ iou = 0 }) => 1 - iou));
  const middle = (scores.length - 1) / 2;
  let [together, one, other] = [0, 0, 0];
  for (const [at, doubt] of doubts.entries()) {
    together += (doubt - middle) * (errors[at]! - middle);
    one += (doubt - middle) ** 2;
    other += (errors[at]! - middle) ** 2;
  }
  return together / Math.sqrt(one * other);
}

/** Equal values share the mean of their ranks. */
const ranksOf = (values: readonly number[]): number[] =>
  values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const equal = values.filter((other) => other === value).length;
    return below + (equal - 1) / 2;
  });
