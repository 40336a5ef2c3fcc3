import { readHeader } from '../codecs/read_header.ts';
import { hashedLuma, pdqOf } from '../fingerprint/pdq/pdq.ts';
import type { Seen } from '../vision/seen.ts';
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
import { placeName } from './places.ts';
import { blurPlane, halvePlanes, type Planes, planesOf } from './planes.ts';

/** L*: minimum contrast of a stroke with its ground. */
const STROKE = 22;
/** Heights of a line of text, relative to the height of the image. */
const HEIGHTS = { min: 0.008, max: 0.12 };
/** Strokes of a line per multiple of its height. */
const STROKES = { min: 0.7, max: 4.5 };
/** Minimum changes per row: a line of text has many letters. */
const CHANGES_MIN = 9;

/**
 * Number of lines of marks that resemble text: horizontal strips, clear above and below, in which dark and light alternate as often as between
 * strokes of letters. Source: the projection profiles of document analysis (Wong, Casey and Wahl, 1982).
 */
function findTextLines({ width, height, lightness }: Planes): number {
  if (Math.min(width, height) < 48) return 0;
  const changes = changesByRow(lightness, width, height);
  let lines = 0;
  for (const block of blocksOf(width)) {
    const strips = stripsOf(changes, width, height, block);
    const written = strips.filter(
      (strip) => isWriting(strip, height, block) && isInkOnGround(lightness, width, height, strip),
    );
    lines = Math.max(lines, sameHeight(written));
  }
  return lines >= 1 ? lines : 0;
}

interface Block {
  readonly from: number;
  readonly to: number;
}

/** The whole width, its halves and its centre: text seldom fills the whole sheet. */
function blocksOf(width: number): Block[] {
  const at = (part: number) => Math.round(part * width);
  return [
    { from: 0, to: width },
    { from: 0, to: at(0.5) },
    { from: at(0.5), to: width },
    { from: at(0.25), to: at(0.75) },
  ];
}

/** 1 where a pixel differs strongly from the one two to its left. */
function changesByRow(lightness: Float32Array, width: number, height: number): Uint8Array {
  const changes = new Uint8Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 2; x < width; x++) {
      const at = y * width + x;
      const step = lightness[at]! - lightness[at - 2]!;
      const before = lightness[at - 1]! - lightness[Math.max(y * width, at - 3)]!;
      // Each rise or fall counts once, however many pixels it spans.
      if (Math.abs(step) > STROKE && !(Math.abs(before) > STROKE && step * before > 0)) changes[at] = 1;
    }
  return changes;
}

interface Strip {
  readonly top: number;
  readonly height: number;
  /** First column with a change. */
  readonly left: number;
  /** Mean number of changes per row. */
  readonly changes: number;
  /** Pixels from the first to the last change. */
  readonly length: number;
}

function stripsOf(changes: Uint8Array, width: number, height: number, { from, to }: Block): Strip[] {
  const strips: Strip[] = [];
  const rows = Array.from({ length: height }, (_, y) => {
    let [count, first, last] = [0, to, from];
    for (let x = from; x < to; x++) {
      if (!changes[y * width + x]) continue;
      count++;
      first = Math.min(first, x);
      last = x;
    }
    return { count, first, last };
  });
  let start = -1;
  for (let y = 0; y <= height; y++) {
    const isOn = y < height && rows[y]!.count >= 4;
    if (isOn && start < 0) start = y;
    if (isOn || start < 0) continue;
    const within = rows.slice(start, y);
    const sum = within.reduce((total, { count }) => total + count, 0);
    const left = Math.min(...within.map((row) => row.first));
    const length = Math.max(...within.map((row) => row.last)) - left;
    strips.push({ top: start, height: y - start, changes: sum / within.length, left, length });
    start = -1;
  }
  return strips;
}

function isWriting({ height, changes, length }: Strip, pictureHeight: number, { from, to }: Block): boolean {
  const part = height / pictureHeight;
  const strokes = (changes * height) / Math.max(1, length);
  return (
    part >= HEIGHTS.min &&
    part <= HEIGHTS.max &&
    height >= 5 &&
    length > Math.max(4 * height, 0.2 * (to - from)) &&
    changes >= CHANGES_MIN &&
    strokes > STROKES.min &&
    strokes < STROKES.max
  );
}

/** L*: smaller differences from the ground belong to it. */
const SHEET = 8;
const INK = { min: 0.1, max: 0.45, oneSided: 0.85 };

/**
 * Whether a strip is ink of one kind on a uniform ground, with nothing above and below. Bricks, tiles, leaves, dots of paint and stars change as
 * often along a row, but do not meet all three conditions.
 */
