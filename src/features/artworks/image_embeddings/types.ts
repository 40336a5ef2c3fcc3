import type { Origin } from '../../models/types.ts';
import type { PictureNotes } from '../images/picture_notes.ts';
import type { NearVector } from '../semantic_search/vector_index.ts';

/** Finds works by what their pictures show: by words for it, or by a picture of the like. Noted pictures are encoded in the background. */
export interface Sight extends PictureNotes {
  /** The pair of encoders that is installed. Undefined: nothing is found so. */
  network(): Promise<SightNetwork | undefined>;
  /** Works whose pictures show most what the words say. @throws AtelierError where that cannot be had now */
  nearText(text: string, limit: number): Promise<NearVector[]>;
  /** Works whose pictures show most what this one shows. @throws AtelierError of the picture; where it cannot be had now */
  nearPicture(bytes: Uint8Array, limit: number, signal: AbortSignal): Promise<NearVector[]>;
  /** Works whose pictures have been encoded. @throws AtelierError busy while they are being read */
  size(): Promise<number>;
  /** Encodes a picture of a work and keeps the vector. @throws AtelierError of the picture, model_unavailable, busy */
  keep(id: string, source: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /**
   * Encodes pictures that are kept here and were not encoded yet, on from where the last call ended.
   * @returns how many @throws AtelierError model_unavailable, busy
   */
  catchUp(edition: number, wanted: CatchUp): Promise<number>;
}

export interface SightNetwork {
  readonly name: string;
  readonly origin: Origin;
}

export interface CatchUp {
  /** Pictures at most. */
  readonly max: number;
  readonly signal: AbortSignal;
  onProgress?(done: number): void;
}

/** Whether what pictures show had a part in an answer. */
export interface SightUsed {
  readonly used: boolean;
  /** Works whose pictures have been encoded. */
  readonly known: number;
  /** Where it was not used. */
  readonly why?: string;
  /** Absent: none is installed. */
  readonly network?: SightNetwork;
}
