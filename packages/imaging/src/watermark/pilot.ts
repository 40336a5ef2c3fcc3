import { keyedRandom } from './keyed_random.ts';

/**
 * A tone of the pilot: a faint pattern that repeats every 512 pixels of the frame and reveals how an image was shifted, scaled, rotated or mirrored.
 * The pilot is a sum of sinusoids between the bands of the message; the magnitudes of its Fourier transform do not change when the image is shifted.
 * S. Pereira, T. Pun, Robust Template Matching for Affine Resistant Image Watermarks, IEEE Trans. Image Process. 9 (2000).
 */
export interface Tone {
  /** Cycles per 512 pixels. */
  readonly across: number;
  readonly down: number;
  /** Phase of the cosine, in turns. */
  readonly phase: number;
}

export const PILOT_PERIOD_PX = 512;
const TONES = 32;
const LOWEST = 34;
const HIGHEST = 62;
/** Minimum distance of two tones, in cycles. */
const APART = 4;

export const PILOT_TONES: readonly Tone[] = drawTones();

function drawTones(): Tone[] {
  const next = keyedRandom(0x9170);
  const span = HIGHEST - LOWEST + 1;
  const tones: Tone[] = [];
  while (tones.length < TONES) {
    const across = LOWEST + (next() % span);
    const down = (LOWEST + (next() % span)) * (next() & 0x10000 ? 1 : -1);
    if (tones.some((tone) => Math.hypot(tone.across - across, tone.down - down) < APART)) continue;
    tones.push({ across, down, phase: (next() % 512) / 512 });
  }
  return tones;
}

let tile: Float32Array | undefined;

/** One period of the pilot, with a mean square of 1. */
export function pilotTile(): Float32Array {
  tile ??= drawTile();
  return tile;
}

function drawTile(): Float32Array {
  const side = PILOT_PERIOD_PX;
  const amplitude = Math.sqrt(2 / PILOT_TONES.length);
  const wave = Float32Array.from(
    { length: side },
    (_, at) => amplitude * Math.cos((2 * Math.PI * at) / side),
  );
  const result = new Float32Array(side * side);
  for (const { across, down, phase } of PILOT_TONES) {
    for (let y = 0; y < side; y++) {
      const start = (down * y + phase * side + side * side) % side;
      for (let x = 0; x < side; x++) result[y * side + x]! += wave[(start + across * x) & (side - 1)]!;
    }
  }
  return result;
}
