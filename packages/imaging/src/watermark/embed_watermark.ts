import type { Sharp } from 'sharp';
import { decodeRaster, readRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { writePng } from '../codecs/write_png.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Plane } from '../pixels/plane.ts';
import { type DeepRaster, depthOf, largestSample } from '../pixels/raster.ts';
import { compareRasters } from '../quality/compare_rasters.ts';
import type { Quality } from '../quality/types.ts';
import { ASPECT_MAX, addChange, canonicalFrame, frameSize } from './canonical_frame.ts';
import {
  type CodedMark,
  codeMark,
  MESSAGE_CHECK_BITS,
  MESSAGE_CLASSES,
  type MessageClass,
  sealMessage,
} from './coded_mark.ts';
import { readWatermark, WATERMARK_ENGINE } from './detect_watermark.ts';
import { CHANCE, findMark } from './find_mark.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import { type Budget, findMissing, type MarkPlan, planMark, wholeCells } from './mark_frame.ts';
import { encodePayload } from './payload_code.ts';
import { sampledSimilarity } from './sampled_similarity.ts';

interface MarkedPixels {
  readonly raster: DeepRaster;
  /** Peak signal to noise ratio over all colours. */
  readonly psnrDb: number;
}

/**
 * A mark is read again and mended where a picture has fewer pixels than this for one of the frame, which rounding and
 * resampling then disturb, or where more than this share of its samples could not be changed because they are black or white.
 */
const MENDED_PIXELS = 1.5;
const MENDED_SHARE = 0.02;

/**
 * How many times its budget a mark may really take before it is written again with less: what a change costs is foreseen from the
 * frame, which is too little for large pictures that are smooth in themselves and for very dark ones. Rounding alone takes a tenth
 * more of the mean square; the loss is estimated from samples.
 */
const OVERRUN_MAX = { meanSquare: 1.15, similarityLoss: 1.04 };
const WRITINGS_MAX = 3;
/** Samples tell up to a tenth too little where a picture loses much in few places, as those do that are written again. */
const REWRITING_MARGIN = 1.08;

/** Writes a mark into a picture; the picture given is left as it is. */
export function markPixels(raster: DeepRaster, mark: CodedMark, strength: number): MarkedPixels {
  const frame = wholeCells(canonicalFrame(raster));
  const budget = budgetFor(raster, strength);
  for (let share = 1, writings = 1; ; writings++) {
    const { data, squares } = write(raster, planMark(frame, mark, cut(budget, share)));
    const marked = { ...raster, data };
    const meanSquare = (squares / colorsOf(raster)) * (255 / largestSample(raster)) ** 2;
    const loss = 1 - sampledSimilarity(raster, marked);
    const squareOverrun = meanSquare / budget.meanSquare;
    const lossOverrun = loss / budget.similarityLoss;
    const isWithin = squareOverrun <= OVERRUN_MAX.meanSquare && lossOverrun <= OVERRUN_MAX.similarityLoss;
    if (isWithin || writings === WRITINGS_MAX)
      return { raster: marked, psnrDb: 10 * Math.log10(255 ** 2 / meanSquare) };
    share /= REWRITING_MARGIN * Math.max(squareOverrun, lossOverrun);
  }
}

const cut = (budget: Budget, share: number): Budget => ({
  ...budget,
  meanSquare: share * budget.meanSquare,
  similarityLoss: share * budget.similarityLoss,
});

function write(raster: DeepRaster, plan: MarkPlan): Pick<DeepRaster, 'data'> & { squares: number } {
  const { length } = raster.data;
  const data = depthOf(raster) === 16 ? new Uint16Array(length) : new Uint8Array(length);
  const size = frameSize(raster);
  const change = padToFrame(plan.change, size);
  const written = addChange(raster, change, data);
  const isSmall = raster.width * raster.height < MENDED_PIXELS ** 2 * size.width * size.height;
  if (!isSmall && written.clipped <= MENDED_SHARE * length) return { data, squares: written.squares };
  const missing = findMissing(plan, wholeCells(canonicalFrame({ ...raster, data })));
  for (let y = 0; y < missing.height; y++)
    for (let x = 0; x < missing.width; x++)
      change.data[y * size.width + x]! += missing.data[y * missing.width + x]!;
  return { data, squares: addChange(raster, change, data).squares };
}

/** Samples that are not opacity. */
const colorsOf = ({ channels, data }: DeepRaster): number =>
  data.length * (channels % 2 === 0 ? 1 - 1 / channels : 1);

/** A plane of whole cells in the full frame, which may be some pixels wider or higher. */
function padToFrame(cells: Plane, { width, height }: { width: number; height: number }): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0; y < cells.height; y++)
    data.set(cells.data.subarray(y * cells.width, (y + 1) * cells.width), y * width);
  return { width, height, data };
}

