import type { Session } from '../onnx/open_session.ts';
import { AGREEMENT_MIN } from './limits.ts';
import { lookForTerms } from './look_for_terms.ts';
import type { SeenSubject } from './seen.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';
import { confidenceIn, TAGGING_THRESHOLDS, type Thresholds } from './subject_thresholds.ts';
import { TAGGING_NETWORK, tagPicture } from './tag_picture.ts';
import { narrowest, type Term } from './vocabulary.ts';

/** A pair of encoders that looks for terms. */
export interface TermEmbedder {
  /** Its name, said with what it has seen. */
  readonly name: string;
  /** The part of the graph that gives `CLIP_OUTPUTS.picture`. */
  readonly encoder: Pick<Session, 'runNamed'>;
  /** Of `vectorsOfTerms`, for `SUBJECT_TERMS` and this network. */
  readonly vectors: readonly Float32Array[];
  /** How often it was right on labelled pictures. Without them it says nothing by itself. */
  readonly thresholds?: Thresholds;
}

/**
 * Things and scenes in a picture, the surest first: the narrowest terms that were right often enough on labelled pictures, each with what it is
 * also. Empty where the networks are not sure of anything; so it is with most paintings.
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
  ...{ term, broader, kind, confidence, by },
  ...(ids && { ids }),
});
