import { releaseRaster } from '../codecs/read_raster.ts';
import type { Rgba } from '../color/css_color.ts';
import { type Box, boxAround } from '../pixels/box.ts';
import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, hasAlpha } from '../pixels/raster.ts';
import { type Part, resampleTo } from '../resample/resample.ts';
import {
  apply,
  compose,
  IDENTITY,
  invert,
  isUpright,
  type Matrix,
  partOf,
  scaling,
  translation,
} from './geometry.ts';
import { CANVAS_PIXELS_MAX, CANVAS_SIDE_PX_MAX, DEEP_PIXELS_MAX } from './limits.ts';
import { invalidOperation } from './refuse.ts';
import { copyPart } from './rows.ts';
import { asDepth, runStages, type Stage } from './stages.ts';
import { warp } from './warp.ts';

/** Geometry that was requested but not yet applied. */
interface Pending extends Size {
  /** Maps the canvas to the raster. */
  readonly matrix: Matrix;
  /** The visible part of the raster; undefined while the canvas is upright and equals it. */
  readonly part?: Part | undefined;
  /** The canvas crops the visible part, so it must be flattened before it is transformed again. */
  readonly isCut: boolean;
}

/** Source of an image, decoded when pixels are first needed. */
export interface PixelSource extends Size {
  readonly hasAlpha: boolean;
  readonly depth: 8 | 16;
  /** The decoded raster has no other users and is freed after resampling. */
  readonly isOwned?: boolean;
  /**
   * Decodes the image; if the decoder supports it, at a fraction of its size, when the result is smaller by `shrink`.
   * @returns the raster, RGB with or without alpha, and the position of the whole image in it
   */
  read(shrink: number): Promise<{ readonly raster: DeepRaster; readonly part: Part }>;
}

/**
 * The image while it is edited. Geometric operations are merged into one resampling, and per-pixel operations into one pass, when pixels are needed.
 */
export class Canvas {
  #source: PixelSource | undefined;
  #raster: DeepRaster | undefined;
  /** A raster made for this canvas, without other users: freed when replaced. */
  #owned: DeepRaster | undefined;
  #pending: Pending;
  #stages: Stage[] = [];
  #hasAlpha: boolean;
  /** Maps the canvas to the original image. */
  #origin: Matrix = IDENTITY;
  readonly #origins: Size;
  readonly #depth: 8 | 16;

  constructor(source: PixelSource) {
    this.#source = source;
    this.#pending = { width: source.width, height: source.height, matrix: IDENTITY, isCut: false };
    this.#hasAlpha = source.hasAlpha;
    this.#origins = { width: source.width, height: source.height };
    this.#depth = source.depth;
  }

  get width(): number {
    return this.#pending.width;
  }

  get height(): number {
    return this.#pending.height;
  }

  /** Whether pixels may be transparent. */
  get hasAlpha(): boolean {
    return this.#hasAlpha;
  }

  /** Bit depth of the source file, per sample. */
  get sourceDepth(): 8 | 16 {
    return this.#depth;
  }