/** Decibels at strengths 0.1, 0.5 and 1. */
const PSNR_DB = [47.3, 42.7, 39.3] as const;
const SIMILARITY_LOSS = [0.008, 0.022, 0.05] as const;
/** Middle of the mark's band, in cycles per pixel of the frame. */
const BAND = 0.1;
/** Standard deviation of the window of SSIM, in pixels. */
const WINDOW_PX = 1.5;

function budgetFor({ width, height }: DeepRaster, strength: number): Budget {
  const interpolate = ([low, middle, high]: readonly [number, number, number]) =>
    strength < 0.5
      ? low + ((strength - 0.1) / 0.4) * (middle - low)
      : middle + ((strength - 0.5) / 0.5) * (high - middle);
  const turns = 2 * Math.PI * WINDOW_PX * BAND * (512 / Math.min(width, height));
  return {
    meanSquare: 255 ** 2 / 10 ** (interpolate(PSNR_DB) / 10),
    similarityLoss: interpolate(SIMILARITY_LOSS),
    windowShare: 1 - Math.exp(-turns * turns),
  };
}

/** What pictures go through, done to one picture: each answers what became of it, on white and in 8 bits. */
const ATTACKS = {
  jpeg_75: (raster) => recodePicture(sharpOf(raster).jpeg({ quality: 75 })),
  jpeg_50: (raster) => recodePicture(sharpOf(raster).jpeg({ quality: 50 })),
  webp_80: (raster) => recodePicture(sharpOf(raster).webp({ quality: 80, effort: 2 })),
  webp_50: (raster) => recodePicture(sharpOf(raster).webp({ quality: 50, effort: 2 })),
  resize_50: (raster) => pixelsOf(sharpOf(raster).resize(half(raster))),
  crop_10: (raster) => pixelsOf(sharpOf(raster).extract(part(raster, 0.9))),
  crop_25_jpeg_75: (raster) =>
    recodePicture(sharpOf(raster).extract(part(raster, 0.75)).jpeg({ quality: 75 })),
  brightness_20: (raster) => pixelsOf(sharpOf(raster).linear(1.2, 0)),
  blur_1: (raster) => pixelsOf(sharpOf(raster).blur(1)),
  rotate_2: (raster) => pixelsOf(sharpOf(raster).rotate(2, { background: '#ffffff' })),
  avif_50: (raster) => recodePicture(sharpOf(raster).avif({ quality: 50, effort: 2 })),
  screenshot_75: (raster) => pixelsOf(onScreen(raster)),
  crop_to_quarter: (raster) => pixelsOf(sharpOf(raster).extract(part(raster, 0.5))),
} as const satisfies Record<string, (raster: DeepRaster) => Promise<DeepRaster>>;

type AttackName = keyof typeof ATTACKS;

/** After these the mark does not lie where it was written, and must be searched. */
const MOVING: ReadonlySet<AttackName> = new Set<AttackName>([
  'crop_10',
  'crop_25_jpeg_75',
  'rotate_2',
  'screenshot_75',
  'crop_to_quarter',
]);

/** Larger pictures are attacked at this size, so that the time it takes is bounded. */
const ATTACKED_PIXELS_MAX = 3_000_000;

/** The picture attacks begin with: laid on white, 8 bits, and not larger than the bound. */
async function prepareForAttacks(raster: DeepRaster): Promise<DeepRaster> {
  const { width, height, channels, data } = raster;
  const scale = Math.min(1, Math.sqrt(ATTACKED_PIXELS_MAX / (width * height)));
  if (scale === 1 && channels === 3 && data instanceof Uint8Array) return raster;
  const picture = sharp(eightBits(raster), { raw: { width, height, channels } })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)), { fit: 'fill' });
  return pixelsOf(picture);
}

