import type { GroupMeasured, Half } from '@atelier/imaging/vision/calibrate_terms.ts';
import type { Thresholds } from '@atelier/imaging/vision/subject_thresholds.ts';
import type { InstalledEmbedder, InstalledModel } from '../../models/types.ts';

/** What lets a pair of encoders name things and scenes: the vectors of our terms, and how often it was right about them. */
export interface Subjects {
  /** The pair with all it needs to name subjects; undefined where it is not installed, not ready, or was not right often enough. */
  naming(): Promise<NamingEmbedder | undefined>;
  /** Progress, for the operator. */
  state(): Promise<NamingState>;
  /**
   * Makes vectors of terms, this many at most, and keeps them once there are all. Made once for a network and the vocabulary.
   * @returns how many were made
   */
  prepare(max: number): Promise<number>;
  /**
   * Measures on labelled pictures how often the pair is right, and keeps that beside the vectors.
   * @throws AtelierError model_unavailable; LabelsError for a picture that cannot be read
   */
  calibrate(pictures: readonly LabelledPicture[], watch: Watch): Promise<Calibration>;
  /** Ends what runs in the background. */
  stop(): void;
}

export interface NamingEmbedder extends InstalledEmbedder {
  readonly terms: KeptVectors;
  readonly thresholds: Thresholds;
}

/** Vectors on the disk, under the hash of the network and of the vocabulary. */
export type KeptVectors = Pick<InstalledModel, 'path' | 'sha256'> & { readonly name: string };

/** `silent`: measured, and right often enough about nothing. */
export type NamingState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'uncalibrated'; readonly network: string; readonly hasVectors: boolean }
  | {
      readonly kind: 'silent' | 'speaking';
      readonly network: string;
      readonly hasVectors: boolean;
      readonly calibration: Calibration;
    };

/** Precision of a network on labelled images. */
export interface Calibration {
  readonly network: string;
  /** Labelled pictures of both halves. */
  readonly pictures: number;
  readonly groups: readonly GroupMeasured[];
}

/** An image with labels assigned by a person. */
export interface LabelledPicture {
  /** As the list of labels has it. */
  readonly file: string;
  /** Terms of the vocabulary, with all that is broader. */
  readonly terms: ReadonlySet<string>;
  readonly half: Half;
  read(): Promise<Uint8Array>;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
}

/** A list of labels, or a picture it names, is not what it has to be. */
export class LabelsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LabelsError';
  }
}