  /** Current position of a box of the original image, not clipped. @param box in fractions of the sides, 0 to 1 */
  boxFromOrigin({ x, y, width, height }: Box): Box {
    const toCanvas = invert(this.#origin);
    const points = [x, x + width].flatMap((u) =>
      [y, y + height].map((v) => apply(toCanvas, u * this.#origins.width, v * this.#origins.height)),
    );
    return boxAround(points.map(([left, top]) => ({ x: left, y: top, width: 0, height: 0 })));
  }

  /**
   * Transforms a raster with the aspect ratio of the original image through all geometry so far: as large as the canvas, transparent where the canvas
   * shows nothing of the original.
   */
  carriedFromOrigin(raster: DeepRaster): DeepRaster {
    const { width, height } = this;
    const matrix = compose(
      scaling(raster.width / this.#origins.width, raster.height / this.#origins.height),
      this.#origin,
    );
    const part = { left: 0, top: 0, width: raster.width, height: raster.height };
    const isSame = width === raster.width && height === raster.height && isIdentity(matrix);
    return isSame
      ? raster
      : carryOut(raster, { width, height, matrix, part, isCut: true, ground: undefined }, 8);
  }

  /** Bit depth between operations, per sample. */
  #workDepth(): 8 | 16 {
    return this.#depth === 16 || this.width * this.height <= DEEP_PIXELS_MAX ? 16 : 8;
  }

  /** Adds a per-pixel operation after all earlier requests. */
  async addStage(stage: Stage): Promise<void> {
    if (!stage.ground) await this.#settleGeometry(this.#workDepth());
    this.#stages.push(stage);
    if (stage.alpha) this.#hasAlpha = stage.alpha === 'adds';
  }

  /** Crops the canvas to a rectangle of whole pixels, which must be inside it. */
  async crop({ left, top, width, height }: Part): Promise<void> {
    if (left === 0 && top === 0 && width === this.width && height === this.height) return;
    await this.#settleStages();
    const { matrix, part } = this.#pending;
    this.#origin = compose(this.#origin, translation(left, top));
    this.#pending = {
      width,
      height,
      matrix: compose(matrix, translation(left, top)),
      part,
      isCut: part !== undefined,
    };
  }

  async resize({ width, height }: Size): Promise<void> {
    if (width === this.width && height === this.height) return;
    refuseSize({ width, height });
    await this.#settleStages();
    const scaled = scaling(this.width / width, this.height / height);
    this.#origin = compose(this.#origin, scaled);
    this.#pending = { ...this.#pending, width, height, matrix: compose(this.#pending.matrix, scaled) };
  }

  /**
   * Rotates, mirrors or distorts.
   * @param matrix maps the new canvas to this one
   * @param isCut whether the new canvas shows less than all of this one
   */
  async transform(matrix: Matrix, size: Size, isCut = false): Promise<void> {
    refuseSize(size);
    await this.#settleStages();
    if (this.#pending.isCut && !isUpright(matrix)) await this.#settleGeometry(this.#workDepth());
    this.#origin = compose(this.#origin, matrix);
    const { matrix: before, part } = this.#pending;
    const composed = compose(before, matrix);
    const shown = part ?? (isUpright(composed) ? undefined : partOf(before, this.#pending));
    if (shown && !part) this.#hasAlpha = true;
    this.#pending = {
      ...size,
      matrix: composed,
      part: shown,
      isCut: this.#pending.isCut || (isCut && shown !== undefined),
    };
  }

  /** The current pixels. The raster may be changed in place and returned with `replace`. */
  async pixels(depth: 8 | 16 = this.#workDepth()): Promise<DeepRaster> {
    await this.#settleStages(depth);
    await this.#settleGeometry(depth);
    this.#own(asDepth(this.#raster!, depth));
    return this.#raster!;
  }

  /** Takes ownership of a raster and frees the previous one. */
  #own(raster: DeepRaster): void {
    const before = this.#owned;
    const isInPlace = (one: DeepRaster | undefined) => one?.data.buffer === raster.data.buffer;
    const isBorrowed = before === undefined && isInPlace(this.#raster);
    this.#raster = raster;
    this.#owned = isBorrowed ? undefined : raster;
    if (before && !isInPlace(before)) releaseRaster(before);
  }

  /** @param raster without other users @param added pixels added to the left and at the top */
  replace(raster: DeepRaster, added: { readonly left: number; readonly top: number } = NOTHING): void {
    refuseSize(raster);
    this.#origin = compose(this.#origin, translation(-added.left, -added.top));
    const { width, height } = raster;
    this.#source = undefined;
    this.#own(raster);
    this.#stages = [];
    this.#hasAlpha = hasAlpha(raster);
    this.#pending = { width, height, matrix: IDENTITY, isCut: false };
  }

  async #settleStages(depth: 8 | 16 = this.#workDepth()): Promise<void> {
    if (this.#stages.length === 0) return;
    await this.#settleGeometry(this.#stages.length > 1 ? this.#workDepth() : depth);
    if (this.#stages.length > 0) this.#own(runStages(this.#raster!, this.#stages, depth));
    this.#stages = [];
  }

  /** Applies pending geometry; a background for an opaque image is part of the resampling. */
  async #settleGeometry(depth: 8 | 16): Promise<void> {
    await this.#read();
    if (this.#isSettled()) return;
    const { part } = this.#pending;
    const ground = part && !hasAlpha(this.#raster!) ? this.#stages[0]?.ground : undefined;
    const isMore = this.#stages.length > (ground ? 1 : 0);
    this.#own(carryOut(this.#raster!, { ...this.#pending, ground }, isMore ? this.#workDepth() : depth));
    if (ground) this.#stages.shift();
    const { width, height } = this.#raster!;
    this.#pending = { width, height, matrix: IDENTITY, isCut: false };
  }

  #isSettled(): boolean {
    const { matrix, width, height, part } = this.#pending;
    const raster = this.#raster!;
    return isIdentity(matrix) && part === undefined && width === raster.width && height === raster.height;
  }

  async #read(): Promise<void> {
    if (!this.#source) return;
    const { matrix, part, ...size } = this.#pending;
    const shown = part ?? partOf(matrix, size);
    const shrink = Math.min(shown.width / size.width, shown.height / size.height);
    const isCutOnly = isUpright(matrix) && shrink > 1;
    const { raster, part: whole } = await this.#source.read(isCutOnly ? shrink : 1);
    const [across, down] = [whole.width / this.#source.width, whole.height / this.#source.height];
    const isReduced = across !== 1 || down !== 1;
    const toRaster = compose(translation(whole.left, whole.top), scaling(across, down));
    if (isReduced) this.#pending = { ...this.#pending, matrix: compose(toRaster, matrix) };
    this.#owned = this.#source.isOwned ? raster : undefined;
    this.#source = undefined;
    this.#raster = raster;
  }
}

const NOTHING = { left: 0, top: 0 };
const isIdentity = (matrix: Matrix): boolean =>
  matrix.every((value, at) => Math.abs(value - IDENTITY[at]!) < 1e-9);

export function refuseSize({ width, height }: Size): void {
  if (width < 1 || height < 1) throw invalidOperation(`That leaves ${width} × ${height} px: nothing.`);
  if (width > CANVAS_SIDE_PX_MAX || height > CANVAS_SIDE_PX_MAX || width * height > CANVAS_PIXELS_MAX)
    throw invalidOperation(
      `The operation makes a canvas of ${width} × ${height} px. The limit is ${CANVAS_PIXELS_MAX / 1e6} megapixels and ${CANVAS_SIDE_PX_MAX} px per side.`,
    );
}

function carryOut(
  raster: DeepRaster,
  pending: Pending & { readonly ground: Rgba | undefined },
  depth: 8 | 16,
): DeepRaster {
  const { matrix, width, height, part, ground } = pending;
  if (part === undefined && isUpright(matrix)) return carryOutUpright(raster, pending, depth);
  const shown = part ?? { left: 0, top: 0, width: raster.width, height: raster.height };
  const shrink = shrinkOf(matrix);
  if (shrink <= SHRINK_IN_WARP_MAX)
    return warp(raster, { matrix, size: { width, height }, part: shown, depth, ground });
  // Most of the reduction happens first, so the warp kernel needs fewer taps per pixel.
  const factor = SHRINK_IN_WARP_MAX / shrink;
  const reduced = {
    width: Math.max(1, Math.round(shown.width * factor)),
    height: Math.max(1, Math.round(shown.height * factor)),
  };
  const small = resampleTo(raster, { ...reduced, part: shown, light: 'linear', depth: 16 });
  const toSmall = compose(
    scaling(reduced.width / shown.width, reduced.height / shown.height),
    translation(-shown.left, -shown.top),
  );
  return warp(small, {
    matrix: compose(toSmall, matrix),
    size: { width, height },
    part: { left: 0, top: 0, ...reduced },
    depth,
    ground,
  });
}

/** For stronger reductions, the warp kernel is slower than resampling first. */
const SHRINK_IN_WARP_MAX = 1.5;

/** Minimum pixels of the raster per pixel of an affine result; 1 for a perspective, which has no uniform scale. */
function shrinkOf([a, b, , d, e, , g, h]: Matrix): number {
  return g !== 0 || h !== 0 ? 1 : Math.min(Math.hypot(a, d), Math.hypot(b, e));
}

const NEAR = 1e-6;
const isNear = (one: number, other: number): boolean => Math.abs(one - other) < NEAR;

/** Copies if pixels only change places; otherwise resamples the part, then mirrors or transposes. */
function carryOutUpright(raster: DeepRaster, pending: Pending, depth: 8 | 16): DeepRaster {
  const { matrix, width, height } = pending;
  const part = partOf(matrix, pending);
  const isExchanged = Math.abs(matrix[0]) < NEAR;
  const places = {
    isExchanged,
    isMirroredAcross: (isExchanged ? matrix[1] : matrix[0]) < 0,
    isMirroredDown: (isExchanged ? matrix[3] : matrix[4]) < 0,
  };
  const size = isExchanged ? { width: height, height: width } : { width, height };
  const whole = {
    left: Math.max(0, Math.floor(part.left + NEAR)),
    top: Math.max(0, Math.floor(part.top + NEAR)),
    right: Math.min(raster.width, Math.ceil(part.left + part.width - NEAR)),
    bottom: Math.min(raster.height, Math.ceil(part.top + part.height - NEAR)),
  };
  const cut = {
    left: whole.left,
    top: whole.top,
    width: whole.right - whole.left,
    height: whole.bottom - whole.top,
  };
  const isWhole =
    isNear(part.width, size.width) &&
    isNear(part.height, size.height) &&
    isNear(cut.left, part.left) &&
    isNear(cut.top, part.top);
  if (isWhole) return copyPart(raster, cut, places);
  const source = cut.width === raster.width && cut.height === raster.height ? raster : copyPart(raster, cut);
  const shown = { ...part, left: part.left - cut.left, top: part.top - cut.top };
  const scaled = scaleTo(source, { ...size, part: shown }, depth);
  const isPlain = !isExchanged && !places.isMirroredAcross && !places.isMirroredDown;
  return isPlain
    ? scaled
    : copyPart(scaled, { left: 0, top: 0, width: scaled.width, height: scaled.height }, places);
}

/**
 * Resamples per axis: reductions average in linear light. Enlargements work in gamma, because in linear light the ringing next to dark edges is many
 * times as visible (docs/decisions/0022-resampling-and-output.md).
 */
function scaleTo(
  raster: DeepRaster,
  { part, width, height }: Size & { part: Part },
  depth: 8 | 16,
): DeepRaster {
  if (width <= part.width && height <= part.height)
    return resampleTo(raster, { width, height, part, light: 'linear', depth });
  const within = {
    width: Math.min(Math.ceil(part.width), width),
    height: Math.min(Math.ceil(part.height), height),
  };
  const isReduced = within.width < part.width || within.height < part.height;
  if (!isReduced) return resampleTo(raster, { width, height, part, light: 'gamma', depth });
  const reduced = resampleTo(raster, { ...within, part, light: 'linear', depth: 16 });
  return resampleTo(reduced, { width, height, light: 'gamma', depth });
}
