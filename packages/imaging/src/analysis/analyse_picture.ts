import { readHeader } from '../codecs/read_header.ts';
import { hashedLuma } from '../fingerprint/pdq/hashed_luma.ts';
import { pdqOf } from '../fingerprint/pdq/pdq.ts';
import type { Seen } from '../vision/seen.ts';
import type { Figure } from './find_figure.ts';
import { findFigure } from './find_figure.ts';
import { findHorizon, type Horizon } from './find_horizon.ts';
import { findPattern, type Pattern } from './find_pattern.ts';
import { findTextLines } from './find_text.ts';
import { type Color, measureColor } from './measure_color.ts';
import { type Focus, measureFocus } from './measure_focus.ts';
import { type Light, measureLight } from './measure_light.ts';
import { type Lines, measureLines } from './measure_lines.ts';
import { measureReproduction, type Reproduction } from './measure_reproduction.ts';
import { measureSpace, type Space } from './measure_space.ts';
import { measureSurface, type Surface } from './measure_surface.ts';
import { measureSymmetry, type Symmetry } from './measure_symmetry.ts';
import { measureTone, type Tone } from './measure_tone.ts';
import { openRasters, thinPixels } from './open_rasters.ts';
import type { Planes } from './planes.ts';
import { halvePlanes, planesOf } from './planes.ts';

/** Everything the analyst has measured, and what networks have seen besides where there are some. Nothing measured is a guess at what things are. */
export interface Measures extends Seen {
  /** Size of the file as it is shown, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly transparent: number;
  /** Nothing varies enough to be looked at. */
  readonly isBlank: boolean;
  readonly tone: Tone;
  readonly light: Light;
  readonly color: Color;
  readonly focus: Focus;
  readonly symmetry: Symmetry;
  readonly lines: Lines;
  readonly space: Space;
  readonly surface: Surface;
  readonly subject: Subject;
  readonly reproduction: Reproduction;
  /** Perceptual hash, 64 hex digits, by which a known work is recognised; absent where there is too little to see. */
  readonly pdq?: string;
}

/** L* and OKLab: a picture that varies less than this is blank. */
const BLANK = { deviation: 0.7, palette: 1 };

/**
 * Looks at a picture and measures it, the same way every time.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, unsuitable_image (nothing visible)
 */
export async function analysePicture(
  { bytes }: { bytes: Uint8Array },
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<Measures> {
  const { format } = readHeader(bytes);
  const { width, height, whole, rgba, detail, transparent } = await openRasters(bytes);
  onProgress(0.3, 'Measuring tones and colours');
  const fine = planesOf(whole.data, whole.width, whole.height);
  const coarse = halvePlanes(fine);
  const tone = measureTone(fine);
  const color = measureColor(thinPixels(rgba), whole.data, fine);
  onProgress(0.5, 'Measuring the composition');
  const focus = measureFocus(coarse);
  const found = findFigure(coarse);
  const reproduction = measureReproduction(fine, tone.light, whole.data, detail, Math.max(width, height));
  const looked = {
    tone,
    color,
    focus,
    light: measureLight(coarse, tone, found?.pixels),
    symmetry: measureSymmetry(coarse, reproduction.margins),
    lines: measureLines(coarse, focus.points[0]),
    space: measureSpace(coarse),
  };
  onProgress(0.7, 'Measuring surface and subject');
  return {
    width,
    height,
    format,
    transparent,
    isBlank: tone.deviation < BLANK.deviation && color.palette.length <= BLANK.palette,
    ...looked,
    surface: measureSurface(coarse),
    subject: measureSubject(fine, coarse, found?.figure),
    reproduction,
    ...(await looksOf(bytes)),
  };
}

/** Below this a hash says little (PDQ's own scale, 0 to 100). */
const HASH_QUALITY_MIN = 50;

async function looksOf(bytes: Uint8Array): Promise<{ pdq?: string }> {
  const { luma } = await hashedLuma(bytes);
  const { hashes, quality } = pdqOf(luma);
  return quality < HASH_QUALITY_MIN ? {} : { pdq: Buffer.from(hashes[0]!).toString('hex') };
}

/** What can be said of the subject without knowing what things are. */
interface Subject {
  readonly horizon?: Horizon;
  readonly pattern?: Pattern;
  /** Lines of marks as small and regular as writing. */
  readonly textLines: number;
  readonly figure?: Figure;
}

/** @param fine the picture at up to 640 pixels @param coarse half of it */
function measureSubject(fine: Planes, coarse: Planes, figure: Figure | undefined): Subject {
  const horizon = findHorizon(coarse);
  const pattern = findPattern(coarse);
  return {
    ...(horizon && { horizon }),
    ...(pattern && { pattern }),
    textLines: findTextLines(fine),
    ...(figure && { figure }),
  };
}
