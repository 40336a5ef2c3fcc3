/** A round dot, `DOT_RADIUS` pixels about one of four places of its pixel. */
export interface Dot {
  readonly pixel: number;
  /** 0 to 3: its middle, its right side, its lower side, its lower right corner. */
  readonly place: number;
  readonly color: readonly number[];
}

/** Two pixels of area: what a point in a picture has, where a pixel is the least that it can have. */
export const DOT_RADIUS = 0.8;
/** How far from its pixel a dot reaches, in pixels. */
export const DOTS_REACH = 1;

/** What a dot covers of the pixels round its own; `squares` is the sum of the squared shares. */
interface Cover {
  readonly across: Int8Array;
  readonly down: Int8Array;
  readonly shares: Float32Array;
  readonly squares: number;
}

/** In which half pixels from the middle of its pixel each place lies. */
export const DOT_PLACES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** Points across a pixel that are asked whether a dot covers them. */
const SAMPLES = 32;

export const DOT_COVERS: readonly Cover[] = DOT_PLACES.map(([right, below]) => {
  const found: [across: number, down: number, share: number][] = [];
  for (let down = -DOTS_REACH; down <= DOTS_REACH; down++)
    for (let across = -DOTS_REACH; across <= DOTS_REACH; across++) {
      const share = shareWithin(across - right / 2, down - below / 2);
      if (share > 0) found.push([across, down, share]);
    }
  const shares = Float32Array.from(found, ([, , share]) => share);
  return {
    across: Int8Array.from(found, ([across]) => across),
    down: Int8Array.from(found, ([, down]) => down),
    shares,
    squares: shares.reduce((sum, share) => sum + share * share, 0),
  };
});

/** The share of a pixel, told by the way from the dot's middle to its own, that lies within the dot. */
function shareWithin(across: number, down: number): number {
  let within = 0;
  for (let row = 0; row < SAMPLES; row++)
    for (let column = 0; column < SAMPLES; column++) {
      const [x, y] = [across + (column + 0.5) / SAMPLES - 0.5, down + (row + 0.5) / SAMPLES - 0.5];
      if (x * x + y * y <= DOT_RADIUS * DOT_RADIUS) within++;
    }
  return within / SAMPLES ** 2;
}