const eightBits = ({ data: samples }: DeepRaster): Uint8Array =>
  samples instanceof Uint16Array ? Uint8Array.from(samples, (sample) => Math.round(sample / 257)) : samples;

const sharpOf = ({ width, height, channels, data: samples }: DeepRaster): Sharp =>
  sharp(samples, { raw: { width, height, channels } });

const half = ({ width }: DeepRaster) => ({ width: Math.max(1, Math.round(width / 2)) });

/** A part with `share` of each side, not in the middle. */
function part({ width, height }: DeepRaster, share: number) {
  const [wide, high] = [Math.round(width * share), Math.round(height * share)];
  return {
    left: Math.floor((width - wide) * 0.37),
    top: Math.floor((height - high) * 0.61),
    width: wide,
    height: high,
  };
}

/** Three quarters as large, in the middle of a window with grey margins. */
function onScreen({ width, height, ...raster }: DeepRaster): Sharp {
  const [wide, high] = [Math.round(width * 0.75), Math.round(height * 0.75)];
  const [beside, above] = [Math.round(wide * 0.12), Math.round(high * 0.08)];
  return sharpOf({ width, height, ...raster })
    .resize(wide, high, { fit: 'fill' })
    .extend({ left: beside, right: beside, top: above, bottom: above, background: '#e8e8e8' });
}

const recodePicture = async (picture: Sharp): Promise<DeepRaster> =>
  pixelsOf(sharp(await picture.toBuffer()));

const pixelsOf = (picture: Sharp): Promise<DeepRaster> => decodeRaster(picture.toColourspace('srgb'));

export interface EmbedRequest {
  readonly bytes: Uint8Array;
  /** 1 to 256 characters of well-formed Unicode. */
  readonly payload: string;
  /** 0.1 to 1; more is more robust and more visible. */
  readonly strength: number;
  /** 12 hex digits the payload is registered by. */
  readonly id: string;
}

/** What can still be read after an attack: the payload, only the id, or nothing. */
export type Survival = 'payload' | 'id' | 'lost';

export interface EmbeddedWatermark {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** Length of the message as it is coded, its checksum included. */
  readonly bits: number;
  readonly psnrDb: number;
  /** How visible the mark is; PSNR is that of every pixel. */
  readonly quality: Quality;
  readonly attacks: Record<AttackName, Survival>;
  /** Visual descriptor of the watermarked image, to detect a watermark copied into another image. */
  readonly likeness: Likeness;
  readonly falsePositiveProbability: number;
  readonly engine: { name: string; version: string };
}

/**
 * Hides a payload in the brightness of a picture and writes it as PNG: grey stays grey, 16 bits stay 16 bits, transparency
 * stays. The result is then read back, and attacked, by the same detector everybody uses;
 * where an attack moves nothing it looks in place alone, so what is found is the least that is left.
 * @param onProgress after the mark is written and after every attack
 * @throws EngineError undecodable_image, unsupported_image, image_too_large; unsuitable_image where the picture is too
 *   small, too narrow or too flat for the payload
 */
