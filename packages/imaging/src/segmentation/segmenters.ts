const IMAGENET = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/** The published networks that cut out, as the program they were published with (rembg) feeds them. */
export const SEGMENTERS = {
  u2netp: {
    sidePx: 320,
    ...IMAGENET,
    output: 'scores',
    certainty: 0.2,
    edgePart: 0.004,
    looks: 'three',
  },
  isnet_general: {
    sidePx: 1024,
    mean: [0.5, 0.5, 0.5],
    deviation: [1, 1, 1],
    output: 'probabilities',
    certainty: 0.05,
    edgePart: 0.003,
    looks: 'again_when_weak',
  },
  birefnet_general_lite: {
    sidePx: 1024,
    ...IMAGENET,
    output: 'logits',
    certainty: 0.05,
    edgePart: 0.003,
    looks: 'one',
  },
} as const satisfies Record<string, Segmenter>;

export type SegmenterName = keyof typeof SEGMENTERS;

/** What a network wants to be given, and what it gives. */
export interface Segmenter {
  /** The square picture it takes, in pixels; pictures are stretched to it. */
  readonly sidePx: number;
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
  /** What its numbers are: logits go through a sigmoid, and they and scores are stretched to 0 to 1; probabilities stay. */
  readonly output: 'logits' | 'scores' | 'probabilities';
  /** At most this much of its scale is background for certain; how decided a network is differs. */
  readonly certainty: number;
  /** How far its outlines may be off, as a part of the longest side: about two of its pixels. */
  readonly edgePart: number;
  /**
   * How often it is shown a picture. Three times, and completed by colours: pays for small networks, whose second look costs
   * little. Again where the first answer is weak: for large ones. docs/decisions/0024-cut-outs-and-erasing.md
   */
  readonly looks: 'one' | 'again_when_weak' | 'three';
}
