import type { Plane } from '../pixels/plane.ts';
import { cellMeans } from './visibility.ts';
import type { Details } from './wavelet.ts';

/**
 * The smallest change of a coefficient that is visible at 100 % or smaller, from the luminance model of DCT basis functions: H. Peterson, A. Ahumada,
 * A. Watson, An Improved Detection Model for DCT Coefficient Quantization, Proc. SPIE 1913 (1993). Thresholds are for a single coefficient; summation
 * over several is not modelled.
 */
const MODEL = {
  /** Peak sensitivity, and the luminance in cd/m² below which it falls with the given exponent. */
  sensitivity: { peak: 94.7, below: 13.45, power: 0.649 },
  /** Frequency of the peak at 300 cd/m², in cycles per degree. */
  frequency: { peak: 6.78, power: 0.182 },
  /** Steepness of the parabola around the peak at 300 cd/m². */
  steepness: { peak: 3.125, power: 0.0706 },
  bright: 300,
  /** Sensitivity to diagonal gratings relative to horizontal and vertical ones. */
  oblique: 0.6,
};
/** Exponent of contrast masking. A. Watson, DCTune, SID Digest 24 (1993). */
const MASKING = 0.7;
/** sRGB reference display: white in cd/m², veiling glare, and effective gamma. IEC 61966-2-1. */
const DISPLAY = { white: 80, glare: 0.8, gamma: 2.2 };
/** Of the CSS reference pixel at arm's length. */
const PIXELS_PER_DEGREE = 47;
/** Centre frequency of a coefficient, in cycles per pixel of the frame. */
const CYCLES_PER_PIXEL = 0.09;
/** Half the pixel range of a coefficient of 1, in grey levels. */
const AMPLITUDE = { straight: 0.163, diagonal: 0.196 };

interface Thresholds {
  readonly straight: Float32Array;
  readonly diagonal: Float32Array;
}

/** Threshold of a grating on a uniform background, in grey levels, for the grey levels 0 to 255. */
function plainThresholds(cyclesPerDegree: readonly [number, number], visibility: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, level) => {
    const grey = Math.max(1, level) / 255;
    const luminance = DISPLAY.white * grey ** DISPLAY.gamma + DISPLAY.glare;
    const { sensitivity, frequency, steepness, bright } = MODEL;
    const least =
      (Math.max(luminance, sensitivity.below) / sensitivity.peak) *
      Math.min(1, luminance / sensitivity.below) ** sensitivity.power;
    const best = frequency.peak * (luminance / bright) ** frequency.power;
    const steep = steepness.peak * (luminance / bright) ** steepness.power;
    const [lowest, highest] = cyclesPerDegree;
    const away = Math.log10(Math.max(lowest, Math.min(highest, best)) / best);
    const threshold = (least / visibility) * 10 ** (steep * away * away);
    const perLevel = (DISPLAY.white * DISPLAY.gamma * grey ** (DISPLAY.gamma - 1)) / 255;
    return threshold / perLevel;
  });
}

/** @param scale pixels of the image per pixel of the frame */
function tableFor(scale: number): Thresholds {
  const at = (turned: number): [number, number] => {
    const frequency = turned * CYCLES_PER_PIXEL * PIXELS_PER_DEGREE;
    // An image larger than its frame is also viewed reduced, down to one display pixel per pixel of the frame.
    return [frequency / Math.max(1, scale), frequency / Math.min(1, scale)];
  };
  return {
    straight: plainThresholds(at(1), 1).map((level) => level / AMPLITUDE.straight),
    diagonal: plainThresholds(at(Math.SQRT2), MODEL.oblique).map((level) => level / AMPLITUDE.diagonal),
  };
}

/** The smallest visible change of every coefficient of a frame of whole cells. @param scale pixels of the image per pixel of the frame */
export function visibleChanges(frame: Plane, details: Details, scale: number): Details {
  const { straight, diagonal } = tableFor(scale);
  const levels = cellMeans(frame);
  const masked = (table: Float32Array, kind: Float32Array) =>
    kind.map((detail, cell) => {
      const plain = table[Math.max(0, Math.min(255, Math.round(levels[cell]!)))]!;
      return plain * Math.max(1, Math.abs(detail) / plain) ** MASKING;
    });
  return {
    columns: details.columns,
    rows: details.rows,
    alongY: masked(straight, details.alongY),
    alongX: masked(straight, details.alongX),
    diagonal: masked(diagonal, details.diagonal),
  };
}