export async function embedWatermark(
  request: EmbedRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<EmbeddedWatermark> {
  return embedInRaster(await readRaster(request.bytes), request, onProgress);
}

/** `embedWatermark` in pixels that are decoded already. */
export async function embedInRaster(
  raster: DeepRaster,
  request: Omit<EmbedRequest, 'bytes'>,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<EmbeddedWatermark> {
  refuseShape(raster);
  const sealed = sealMessage(encodePayload(request.payload));
  if (!sealed)
    throw new EngineError('unsuitable_image', 'No picture holds this payload. Send a shorter one.');
  const marked = markWith(raster, request, sealed);
  if (readWatermark(marked.raster, false).payload !== request.payload)
    throw tooLittleRoom(raster, request, sealed);
  const attacks = await attackAll(marked.raster, request, onProgress);
  const { width, height } = raster;
  const psnrDb = Number(marked.psnrDb.toFixed(2));
  return {
    bytes: await encodePng(marked.raster),
    contentType: 'image/png',
    width,
    height,
    bits: sealed.messageClass.bits,
    psnrDb,
    quality: {
      compared_at: 'source_size',
      ...compareRasters(raster, marked.raster),
      psnr_db: Math.min(PSNR_DB_MAX, psnrDb),
    },
    attacks,
    likeness: likenessOf(wholeCells(canonicalFrame(marked.raster))),
    falsePositiveProbability: CHANCE.payload,
    engine: WATERMARK_ENGINE,
  };
}

interface Sealed {
  readonly messageClass: MessageClass;
  readonly bits: Uint8Array;
}

function markWith(
  raster: DeepRaster,
  { id, strength }: Omit<EmbedRequest, 'bytes'>,
  { messageClass, bits }: Sealed,
): MarkedPixels {
  return markPixels(raster, codeMark({ id, messageClass }, bits), strength);
}

/** The result where nothing differs. */
const PSNR_DB_MAX = 99;

/** Shorter sides hold no mark that would survive anything. */
const SIDE_PX_MIN = 128;

function refuseShape({ width, height }: DeepRaster): void {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < SIDE_PX_MIN)
    throw new EngineError(
      'unsuitable_image',
      `The picture is ${width} × ${height} pixels; a watermark needs at least ${SIDE_PX_MIN} on the shorter side. Send a larger one.`,
    );
  if (longer > ASPECT_MAX * shorter)
    throw new EngineError(
      'unsuitable_image',
      `The picture is ${width} × ${height} pixels; a watermark needs a shape of at most ${ASPECT_MAX} to 1. Cut it into shorter pieces.`,
    );
}

/** Letters or digits at random take this much; plain sentences half. */
const BITS_PER_CHARACTER = 6.6;

/** Tries shorter messages until one can be read back, to say what would fit. */
function tooLittleRoom(
  raster: DeepRaster,
  request: Omit<EmbedRequest, 'bytes'>,
  { messageClass }: Sealed,
): EngineError {
  let [low, high] = [-1, messageClass.index];
  while (high - low > 1) {
    const index = (low + high) >> 1;
    const room = MESSAGE_CLASSES[index]!.bits - MESSAGE_CHECK_BITS;
    const sealed = sealMessage(new Uint8Array(room).map((_, at) => (at * 5) & (at >> 3) & 1))!;
    const marked = markWith(raster, request, sealed).raster;
    if (findMark(canonicalFrame(marked), false)?.message) low = index;
    else high = index;
  }
  const most =
    low < 0 ? 0 : Math.floor((MESSAGE_CLASSES[low]!.bits - MESSAGE_CHECK_BITS) / BITS_PER_CHARACTER);
  const advice =
    most > 0
      ? `About ${most} letters or digits would fit at this strength; send fewer, a higher strength, or a larger or busier picture.`
      : 'Nothing fits at this strength: send a higher strength, or a larger or busier picture.';
  const clear = clearShare(raster);
  const hint =
    clear > CLEAR_SHARE_NAMED
      ? ` ${Math.round(100 * clear)}% of the picture is transparent and holds no mark: trim its transparent margins first, lay it on a background, or mark the picture before the background is removed.`
      : '';
  return new EngineError(
    'unsuitable_image',
    `The picture is too small or too flat for this payload. ${advice}${hint}`,
  );
}

/** Below it, transparency is not what is in the way. */
const CLEAR_SHARE_NAMED = 0.3;

/** Share of the pixels that are fully transparent, 0 to 1. */
function clearShare({ data, channels }: DeepRaster): number {
  if (channels % 2 === 1) return 0;
  let clear = 0;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] === 0) clear += 1;
  return (clear * channels) / data.length;
}

async function attackAll(
  raster: DeepRaster,
  { payload, id }: Omit<EmbedRequest, 'bytes'>,
  onProgress: (fraction: number, message: string) => void,
): Promise<Record<AttackName, Survival>> {
  const picture = await prepareForAttacks(raster);
  const names = Object.keys(ATTACKS) as AttackName[];
  const survivals: [AttackName, Survival][] = [];
  for (const name of names) {
    onProgress((survivals.length + 1) / (names.length + 1), `Reading it back after ${name}`);
    const found = readWatermark(await ATTACKS[name](picture), MOVING.has(name));
    const survived = found.payload === payload ? 'payload' : found.id === id ? 'id' : 'lost';
    survivals.push([name, survived]);
  }
  return Object.fromEntries(survivals) as Record<AttackName, Survival>;
}

export async function encodePng(raster: DeepRaster): Promise<Uint8Array> {
  const png = writePng({ ...raster, depth: depthOf(raster) });
  await png.rows(raster.data);
  return Buffer.concat(await png.finish());
}
