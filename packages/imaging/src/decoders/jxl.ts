import { brokenPicture } from '../codecs/headers/header.ts';
import type { Size } from '../pixels/plane.ts';
import { refuseSize, withinFile } from './bounds.ts';
import { findBox } from './heif_boxes.ts';
import { JXL_PIXELS_MAX } from './limits.ts';
import type { DecodedPicture, DecodeOptions } from './types.ts';
import { compileModule, emscriptenHooks, withoutProcessListeners } from './webassembly_modules.ts';

interface JxlLibrary {
  /** RGBA in sRGB, upright; null for unreadable files. */
  decode(
    bytes: Uint8Array,
  ): { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number } | null;
}

const CONTAINER_TYPE = 'JXL ';
const CODESTREAM = 0xff0a;
/** Aspect ratios by index. ISO/IEC 18181-1, table of AspectRatio. */
const RATIOS = [undefined, [1, 1], [12, 10], [4, 3], [3, 2], [16, 9], [5, 4], [2, 1]] as const;
const LENGTHS = [9, 13, 18, 30];

/** Decodes a JPEG XL in 8 bits, converted to sRGB; of an animation, one frame. */
export async function decodeJxl(
  bytes: Uint8Array,
  { resources }: Pick<DecodeOptions, 'resources'>,
): Promise<DecodedPicture> {
  refuseSize('JPEG XL', jxlSize(bytes), JXL_PIXELS_MAX);
  const module = compileModule('@jsquash/jxl', 'JPEG XL', resources);
  // The library constructs its result with a browser class.
  Object.assign(globalThis, { ImageData: PlainImageData });
  const { default: open } = await import('@jsquash/jxl/codec/dec/jxl_dec.js');
  const library = await withoutProcessListeners(
    () => open(emscriptenHooks(module) as object) as unknown as Promise<JxlLibrary>,
  );
  const picture = decodeWith(library, bytes);
  if (!picture) throw brokenPicture('the JPEG XL is damaged or cut off');
  const { width, height, data } = picture;
  return {
    width,
    height,
    channels: 4,
    data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength),
    warnings: [],
  };
}

function decodeWith(library: JxlLibrary, bytes: Uint8Array): ReturnType<JxlLibrary['decode']> {
  try {
    return library.decode(bytes);
  } catch {
    // After a trap or out of memory, the instance is not used again.
    return null;
  }
}

class PlainImageData {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}

/**
 * Size from the header of the codestream, before orientation. Source: ISO/IEC 18181-1, SizeHeader.
 * @throws EngineError undecodable_image
 */
export function jxlSize(bytes: Uint8Array): Size {
  return withinFile('JPEG XL', bytes, (file) => {
    const read = bitReader(codestreamOf(file));
    const isSmall = read(1) === 1;
    const side = () => (isSmall ? 8 * (read(5) + 1) : 1 + read(LENGTHS[read(2)]!));
    const height = side();
    const ratio = RATIOS[read(3)];
    const width = ratio ? Math.floor((height * ratio[0]) / ratio[1]) : side();
    return { width, height };
  });
}

/** The codestream after its two marker bytes: the whole file, or in one or several boxes of a container. */
function codestreamOf(file: Buffer): Buffer {
  const isContainer = file.length > 12 && file.toString('latin1', 4, 8) === CONTAINER_TYPE;
  // A partial box starts with its index.
  const stream = isContainer ? (findBox(file, 'jxlc') ?? findBox(file, 'jxlp')?.subarray(4)) : file;
  if (!stream || stream.readUInt16BE(0) !== CODESTREAM) throw brokenPicture('the JPEG XL has no codestream');
  return stream.subarray(2);
}

/** Reads bits from the least significant one of each byte. */
function bitReader(bytes: Buffer): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1)
      value += ((bytes.readUInt8(at >> 3) >> (at & 7)) & 1) * 2 ** bit;
    return value;
  };
}
