import type { Face } from './find_faces.ts';
import type { FoundObject } from './find_objects.ts';

/** Detections of the open vision models in an image. A field is undefined if no model ran, and empty if a model found nothing. */
export interface Seen {
  /** Most confident first. */
  readonly faces?: readonly Face[];
  /** Model that detected `faces`. */
  readonly facesBy?: string;
  /** Lines of text, unordered. */
  readonly writing?: readonly WrittenLine[];
  /** Model that detected `writing`. */
  readonly writingBy?: string;
  /** Objects and scenes, most confident first; only terms with a precision of at least 0.9 on labelled images. */
  readonly subjects?: readonly SeenSubject[];
  /** People and vehicles, most confident first. */
  readonly objects?: readonly FoundObject[];
  /** Model that detected `objects`. */
  readonly objectsBy?: string;
  readonly people?: SeenPeople;
  readonly rating?: ContentHint;
}

/** A line of text that was detected but not read. Fractions of width and height, from the upper left. */
export interface WrittenLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Confidence, 0 to 1. */
  readonly score: number;
}

/** An object or scene, as a vocabulary term. */
export interface SeenSubject {
  /** As in a caption: "kitten". */
  readonly term: string;
  /** Broader terms, nearest first: "cat", "mammal", "animal". */
  readonly broader: readonly string[];
  readonly kind: 'thing' | 'scene' | 'genre';
  /** Precision of the model on labelled images at this score, 0 to 1. */
  readonly confidence: number;
  /** The models that detected it. */
  readonly by: string;
  readonly ids?: { readonly aat?: string; readonly wikidata?: string };
}

/** Share of the image that people cover. */
export interface SeenPeople {
  /** Share of the image, 0 to 1. */
  readonly share: number;
  readonly confidence: number;
  readonly by: string;
}

/** A hint that some viewers may want a warning, not a judgement: nudes in paintings are flagged, too. */
export interface ContentHint {
  readonly hint: 'nudity or sexual content';
  readonly confidence: number;
  readonly by: string;
}
