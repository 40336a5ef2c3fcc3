import type { Session } from '../onnx/session.ts';
import { embedPicture, embedText } from './clip/embed.ts';
import type { Tokenizer } from './clip/tokenizer.ts';
import { sumUp, type Term } from './vocabulary.ts';

type Encoder = Pick<Session, 'runNamed'>;

/** What CLIP multiplies likeness by before it compares (its `logit_scale`, where its training stopped it). */
const SCALE = 100;

/**
 * The vector of each term, in the order of the vocabulary, of length 1. The vectors depend only on the network and the vocabulary, so
 * callers with a file system or a long lifetime cache them. 2,989 terms of 512 dimensions take 6 MB.
 * @param encoder the part of the graph that gives `CLIP_OUTPUTS.text`
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
 * Which terms a picture is like, by a pair of encoders that was trained on none of them: the share of each among those of its kind, 0 to 1, what is
 * broader having those of all that is narrower.
 * @param encoder the part of the graph that gives `CLIP_OUTPUTS.picture`
 * @param vectors of `vectorsOfTerms`, of the same network and terms
 * @throws EngineError undecodable_image, image_too_large
 * @throws RangeError where the vectors are those of something else
 */
export async function lookForTerms(
  bytes: Uint8Array,
  encoder: Encoder,
  vectors: readonly Float32Array[],
  terms: ReadonlyMap<string, Term>,
): Promise<Map<string, number>> {
  const seen = ofLengthOne(await embedPicture(encoder, bytes));
  if (vectors.length !== terms.size || vectors.some(({ length }) => length !== seen.length))
    throw new RangeError('The vectors of terms are of another vocabulary or network.');
  const likeness = new Map([...terms.values()].map((term, at) => [term, dot(seen, vectors[at]!)] as const));
  return sumUp(sharesAmong(likeness));
}

/** Softmax among the terms of a kind: a landscape may be a painting of horses. */
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