function isInkOnGround(
  lightness: Float32Array,
  width: number,
  height: number,
  { top, height: rows, left, length }: Strip,
): boolean {
  const tones = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, row) =>
      lightness.subarray((from + row) * width + left, (from + row) * width + left + length),
    );
  const levels = new Uint32Array(101);
  for (const row of tones(top, top + rows)) for (const tone of row) levels[Math.round(tone)]!++;
  const sum = (from: number, to: number) =>
    levels.slice(Math.max(0, from), Math.max(0, to)).reduce((total, count) => total + count, 0) /
    Math.max(1, rows * length);
  const sheet = levels.indexOf(Math.max(...levels));
  const [darker, lighter] = [sum(0, sheet - STROKE), sum(sheet + STROKE + 1, 101)];
  const ink = darker + lighter;
  const isPlain = (row: Float32Array | undefined) =>
    row === undefined ||
    row.filter((tone) => Math.abs(tone - sheet) < SHEET).length > 0.85 * Math.max(1, row.length);
  return (
    sum(sheet - SHEET, sheet + SHEET + 1) > 0.4 &&
    ink > INK.min &&
    ink < INK.max &&
    Math.max(darker, lighter) > INK.oneSided * ink &&
    isPlain(tones(Math.max(0, top - 3), Math.max(0, top - 2))[0]) &&
    isPlain(tones(top + rows + 2, Math.min(height, top + rows + 3))[0])
  );
}

/** Size of the largest group of strips with heights within a third of each other; at least three, because fewer may be chance. */
function sameHeight(strips: readonly Strip[]): number {
  const counts = strips.map(
    ({ height }) => strips.filter((other) => Math.abs(other.height - height) <= 0.34 * height).length,
  );
  const most = Math.max(0, ...counts);
  return most >= 3 ? most : 0;
}

/** One object, or one close group, on a plain ground. */
interface Figure {
  readonly place: string;
  /** Share of the image, 0 to 1. */
  readonly share: number;
  readonly confidence: number;
}

const RIM = 0.04;
/** OKLab: pixels further from the ground than this belong to the object. */
const UNLIKE = 0.13;
/** OKLab: a border within this distance of one colour is plain. */
const PLAIN = 0.07;
/** Share of the image. In dark images, a smaller object is a lit spot on something invisible. */
const SHARE = { min: 0.004, minInTheDark: 0.02, max: 0.75 };
/** OKLab lightness. */
const DARK = 0.3;
/** Minimum filled share of the outline's area: several separate objects fill less. */
const FILLED = 0.6;

/** Detects an object with a border of one colour nearly all around. @returns the object and its pixels */
function findFigure({
  width,
  height,
  lightness,
  a,
  b,
}: Planes): { figure: Figure; pixels: Int32Array } | undefined {
  if (Math.min(width, height) < 24) return undefined;
  const smooth = [lightness.map((value) => value / 100), a, b].map((plane) =>
    blurPlane(plane, width, height, 1),
  ) as [Float32Array, Float32Array, Float32Array];
  const rim = rimPixels(width, height);
  const ground = smooth.map((plane) => medianAt(plane, rim)) as [number, number, number];
  const distance = (at: number) =>
    Math.sqrt(
      (smooth[0][at]! - ground[0]) ** 2 +
        (smooth[1][at]! - ground[1]) ** 2 +
        (smooth[2][at]! - ground[2]) ** 2,
    );
  const plainRim = rim.filter((at) => distance(at) < PLAIN).length / rim.length;
  if (plainRim < 0.9) return undefined;
  const mask = Uint8Array.from(lightness, (_, at) => (distance(at) > UNLIKE ? 1 : 0));
  const unlike = mask.reduce((sum, value) => sum + value, 0);
  const share = unlike / lightness.length;
  if (share < (ground[0] < DARK ? SHARE.minInTheDark : SHARE.min) || share > SHARE.max) return undefined;
  const pixels = fillOutline(mask, width, height);
  if (unlike < FILLED * pixels.length) return undefined;
  return {
    figure: { place: middleOf(pixels, width, height), share, confidence: Math.min(0.9, plainRim - 0.1) },
    pixels,
  };
}

/** Fills between the outermost marks of each row and column: includes parts of the object that resemble the ground. */
function fillOutline(mask: Uint8Array, width: number, height: number): Int32Array {
  const empty = () => ({ first: Number.POSITIVE_INFINITY, last: -1 });
  const rows = Array.from({ length: height }, empty);
  const columns = Array.from({ length: width }, empty);
  const widen = (extent: { first: number; last: number }, place: number) => {
    extent.first = Math.min(extent.first, place);
    extent.last = Math.max(extent.last, place);
  };
  const isWithin = ({ first, last }: { first: number; last: number }, place: number) =>
    place >= first && place <= last;
  for (const [at, isMarked] of mask.entries()) {
    if (!isMarked) continue;
    widen(rows[Math.floor(at / width)]!, at % width);
    widen(columns[at % width]!, Math.floor(at / width));
  }
  const pixels: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isWithin(rows[y]!, x) && isWithin(columns[x]!, y)) pixels.push(y * width + x);
  return Int32Array.from(pixels);
}

