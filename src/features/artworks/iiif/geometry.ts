/** Major version of the Image API: 3.0 or 2.1.1. */
export type ImageVersion = 2 | 3;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Area extends Size {
  readonly left: number;
  readonly top: number;
}
