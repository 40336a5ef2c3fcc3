const IMAGENET = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;

/** Published segmentation models, with the preprocessing of the program they were published with (rembg). */
export const SEGMENTERS = {
  u2netp: {
    sidePx: 320,
    ...IMAGENET,
    output: 'scores',
    certainty: 0.2,
    edgePart: 0.004,
    runs: 'three',
  },
  isnet_general: {
    sidePx: 1024,
    mean: [0.5, 0.5, 0.5],
    deviation: [1, 1, 1],
    output: 'probabilities',
    certainty: 0.05,
    edgePart: 0.003,
    runs: 'again_when_weak',
  },
  birefnet_general_lite: {
    sidePx: 1024,
    ...IMAGENET,
    output: 'logits',
    certainty: 0.05,
    edgePart: 0.003,
    runs: 'one',
  },
} as const satisfies Record<string, Segmenter>;

export type SegmenterName = keyof typeof SEGMENTERS;

/** Input and output conventions of a segmentation model. */
export interface Segmenter {
  /** Side of its square input in pixels; images are stretched to it. */
  readonly sidePx: number;
  readonly mean: readonly [number, number, number];
  readonly deviation: readonly [number, number, number];
  /** Type of its output: logits pass through a sigmoid; logits and scores are stretched to 0 to 1; probabilities are used as they are. */
  readonly output: 'logits' | 'scores' | 'probabilities';
  /** Output up to this is certainly background; depends on how decisive a model is. */
  readonly certainty: number;
  /** Largest error of its outlines, as a fraction of the longest side: about two input pixels. */
  readonly edgePart: number;
  /**
   * Number of runs per image. Three, completed by colours, pays off for small models with cheap runs; a second run if the first is weak,
   * for large ones. docs/decisions/0024-cut-outs-and-erasing.md
   */
  readonly runs: 'one' | 'again_when_weak' | 'three';
}
