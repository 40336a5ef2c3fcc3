import type { Face } from './find_faces.ts';
import type { FoundObject } from './find_objects.ts';

/** What open networks have seen in a picture. A field is absent where no network has looked, and empty where one found nothing. */
export interface Seen {
  /** The surest first. */
  readonly faces?: readonly Face[];
  /** The network that found `faces`. */
  readonly facesBy?: string;
  /** Lines of writing, in no order that means anything. */
  readonly writing?: readonly WrittenLine[];
  /** The network that found `writing`. */
  readonly writingBy?: string;
  /** Things and scenes, the surest first; none that was right in fewer than nine of ten labelled pictures. */
  readonly subjects?: readonly SeenSubject[];
  /** People and vehicles, the surest first. */
  readonly objects?: readonly FoundObject[];
  /** The network that found `objects`. */
  readonly objectsBy?: string;
  readonly people?: SeenPeople;
  readonly rating?: ContentHint;
}

/** A line of writing a network has found, not read. Parts of width and height, from the upper left. */
export interface WrittenLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How sure the network is, 0 to 1. */
  readonly score: number;
}

/** A thing or a scene, by a term of our vocabulary. */
export interface SeenSubject {
  /** As a caption would say it: "kitten". */
  readonly term: string;
  /** What it is also, from near to far: "cat", "mammal", "animal". */
  readonly broader: readonly string[];
  readonly kind: 'thing' | 'scene' | 'genre';
  /** How often the network was right on labelled pictures where it was as sure as here, 0 to 1. */
  readonly confidence: number;
  /** The networks that have seen it. */
  readonly by: string;
  readonly ids?: { readonly aat?: string; readonly wikidata?: string };
}

/** How much of the picture people take up. */
export interface SeenPeople {
  /** Part of the picture, 0 to 1. */
  readonly share: number;
  readonly confidence: number;
  readonly by: string;
}

/** A hint that some readers may not want to see this, never a verdict: nudes in paintings are flagged, too. */
export interface ContentHint {
  readonly hint: 'nudity or sexual content';
  readonly confidence: number;
  readonly by: string;
}
