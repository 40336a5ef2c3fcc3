import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import type { Session } from '../onnx/session.ts';
import type { Raster } from '../pixels/raster.ts';
import { decodeFitted } from './decode_fitted.ts';
import { AGREEMENT_MIN } from './limits.ts';
import { lookForTerms } from './look_for_terms.ts';
import type { SeenSubject } from './seen.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';
import { confidenceIn, TAGGING_THRESHOLDS, type Thresholds } from './subject_thresholds.ts';
import { narrowest, sumUp, type Term } from './vocabulary.ts';

/** Name of the model in results. */
const TAGGING_NETWORK = 'mobilenet_v2';

/** Side of the square model input, in pixels. */
const SIDE_PX = 224;
/** Maximum size of the decoded image: four input squares side by side. */
const WHOLE_PX = 4 * SIDE_PX;
const OUTPUT = 'scores';
/** A background class and the 1,000 ImageNet classes. */
const CLASSES = 1001;

interface Square {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Score of each term according to an ImageNet classifier (MobileNetV2, as published by TensorFlow), 0 to 1; a broader term has the sum of its
 * narrower ones. The mean of four views: the whole image stretched to a square, and the squares at both ends and in the centre.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function tagPicture(
  bytes: Uint8Array,
  session: Pick<Session, 'run'>,
  terms: ReadonlyMap<string, Term>,
): Promise<Map<string, number>> {
  const picture = await decodeFitted(bytes, WHOLE_PX);
  const mean = new Float64Array(CLASSES);
  const views = viewsOf(picture);
  for (const view of views) {
    const planes = planesOf(await decodeRaster(pressed(picture, view)));
    const { data } = (await session.run(planes, [1, 3, SIDE_PX, SIDE_PX])).get(OUTPUT)!;
    // Weights from an unofficial source may return any value, including NaN.
    for (const line of mean.keys()) mean[line] = mean[line]! + share(data[line]) / views.length;
  }
  return sumUp(new Map([...terms.values()].map((term) => [term, shareOf(term, mean)])));
}

const share = (value: number | undefined): number =>
  value !== undefined && value >= 0 && value <= 1 ? value : 0;
const shareOf = ({ classes }: Term, scores: Float64Array): number =>
  classes.reduce((sum, line) => sum + scores[line]!, 0);

function viewsOf({ width, height }: Raster): Square[] {
  const side = Math.min(width, height);
  const rest = { left: width - side, top: height - side };
  const square = (part: number): Square => ({
    left: Math.floor(part * rest.left),
    top: Math.floor(part * rest.top),
    width: side,
    height: side,
  });
  return [{ left: 0, top: 0, width, height }, square(0), square(0.5), square(1)];
}

function pressed({ data, width, height, channels }: Raster, view: Square) {
  return sharp(data, { raw: { width, height, channels: channels as 1 | 3 } })
    .extract(view)
    .resize({ width: SIDE_PX, height: SIDE_PX, fit: 'fill', kernel: 'cubic' });
}

/** Red, green and blue planes from -1 to 1, as in training. A greyscale channel is repeated. */
function planesOf({ data, channels }: Raster): Float32Array {
  const area = SIDE_PX * SIDE_PX;
  const planes = new Float32Array(3 * area);
  for (let plane = 0; plane < 3; plane++)
    for (let at = 0; at < area; at++)
      planes[plane * area + at] = (data[at * channels + Math.min(plane, channels - 1)]! - 128) / 128;
  return planes;
}

/** A pair of encoders for zero-shot classification. */
export interface TermEmbedder {
  /** Name of the model in results. */
  readonly name: string;
  /** The part of the graph that returns `CLIP_OUTPUTS.picture`. */
  readonly encoder: Pick<Session, 'runNamed'>;
  /** From `vectorsOfTerms`, for `SUBJECT_TERMS` and this model. */
  readonly vectors: readonly Float32Array[];
  /** Calibration on labelled images. Without it, the encoders only confirm other models. */
  readonly thresholds?: Thresholds;
}

/**
 * Names objects and scenes in an image, most confident first: the narrowest terms with sufficient precision on labelled images, each with its broader
 * terms. Empty if no model is confident, as for most paintings.
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function nameSubjects(
  bytes: Uint8Array,
  networks: { readonly tagger?: Pick<Session, 'run'>; readonly embedder?: TermEmbedder },
): Promise<SeenSubject[]> {
  const { tagger, embedder } = networks;
  const tagged = tagger && (await tagPicture(bytes, tagger, SUBJECT_TERMS));
  const looked = embedder && (await lookForTerms(bytes, embedder.encoder, embedder.vectors, SUBJECT_TERMS));
  const claims = [...SUBJECT_TERMS.values()].flatMap((term) => {
    const [surest, other] = [
      claimOf(term, TAGGING_NETWORK, tagged, TAGGING_THRESHOLDS),
      claimOf(term, embedder?.name, looked, embedder?.thresholds),
    ]
      .flatMap((claim) => claim ?? [])
      .sort(bySureness);
    if (!surest) return [];
    const isAgreed = surest.by === TAGGING_NETWORK && (looked?.get(term.term) ?? 0) >= AGREEMENT_MIN;
    const names = other || isAgreed ? [TAGGING_NETWORK, embedder!.name] : [surest.by];
    return [{ ...term, ...surest, by: names.join(', ') }];
  });
  return narrowest(claims).sort(bySureness).map(subjectOf);
}

interface Claim {
  readonly by: string;
  readonly confidence: number;
  readonly share: number;
}

const bySureness = (one: Claim, other: Claim): number =>
  other.confidence - one.confidence || other.share - one.share;

function claimOf(
  term: Term,
  by?: string,
  shares?: ReadonlyMap<string, number>,
  thresholds?: Thresholds,
): Claim | undefined {
  if (!by || !shares || !thresholds) return undefined;
  const share = shares.get(term.term) ?? 0;
  const confidence = confidenceIn(term, share, thresholds);
  return confidence === undefined ? undefined : { by, confidence, share };
}

const subjectOf = ({ term, broader, kind, confidence, by, ids }: Term & Claim): SeenSubject => ({
  term,
  broader,
  kind,
  confidence,
  by,
  ...(ids && { ids }),
});
