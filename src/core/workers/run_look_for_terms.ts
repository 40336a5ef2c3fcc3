import { SHARE_MIN } from '@atelier/imaging/vision/calibrate_terms.ts';
import { CLIP_OUTPUTS } from '@atelier/imaging/vision/clip/outputs.ts';
import { lookForTerms } from '@atelier/imaging/vision/look_for_terms.ts';
import type { TermEmbedder } from '@atelier/imaging/vision/name_subjects.ts';
import { smallCopy } from '@atelier/imaging/vision/small_copy.ts';
import { SUBJECT_TERMS } from '@atelier/imaging/vision/subject_terms.ts';
import type { Thresholds } from '@atelier/imaging/vision/subject_thresholds.ts';
import { bytesOf, openPart, type StoredFile } from './open_models.ts';

/** A pair of encoders with precomputed embeddings of the vocabulary terms. */
export interface TermEmbedderFile extends StoredFile {
  /** The embeddings of the terms, concatenated, as little-endian 32-bit floats. */
  readonly terms: Pick<StoredFile, 'name' | 'path' | 'sha256'>;
  /** Calibrated thresholds; if empty, the model reports no terms by itself. */
  readonly thresholds: Thresholds;
}

/** Cache of the last embeddings: there is one model and one vocabulary. */
let known: { sha256: string; vectors: Float32Array[] } | undefined;

/** Opens the image encoder and the embeddings, which stay open in this process. @throws AtelierError model_unavailable */
export async function openTermEmbedder(network: TermEmbedderFile): Promise<TermEmbedder> {
  const { terms, name, thresholds } = network;
  if (known?.sha256 !== terms.sha256) known = { sha256: terms.sha256, vectors: vectorsIn(bytesOf(terms)) };
  const { vectors } = known;
  return { name, encoder: await openPart(network, CLIP_OUTPUTS.picture), vectors, thresholds };
}

/**
 * Finds the terms that match an image, with their scores, as `see` does; weak matches are omitted.
 * @throws AtelierError model_unavailable; EngineError of the image
 */
export async function runLookForTerms({
  bytes,
  network,
}: {
  bytes: Uint8Array;
  network: TermEmbedderFile;
}): Promise<[term: string, share: number][]> {
  const { encoder, vectors } = await openTermEmbedder(network);
  const shares = await lookForTerms(await smallCopy(bytes), encoder, vectors, SUBJECT_TERMS);
  return [...shares].filter(([, share]) => share >= SHARE_MIN);
}

/** Copies the bytes, because floats must be aligned to their size. */
function vectorsIn(bytes: Uint8Array): Float32Array[] {
  const numbers = new Float32Array(bytes.slice().buffer);
  const length = numbers.length / SUBJECT_TERMS.size;
  return Array.from({ length: SUBJECT_TERMS.size }, (_, at) =>
    numbers.subarray(at * length, (at + 1) * length),
  );
}
