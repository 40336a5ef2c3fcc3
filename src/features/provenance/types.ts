import type { Fingerprint } from '@atelier/imaging/fingerprint/fingerprint.ts';
import type { PixelControl } from '../../core/workers/types.ts';
import type { Readings } from './evidence/types.ts';

/** Checks an image against all sources of evidence and weighs the results. */
export interface Provenance {
  /** @param picture as sent, with its fingerprints */
  examine(picture: ExaminedPicture): Promise<Examination>;
  /** Works and registrations that this image may be a copy of, in the order of `Examination.matches`. */
  priorArt(picture: ExaminedPicture): Promise<Match[]>;
}

export interface ExaminedPicture {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly fingerprint: Fingerprint;
  /** Caller and cost of decoding the pixels once. */
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
  /** Id of the registration (`hash_…`) or of the work. */
  readonly id: string;
  readonly kind: 'registration' | 'work';
  readonly title: string;
  readonly artist: string;
  readonly provenanceUri: string;
  /** The wallet that registered it, or null. Only compared, never disclosed. */
  readonly wallet: string | null;
  readonly registeredAt: Date | null;
  /** Hash of the registered image, to compare registrations with each other; absent for works. */
  readonly pdq?: Uint8Array;
  /** Share of equal bits of the two hashes compared. */
  readonly similarity: number;
  /** 1 − `chance`, 0 to 1. */
  readonly confidence: number;
  /**
   * Probability that an unrelated image matches this well, or that an image without a watermark is read as having this one, 0 to 1.
   * Undefined where chance plays no role.
   */
  readonly chance?: number;
  /** The compared feature. */
  readonly by: 'file' | 'picture' | 'windows' | 'watermark' | 'metadata';
  /** Index in DIHEDRAL: the rotation or reflection that maps the image to the registered one. */
  readonly turn?: number;
  /** Thumbnail of the registered image (WebP). */
  readonly preview?: Uint8Array;
}

export interface Examination {
  /** Matches by confidence. Those of the same picture come first: its work, then its registrations, earliest first. */
  readonly matches: readonly Match[];
  /** In the order of WitnessName. */
  readonly testimonies: readonly Testimony[];
  /** Readings from the file itself. */
  readonly readings: Partial<Readings>;
}

/** One source of evidence about the origin of an image. */
export interface Witness {
  readonly name: WitnessName;
  look(picture: ExaminedPicture): Promise<Sighting>;
}

/** Result of one source: its matches, and its statement once the best match overall is known. */
export interface Sighting {
  readonly matches: readonly Match[];
  /** Readings from the file itself. */
  readonly read?: Partial<Readings>;
  judge(best: Match | undefined): Omit<Testimony, 'witness'>;
}
