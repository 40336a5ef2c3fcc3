import type { GroupMeasured, Half } from '@atelier/imaging/vision/calibrate_terms.ts';
import type { Thresholds } from '@atelier/imaging/vision/subject_thresholds.ts';
import type { InstalledEmbedder, InstalledModel } from '../../models/types.ts';

/** What an encoder pair needs to name subjects and scenes: the vectors of the terms, and its measured precision. */
export interface Subjects {
  /** The encoder pair, ready to name subjects. Undefined where it is not installed, not ready, or not precise enough. */
  naming(): Promise<NamingEmbedder | undefined>;
  /** Progress, for the operator. */
  state(): Promise<NamingState>;
  /**
   * Computes at most this many vectors of terms, and stores them once all are there. Needed once per network and vocabulary.
   * @returns the number computed
   */
  prepare(max: number): Promise<number>;
  /**
   * Measures the precision of the encoder pair on labelled images and stores it with the vectors.
   * @throws AtelierError model_unavailable; LabelsError for an unreadable image
   */
  calibrate(pictures: readonly LabelledPicture[], watch: Watch): Promise<Calibration>;
  /** Stops background work. */
  stop(): void;
}

export interface NamingEmbedder extends InstalledEmbedder {
  readonly terms: KeptVectors;
  readonly thresholds: Thresholds;
}

/** Stored vectors, under the hash of network and vocabulary. */
export type KeptVectors = Pick<InstalledModel, 'path' | 'sha256'> & { readonly name: string };

/** `silent`: measured, but not precise enough for any subject. */
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
  /** As written in the list of labels. */
  readonly file: string;
  /** Terms of the vocabulary, with all broader terms. */
  readonly terms: ReadonlySet<string>;
  readonly half: Half;
  read(): Promise<Uint8Array>;
}

export interface Watch {
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
}

/** Invalid list of labels, or an unreadable image named in it. */
export class LabelsError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LabelsError';
  }
}
