import type { Fingerprint } from '@atelier/imaging/fingerprint/fingerprint.ts';
import type { PixelControl } from '../../core/workers/types.ts';
import type { Readings } from './evidence/types.ts';

/** Asks every witness about a picture and weighs what they say. */
export interface Provenance {
  /** @param picture as it was sent, with what it is recognised by */
  examine(picture: ExaminedPicture): Promise<Examination>;
  /** Works and registrations this picture would be a copy of, in the order of `Examination.matches`. */
  priorArt(picture: ExaminedPicture): Promise<Match[]>;
}

export interface ExaminedPicture {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly fingerprint: Fingerprint;
  /** For whom, and what looking at its pixels once takes. */
  readonly control: PixelControl;
}

export type WitnessName = 'hash' | 'watermark' | 'metadata' | 'c2pa' | 'file';

export interface Testimony {
  readonly witness: WitnessName;
  readonly finding: 'agree' | 'absent' | 'conflict';
  readonly sentence: string;
}

/** A registered picture, or a known work, that the picture may be a copy of. */
export interface Match {
  /** The id of the registration (`hash_…`), or of the work. */
  readonly id: string;
  readonly kind: 'registration' | 'work';
  readonly title: string;
  readonly artist: string;
  readonly provenanceUri: string;
  /** The wallet that registered it, or null. Only compared, never disclosed. */
  readonly wallet: string | null;
  readonly registeredAt: Date | null;
  /** The registered picture's own hash, to compare registrations with each other; absent of a work. */
  readonly pdq?: Uint8Array;
  /** Share of equal bits of the two hashes compared. */
  readonly similarity: number;
  /** How sure it is that the match is no accident, 0 to 1: 1 less `chance`. */
  readonly confidence: number;
  /**
   * How likely an unrelated picture would have matched so well by chance, or a picture without a mark been read so, 0 to 1;
   * undefined where chance is out of play.
   */
  readonly chance?: number;
  /** What was compared to find it. */
  readonly by: 'file' | 'picture' | 'windows' | 'watermark' | 'metadata';
  /** Place in DIHEDRAL: how the picture has to be turned to look like the registered one. */
  readonly turn?: number;
  /** The registered picture in small (WebP). */
  readonly preview?: Uint8Array;
}

export interface Examination {
  /** Every match, the surest first; but what is known of the picture found stands before all others: its work, then the registrations, the earliest first. */
  readonly matches: readonly Match[];
  /** In the order of WitnessName. */
  readonly testimonies: readonly Testimony[];
  /** What the witnesses read in the file itself. */
  readonly readings: Partial<Readings>;
}

/** One way to learn where a picture comes from. */
export interface Witness {
  readonly name: WitnessName;
  look(picture: ExaminedPicture): Promise<Sighting>;
}

/** What one witness has seen: whom it points at, and what it says once the best match of all is known. */
export interface Sighting {
  readonly matches: readonly Match[];
  /** What it read in the file itself. */
  readonly read?: Partial<Readings>;
  judge(best: Match | undefined): Omit<Testimony, 'witness'>;
}