function rimPixels(width: number, height: number): number[] {
  const rim = Math.max(1, Math.round(RIM * Math.min(width, height)));
  const pixels: number[] = [];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (x < rim || y < rim || x >= width - rim || y >= height - rim) pixels.push(y * width + x);
  return pixels;
}

function medianAt(plane: Float32Array, places: readonly number[]): number {
  const values = Float32Array.from(places, (at) => plane[at]!).sort();
  return values[values.length >> 1]!;
}

function middleOf(pixels: Int32Array, width: number, height: number): string {
  let [sumX, sumY] = [0, 0];
  for (const at of pixels) {
    sumX += at % width;
    sumY += Math.floor(at / width);
  }
  return placeName({ x: (sumX / pixels.length + 0.5) / width, y: (sumY / pixels.length + 0.5) / height });
}

/** A horizontal border across the image, such as a horizon, a shore or the edge of a table. */
interface Horizon {
  /** Position from the top, relative to the height. */
  readonly height: number;
  /** Share of the width along which both sides differ in the same way. */
  readonly steadiness: number;
  readonly confidence: number;
}

const FROM = 0.12;
/** Height compared above and below, relative to the image. */
const BAND = 0.05;
/** Minimum difference between the two sides, in hundredths of OKLab. */
const DIFFERENCE_MIN = 9;
const STEADINESS_MIN = 0.86;
/** Minimum ratio to other differences, at steps of the band. */
const ALONE = 1.5;

/** The row with the largest and most consistent difference between the bands above and below, along nearly the whole width. */
function findHorizon({ width, height, lightness, a, b }: Planes): Horizon | undefined {
  const band = Math.max(2, Math.round(BAND * height));
  if (height < 6 * band || width < 24) return undefined;
  const sums = [lightness, a, b].map((plane, axis) => columnSums(plane, width, height, axis === 0 ? 1 : 100));
  const rows = Array.from({ length: height }, (_, row) =>
    row < FROM * height || row > (1 - FROM) * height
      ? 0
      : strengthAt(sums, { width, height, row, band }).strength,
  );
  const best = rows.indexOf(Math.max(...rows));
  if (rows[best]! < DIFFERENCE_MIN) return undefined;
  const { steadiness } = strengthAt(sums, { width, height, row: best, band });
  const rival = Math.max(0, ...rows.filter((_, row) => Math.abs(row - best) > 2 * band));
  if (steadiness < STEADINESS_MIN || rows[best]! < ALONE * rival) return undefined;
  if (!isSharp(sums, { width, height, row: best, band })) return undefined;
  return {
    height: best / height,
    steadiness,
    confidence: Math.min(0.9, steadiness * 0.6 + Math.min(0.3, rows[best]! / 120)),
  };
}

/** Cumulative sums per column: index r · width + x holds the sum of column x above row r. */
function columnSums(plane: Float32Array, width: number, height: number, scale: number): Float64Array {
  const sums = new Float64Array((height + 1) * width);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      sums[(y + 1) * width + x] = sums[y * width + x]! + scale * plane[y * width + x]!;
  return sums;
}

interface Place {
  readonly width: number;
  readonly height: number;
  readonly row: number;
  readonly band: number;
}

/** Magnitude of the mean difference between both sides, and the share of columns that agree with it. */
function strengthAt(sums: readonly Float64Array[], { width, row, band }: Place) {
  const [above, here, below] = [(row - band) * width, row * width, (row + band) * width];
  const difference = (plane: Float64Array, x: number) =>
    (2 * plane[here + x]! - plane[above + x]! - plane[below + x]!) / band;
  const mean = sums.map((plane) => {
    let sum = 0;
    for (let x = 0; x < width; x++) sum += difference(plane, x);
    return sum / width;
  });
  const size = Math.hypot(...mean);
  let alike = 0;
  for (let x = 0; x < width; x++) {
    let along = 0;
    for (let axis = 0; axis < sums.length; axis++) along += difference(sums[axis]!, x) * mean[axis]!;
    if (along > 0.4 * size * size) alike++;
  }
  return { strength: size, steadiness: alike / width };
}

