import type { Ingredient } from './ingredients.ts';

/** How much of what a picture says about itself goes over to the result. */
export type Keep = 'all' | 'rights' | 'none';

export interface CarryWish {
  /** `rights`: copyright, creator, credit, licence, opt-outs and AI marks only. */
  readonly keep: Keep;
  /** Whether coordinates, and where a picture was made, go over too. */
  readonly keepLocation: boolean;
  /**
   * What of the source the result shows: all of it, its middle in the proportions of the result, or something made of it ('edited'): no other
   * picture inside the file may then show what was cropped or replaced.
   */
  readonly shows: 'whole' | 'centre' | 'edited';
  /** Dots per inch of the result, where it was asked for. */
  readonly dpi?: number | undefined;
  /** IPTC digital source type of the result, where a network made pixels; what the source says of itself stands, unless only the new one names AI. */
  readonly sourceType?: string | undefined;
  /** Other images that the result shows, whose rights and marks of AI go over too. */
  readonly ingredients?: readonly Ingredient[] | undefined;
}

/** What became of the metadata, each by a short name: `xmp`, `exif`, `exif.location`, `iptc_iim`, `icc`, `gain_map`, `c2pa`. */
export interface CarriedMetadata {
  readonly kept: readonly string[];
  readonly changed: readonly { readonly what: string; readonly how: string }[];
  readonly dropped: readonly { readonly what: string; readonly why: string }[];
}

/** Filled while a picture's blocks are gone through. */
export interface Account {
  readonly kept: Set<string>;
  readonly changed: Map<string, string>;
  readonly dropped: Map<string, string>;
}

export const newAccount = (): Account => ({ kept: new Set(), changed: new Map(), dropped: new Map() });

export const accountOf = ({ kept, changed, dropped }: Account): CarriedMetadata => ({
  kept: [...kept],
  changed: [...changed].map(([what, how]) => ({ what, how })),
  dropped: [...dropped].map(([what, why]) => ({ what, why })),
});

export const NOT_RIGHTS = 'keep is "rights"';
