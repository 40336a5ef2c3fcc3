import type { Session } from '../onnx/open_session.ts';
import { AGREEMENT_MIN } from './limits.ts';
import { lookForTerms } from './look_for_terms.ts';
import type { SeenSubject } from './seen.ts';
import { confidenceIn, type Steps, TAGGING_STEPS } from './subject_steps.ts';
import { SUBJECT_TERMS } from './subject_terms.ts';
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
  readonly steps?: Steps;
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
  const subjects = [...SUBJECT_TERMS.values()].flatMap((term) => {
    const claims = [
      claimOf(term, TAGGING_NETWORK, tagged, TAGGING_STEPS),
      claimOf(term, embedder?.name, looked, embedder?.steps),
    ].flatMap((claim) => claim ?? []);
    const [surest] = claims.sort((one, other) => other.confidence - one.confidence);
    if (!surest) return [];
    const agrees = (looked?.get(term.term) ?? 0) >= AGREEMENT_MIN;
    const names = new Set([...claims.map(({ by }) => by), ...(agrees ? [embedder!.name] : [])]);
    return [subjectOf(term, surest.confidence, [...names].join(', '))];
  });
  return narrowest(subjects).sort((one, other) => other.confidence - one.confidence);
}

function claimOf(term: Term, by?: string, shares?: ReadonlyMap<string, number>, steps?: Steps) {
  const confidence = by && shares && steps && confidenceIn(term, shares.get(term.term) ?? 0, steps);
  return confidence ? { by, confidence } : undefined;
}

const subjectOf = ({ term, broader, kind, ids }: Term, confidence: number, by: string): SeenSubject => ({
  ...{ term, broader, kind, confidence, by },
  ...(ids && { ids }),
});