/** Whether the border is a step, not a slope: half of the difference is within a third of the band. */
function isSharp(sums: readonly Float64Array[], place: Place): boolean {
  const narrow = Math.max(1, Math.round(place.band / 3));
  return strengthAt(sums, { ...place, band: narrow }).strength > 0.6 * strengthAt(sums, place).strength;
}

interface Pattern {
  /** One period of the pattern, as fractions of width and height. */
  readonly stepX: number;
  readonly stepY: number;
  /** Correlation of the image with itself shifted by one period, 0 to 1. */
  readonly likeness: number;
}

const SIDE = 96;
const LAG_MAX = 36;
const LAG_MIN = 4;
const LIKENESS_MIN = 0.62;
/** Maximum correlation between periods. */
const UNLIKE_MAX = 0.2;

/** A repeating motif: a second peak of the autocorrelation, and a third one at twice the period. */
function findPattern({ width, height, lightness }: Planes): Pattern | undefined {
  if (Math.min(width, height) < SIDE) return undefined;
  const shapes = shapesOf(lightness, width, height);
  const energy = shapes.reduce((sum, value) => sum + value * value, 0) / shapes.length;
  if (energy < 0.5) return undefined;
  let best: { x: number; y: number; likeness: number } | undefined;
  for (let y = 0; y <= LAG_MAX; y++)
    for (let x = y === 0 ? LAG_MIN : -LAG_MAX; x <= LAG_MAX; x++) {
      if (Math.hypot(x, y) < LAG_MIN) continue;
      const rough = likenessAt(shapes, x, y, 3);
      if (rough < LIKENESS_MIN - 0.1) continue;
      const likeness = likenessAt(shapes, x, y);
      if (likeness > LIKENESS_MIN && (!best || likeness > best.likeness + 0.02)) best = { x, y, likeness };
    }
  if (!best) return undefined;
  const half = likenessAt(shapes, Math.round(best.x / 2), Math.round(best.y / 2));
  const twice = likenessAt(shapes, 2 * best.x, 2 * best.y);
  if (half > UNLIKE_MAX || twice < 0.45) return undefined;
  return { stepX: Math.abs(best.x) / SIDE, stepY: best.y / SIDE, likeness: best.likeness };
}

/** Autocorrelation at a shift, of every `step`-th pixel in each direction. */
function likenessAt(shapes: Float32Array, lagX: number, lagY: number, step = 1): number {
  let [both, one, other] = [0, 0, 0];
  for (let y = 0; y < SIDE - lagY; y += step)
    for (let x = Math.max(0, -lagX); x < SIDE - Math.max(0, lagX); x += step) {
      const [here, there] = [shapes[y * SIDE + x]!, shapes[(y + lagY) * SIDE + x + lagX]!];
      both += here * there;
      one += here * here;
      other += there * there;
    }
  return both / Math.max(1e-9, Math.sqrt(one * other));
}

/** Lightness at SIDE × SIDE, high-pass filtered. */
function shapesOf(plane: Float32Array, width: number, height: number): Float32Array {
  const small = new Float32Array(SIDE * SIDE);
  const soft = blurPlane(plane, width, height, Math.max(width, height) / SIDE / 2);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      small[y * SIDE + x] =
        soft[Math.floor(((y + 0.5) * height) / SIDE) * width + Math.floor(((x + 0.5) * width) / SIDE)]!;
  const slow = blurPlane(small, SIDE, SIDE, 10);
  return small.map((value, at) => value - slow[at]!);
}

/** All measurements, and detections of models if any ran. Measurements do not identify objects. */
export interface Measures extends Seen {
  /** Size of the file as shown, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly transparent: number;
  /** The image has too little variation for further analysis. */
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
  /** Perceptual hash for the recognition of known works, 64 hex digits; undefined for an image with too little detail. */
  readonly pdq?: string;
}

/** L* and OKLab: an image with less variation is blank. */
const BLANK = { deviation: 0.7, palette: 1 };

/**
 * Measures an image deterministically.
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

/** Hashes below this quality are unreliable (PDQ's own scale, 0 to 100). */
const HASH_QUALITY_MIN = 50;

async function looksOf(bytes: Uint8Array): Promise<{ pdq?: string }> {
  const { luma } = await hashedLuma(bytes);
  const { hashes, quality } = pdqOf(luma);
  return quality < HASH_QUALITY_MIN ? {} : { pdq: Buffer.from(hashes[0]!).toString('hex') };
}

/** Properties of the subject that do not require recognition. */
interface Subject {
  readonly horizon?: Horizon;
  readonly pattern?: Pattern;
  /** Number of lines of marks as small and regular as text. */
  readonly textLines: number;
  readonly figure?: Figure;
}

/** @param fine the image at up to 640 pixels @param coarse half of it */
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
