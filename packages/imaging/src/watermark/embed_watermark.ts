import { readRaster } from '../codecs/read_raster.ts';
import { writePng } from '../codecs/write_png.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import { depthOf } from '../pixels/raster.ts';
import { compareRasters } from '../quality/compare_rasters.ts';
import type { Quality } from '../quality/contract.ts';
import { ATTACKS, type AttackName, MOVING, prepareForAttacks } from './attacks.ts';
import { ASPECT_MAX, canonicalFrame } from './canonical_frame.ts';
import { codeMark } from './coded_mark.ts';
import { readWatermark } from './detect_watermark.ts';
import { CHANCE, findMark } from './find_mark.ts';
import { type Likeness, likenessOf } from './likeness.ts';
import { wholeCells } from './mark_frame.ts';
import { type MarkedPixels, markPixels } from './mark_pixels.ts';
import { MESSAGE_CHECK_BITS, MESSAGE_CLASSES, type MessageClass, sealMessage } from './message_class.ts';
import { encodePayload } from './payload_code.ts';
import { WATERMARK_ENGINE } from './watermark_engine.ts';

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
  /** What the marked picture looks like, so that a copy of the mark in another one is told. */
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

/** What is told where nothing differs. */
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
  return new EngineError(
    'unsuitable_image',
    `The picture is too small or too flat for this payload. ${advice}`,
  );
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
