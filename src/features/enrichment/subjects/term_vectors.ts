import { createHash } from 'node:crypto';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { InstalledEmbedder } from '../../models/types.ts';
import type { KeptTerms } from './kept_terms.ts';
import { TERMS_AT_ONCE } from './limits.ts';
import type { KeptVectors, Watch } from './types.ts';

/** Makes the vectors of all terms by the encoder of texts, once for a network. */
export interface TermVectors {
  /** Goes on by so many terms at most; kept once there are all. @returns how many were made */
  make(network: InstalledEmbedder, max: number, signal: AbortSignal): Promise<number>;
  /** Those that are kept, made first where there are none. */
  ready(network: InstalledEmbedder, watch: Watch): Promise<KeptVectors>;
}

export function createTermVectors(pixels: Pick<Pixels, 'run'>, kept: KeptTerms): TermVectors {
  /** Of the network that is being gone through; lost with the process. */
  let begun: { key: string; vectors: Float32Array[] } | undefined;
  const make: TermVectors['make'] = async (network, max, signal) => {
    const key = keyOf(network);
    if (begun?.key !== key) begun = { key, vectors: [] };
    const { vectors } = begun;
    const before = vectors.length;
    const last = Math.min(PROMPTS.length, before + max);
    while (vectors.length < last && !signal.aborted) {
      const texts = PROMPTS.slice(vectors.length, Math.min(last, vectors.length + TERMS_AT_ONCE));
      vectors.push(...(await pixels.run('embed_texts', { texts, network }, { pixels: 1, signal })));
    }
    if (vectors.length === PROMPTS.length) {
      begun = undefined;
      requireOneLength(network, vectors);
      await kept.keepVectors(key, vectors);
    }
    return vectors.length - before;
  };
  return {
    make,
    async ready(network, { signal, onProgress }) {
      for (let made = 0; ; ) {
        const there = await kept.vectors(keyOf(network));
        if (there) return there;
        made += await make(network, TERMS_AT_ONCE, signal);
        signal.throwIfAborted();
        onProgress(Math.min(1, made / PROMPTS.length), 'Making the vectors of terms');
      }
    },
  };
}

const PROMPTS = [...SUBJECT_TERMS.values()].map(({ prompt }) => prompt);
/** Of all that vectors and thresholds depend on beside the network. */
const VOCABULARY_SHA256 = createHash('sha256')
  .update(
    JSON.stringify(
      [...SUBJECT_TERMS.values()].map(({ term, kind, broader, prompt }) => [term, kind, broader, prompt]),
    ),
  )
  .digest('hex');

/** Names a network, its vocabulary of texts and our vocabulary of terms. */
export const keyOf = ({ sha256, tokenizer }: InstalledEmbedder): string =>
  createHash('sha256').update(`${sha256} ${tokenizer.sha256} ${VOCABULARY_SHA256}`).digest('hex');

/** A graph that answers texts with vectors of several lengths compares nothing. */
function requireOneLength({ name }: InstalledEmbedder, vectors: readonly Float32Array[]): void {
  if (new Set(vectors.map(({ length }) => length)).size === 1) return;
  throw new AtelierError(
    'model_unavailable',
    `What ${name} answers on this server are no vectors of one space.`,
  );
}
