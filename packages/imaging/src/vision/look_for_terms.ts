import type { Session } from '../onnx/session.ts';
import { embedPicture, embedText } from './clip/embed.ts';
import type { Tokenizer } from './clip/tokenizer.ts';
import { sumUp, type Term } from './vocabulary.ts';

type Encoder = Pick<Session, 'runNamed'>;

/** CLIP's factor for cosine similarities before the softmax (`logit_scale` at the end of training). */
const SCALE = 100;

/**
 * The unit vector of each term, in the order of the vocabulary. The vectors depend only on the model and the vocabulary, so callers with a file
 * system or a long lifetime cache them. 2,989 terms of 512 dimensions take 6 MB.
 * @param encoder the part of the graph that returns `CLIP_OUTPUTS.text`
 */
export async function vectorsOfTerms(
  encoder: Encoder,
  tokenizer: Tokenizer,
  terms: ReadonlyMap<string, Term>,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const { prompt } of terms.values())
    vectors.push(ofLengthOne(await embedText(encoder, tokenizer, prompt)));
  return vectors;
}

/**
 * Zero-shot classification of an image by a pair of encoders: the score of each term among those of its kind, 0 to 1; a broader term has the sum of
 * its narrower ones.
 * @param encoder the part of the graph that returns `CLIP_OUTPUTS.picture`
 * @param vectors from `vectorsOfTerms`, for the same model and terms
 * @throws EngineError undecodable_image, image_too_large
 * @throws RangeError if the vectors belong to another model or vocabulary
 */
export async function lookForTerms(
  bytes: Uint8Array,
  encoder: Encoder,
  vectors: readonly Float32Array[],
  terms: ReadonlyMap<string, Term>,
): Promise<Map<string, number>> {
  const seen = ofLengthOne(await embedPicture(encoder, bytes));
  if (vectors.length !== terms.size || vectors.some(({ length }) => length !== seen.length))
    throw new RangeError('The term vectors belong to another vocabulary or model.');
  const likeness = new Map([...terms.values()].map((term, at) => [term, dot(seen, vectors[at]!)] as const));
  return sumUp(sharesAmong(likeness));
}

/** Softmax over the terms of each kind: an image can be a landscape and show horses. */
function sharesAmong(likeness: ReadonlyMap<Term, number>): Map<Term, number> {
  const shares = new Map<Term, number>();
  for (const kind of new Set([...likeness.keys()].map((term) => term.kind))) {
    const ofKind = [...likeness].filter(([term]) => term.kind === kind);
    const most = Math.max(...ofKind.map(([, value]) => value));
    const powers = ofKind.map(([term, value]) => [term, Math.exp(SCALE * (value - most))] as const);
    const sum = powers.reduce((total, [, power]) => total + power, 0);
    for (const [term, power] of powers) shares.set(term, power / sum);
  }
  return shares;
}

function ofLengthOne(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 && Number.isFinite(length)
    ? vector.map((value) => value / length)
    : new Float32Array(vector.length);
}

function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
