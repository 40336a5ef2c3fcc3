import { readRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type DeepRaster, depthOf } from '../pixels/raster.ts';
import { compareRasters } from '../quality/compare_rasters.ts';
import type { Quality } from '../quality/types.ts';
import { ATTACK_NAMES, type AttackName, type Survival, type Trial } from './attacks.ts';
import { ASPECT_MAX, canonicalFrame } from './canonical_frame.ts';
import {
  type CodedMark,
  codeMark,
  MESSAGE_CHECK_BITS,
  MESSAGE_CLASSES,
  type MessageClass,
  sealMessage,
} from './coded_mark.ts';
import { WATERMARK_ENGINE } from './detect_watermark.ts';
import { CHANCE, findMark } from './find_mark.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import { wholeCells } from './mark_frame.ts';
import { encodePayload } from './payload_code.ts';
import { type Masking, markQuietly } from './quietest_mark.ts';
import { markPixels } from './write_mark.ts';

export interface EmbedRequest {
  readonly bytes: Uint8Array;
  /** 1 to 256 characters of well-formed Unicode. */
  readonly payload: string;
  /** 0.1 to 1; higher values are more robust and more visible. */
  readonly strength: number;
  /** 12 hex digits of the registry id. */
  readonly id: string;
  /** `none`: full strength, even if visible. Default: the weakest watermark that survives the promised edits. */
  readonly masking?: 'none';
}

export interface EmbeddedWatermark {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png';
  readonly width: number;
  readonly height: number;
  /** Length of the coded message, including its checksum. */
  readonly bits: number;
  readonly psnrDb: number;
  /** Visibility of the watermark; the PSNR is measured over all pixels. */
  readonly quality: Quality;
  /** How far the watermark was kept below the visibility thresholds. */
  readonly masking: Masking;
  readonly attacks: Record<AttackName, Survival>;
  /** Visual descriptor of the watermarked image, to detect a watermark copied into another image. */
  readonly likeness: Likeness;
  readonly falsePositiveProbability: number;
  readonly engine: { name: string; version: string };
}

/**
 * Embeds a payload in the luma of an image and returns PNG. Greyscale, 16-bit depth and transparency are preserved. The result is read back and
 * attacked with the public detector; after attacks that keep the geometry, the detector skips the search, so the reported robustness is a lower
 * bound.
 * @param onProgress called after embedding and before each attack
 * @throws EngineError undecodable_image, unsupported_image, image_too_large; unsuitable_image if the image is too small, too narrow or too flat for
 * the payload
 */
export async function embedWatermark(
  request: EmbedRequest,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<EmbeddedWatermark> {
  return embedInRaster(await readRaster(request.bytes), request, onProgress);
}

/** `embedWatermark` for decoded pixels. */
export async function embedInRaster(
  raster: DeepRaster,
  request: Omit<EmbedRequest, 'bytes'>,
  onProgress: (fraction: number, message: string) => void = () => {},
): Promise<EmbeddedWatermark> {
  refuseShape(raster);
  const sealed = sealMessage(encodePayload(request.payload));
  if (!sealed)
    throw new EngineError('unsuitable_image', 'No image can hold this payload. Send a shorter one.');
  const report = reportTrials(onProgress);
  const { marked, masking, trial } = await markQuietly(
    raster,
    { ...request, mark: codeSealed(request.id, sealed) },
    report,
  );
  if (!trial.isReadable()) throw tooLittleRoom(raster, request, sealed);
  const attacks = await surviveAll(trial);
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
    masking,
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

const codeSealed = (id: string, { messageClass, bits }: Sealed): CodedMark =>
  codeMark({ id, messageClass }, bits);

/** Minimum number of attacks: the first watermark written is accepted. */
const TRIALS_LEAST = ATTACK_NAMES.length;

/** Progress of an unknown number of trials: each takes its share of the rest and never reaches 1. */
function reportTrials(onProgress: (fraction: number, message: string) => void): (name: AttackName) => void {
  let tried = 0;
  return (name) => {
    tried += 1;
    onProgress(
      tried / (tried + Math.max(1, TRIALS_LEAST + 1 - tried)),
      `Testing the watermark after ${name}`,
    );
  };
}

async function surviveAll(trial: Trial): Promise<Record<AttackName, Survival>> {
  const survivals: [AttackName, Survival][] = [];
  for (const name of ATTACK_NAMES) survivals.push([name, await trial.survivalAfter(name)]);
  return Object.fromEntries(survivals) as Record<AttackName, Survival>;
}

/** Reported if nothing differs. */
const PSNR_DB_MAX = 99;

/** No watermark survives on a shorter side below this. */
const SIDE_PX_MIN = 128;

function refuseShape({ width, height }: DeepRaster): void {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < SIDE_PX_MIN)
    throw new EngineError(
      'unsuitable_image',
      `The image has ${width} × ${height} pixels. A watermark needs at least ${SIDE_PX_MIN} on the shorter side. Send a larger image.`,
    );
  if (longer > ASPECT_MAX * shorter)
    throw new EngineError(
      'unsuitable_image',
      `The image has ${width} × ${height} pixels. A watermark needs an aspect ratio of at most ${ASPECT_MAX} to 1. Cut the image into shorter pieces.`,
    );
}

/** Random letters or digits take this much; plain sentences half. */
const BITS_PER_CHARACTER = 6.6;

/** Builds the error for a payload that does not fit: tries shorter messages until one can be read back, and names that length. */
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
    const marked = markPixels(raster, codeSealed(request.id, sealed), request.strength).raster;
    if (findMark(canonicalFrame(marked), false)?.message) low = index;
    else high = index;
  }
  const most =
    low < 0 ? 0 : Math.floor((MESSAGE_CLASSES[low]!.bits - MESSAGE_CHECK_BITS) / BITS_PER_CHARACTER);
  const advice =
    most > 0
      ? `About ${most} letters or digits would fit at this strength. Send a shorter payload, a higher strength, or a larger or more textured image.`
      : 'No payload fits at this strength. Send a higher strength, or a larger or more textured image.';
  const clear = clearShare(raster);
  const hint =
    clear > CLEAR_SHARE_NAMED
      ? ` ${Math.round(100 * clear)}% of the image is transparent and cannot hold a watermark: trim its transparent margins, place it on a background, or watermark the image before removing the background.`
      : '';
  return new EngineError(
    'unsuitable_image',
    `The image is too small or too flat for this payload. ${advice}${hint}`,
  );
}

/** Below this share, transparency is not the cause. */
const CLEAR_SHARE_NAMED = 0.3;

/** Share of fully transparent pixels, 0 to 1. */
function clearShare({ data, channels }: DeepRaster): number {
  if (channels % 2 === 1) return 0;
  let clear = 0;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] === 0) clear += 1;
  return (clear * channels) / data.length;
}

export async function encodePng(raster: DeepRaster): Promise<Uint8Array> {
  const png = writePng({ ...raster, depth: depthOf(raster) });
  await png.rows(raster.data);
  return Buffer.concat(await png.finish());
}
