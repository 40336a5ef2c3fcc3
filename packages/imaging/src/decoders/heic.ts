import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import { brokenPicture } from '../codecs/headers/header.ts';
import { EngineError } from '../errors/engine_error.ts';
import { pageIndex, refuseSize } from './bounds.ts';
import { HEIF_DEEP_PIXELS_MAX, HEIF_PIXELS_MAX } from './limits.ts';
import type { CodingPoints, DecodedPicture, DecodeOptions } from './types.ts';
import { compileModule, emscriptenHooks } from './webassembly_modules.ts';

/** Constants of libheif's C interface, libheif 1.23: heif_error.h, heif_image.h. */
const OK = 0;
const UNSUPPORTED_FEATURE = 4;
const COLORSPACE_RGB = 1;
const CHANNEL_INTERLEAVED = 10;
const CHROMA = { rgb: 10, rgba: 11, deepRgb: 14, deepRgba: 15 } as const;

/** Offsets of heif_color_profile_nclx, in bytes. */
const NCLX = { primaries: 4, transfer: 8 } as const;
/** H.273 code points: unspecified, and those of sRGB. */
const UNSPECIFIED = 2;
const SRGB: CodingPoints = { primaries: 1, transfer: 13 };

const MEMORY_WARNING = 'The image has more than 8 bits per sample and is large, so it was decoded at 8 bits.';

/**
 * Decodes an image of a HEIC or HEIF file compressed with HEVC: the primary one or the requested page, with its tiles joined and its rotation
 * applied. Exif orientation does not apply (ISO/IEC 23008-12, 6.5.10).
 */
export async function decodeHeic(
  bytes: Uint8Array,
  { page, resources }: Pick<DecodeOptions, 'page' | 'resources'>,
): Promise<DecodedPicture> {
  const module = compileModule('libheif-js', 'HEIC', resources);
  const open = await importLibheif();
  try {
    const pictures = openHeifFile(open(emscriptenHooks(module)), bytes);
    if (pictures.length === 0) throw brokenPicture('the HEIC has no still picture');
    const primary = Math.max(
      0,
      pictures.findIndex(({ isPrimary }) => isPrimary),
    );
    const picture = pictures[pageIndex(page, pictures.length, primary)]!.decode();
    return { ...picture, pages: pictures.length > 1 ? pictures.length : undefined };
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // After a trap, a C++ exception or out of memory, the instance is not used again.
    throw brokenPicture('the structure or the data of the HEIC is damaged');
  }
}

/** The package's types describe an ES module, but it is CommonJS. */
async function importLibheif(): Promise<(hooks: object) => MainModule> {
  const library: unknown = await import('libheif-js/libheif-wasm/libheif.js');
  return (library as { default: (hooks: object) => MainModule }).default;
}

/** The images of a file. Nothing is freed individually: the instance and its memory end with the file. */
function openHeifFile(lib: MainModule, bytes: Uint8Array) {
  const memory = memoryOf(lib);
  const context = lib._heif_context_alloc();
  const copy = lib._malloc(bytes.length);
  lib.HEAPU8.set(bytes, copy);
  memory.check((error) =>
    lib._heif_context_read_from_memory_without_copy(error, context, copy, bytes.length, 0),
  );

  function pictureOf(handle: number) {
    const size = {
      width: lib._heif_image_handle_get_width(handle),
      height: lib._heif_image_handle_get_height(handle),
    };
    return {
      isPrimary: lib._heif_image_handle_is_primary_image(handle) !== 0,
      decode(): DecodedPicture {
        refuseSize('HEIC', size, HEIF_PIXELS_MAX);
        const isDeep = lib._heif_image_handle_get_luma_bits_per_pixel(handle) > 8;
        const isRoomy = size.width * size.height <= HEIF_DEEP_PIXELS_MAX;
        const chroma = chromaOf(isDeep && isRoomy, lib._heif_image_handle_has_alpha_channel(handle) !== 0);
        const image = memory.result((error, out) =>
          lib._heif_decode_image(error, handle, out, COLORSPACE_RGB, chroma, 0),
        );
        const warnings = isDeep && !isRoomy ? [MEMORY_WARNING] : [];
        const isPremultiplied = lib._heif_image_handle_is_premultiplied_alpha(handle) !== 0;
        const picture = readImage(lib, memory, image, chroma);
        if (isPremultiplied && picture.channels === 4) divideByAlpha(picture.data);
        return { ...picture, ...colorsOf(lib, memory, handle), warnings };
      },
    };
  }

  // Excludes thumbnails, tiles and alpha planes.
  const count = lib._heif_context_get_number_of_top_level_images(context);
  const ids = memory.numbers(count, (at) =>
    lib._heif_context_get_list_of_top_level_image_IDs(context, at, count),
  );
  return ids.map((id) =>
    pictureOf(memory.result((error, out) => lib._heif_context_get_image_handle(error, context, id, out))),
  );
}

function chromaOf(isDeep: boolean, hasAlpha: boolean): number {
  if (isDeep) return hasAlpha ? CHROMA.deepRgba : CHROMA.deepRgb;
  return hasAlpha ? CHROMA.rgba : CHROMA.rgb;
}

function readImage(lib: MainModule, memory: HeifMemory, image: number, chroma: number) {
  const width = lib._heif_image_get_width(image, CHANNEL_INTERLEAVED);
  const height = lib._heif_image_get_height(image, CHANNEL_INTERLEAVED);
  const channels: 3 | 4 = chroma === CHROMA.rgba || chroma === CHROMA.deepRgba ? 4 : 3;
  const isDeep = chroma === CHROMA.deepRgb || chroma === CHROMA.deepRgba;
  let plane = 0;
  const [stride = 0] = memory.numbers(1, (at) => {
    plane = lib._heif_image_get_plane_readonly2(image, CHANNEL_INTERLEAVED, at);
  });
  const rowBytes = width * channels * (isDeep ? 2 : 1);
  const rows = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    const start = plane + row * stride;
    rows.set(lib.HEAPU8.subarray(start, start + rowBytes), row * rowBytes);
  }
  const bits = lib._heif_image_get_bits_per_pixel_range(image, CHANNEL_INTERLEAVED);
  const data = isDeep ? stretch(new Uint16Array(rows.buffer), 2 ** bits - 1) : rows;
  return { width, height, channels, data };
}

/** Scales samples to the full 16-bit range. */
function stretch(samples: Uint16Array, max: number): Uint16Array {
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.round((samples[at]! / max) * 65_535);
  return samples;
}

function colorsOf(lib: MainModule, memory: HeifMemory, handle: number): Pick<DecodedPicture, 'icc' | 'cicp'> {
  const iccBytes = lib._heif_image_handle_get_raw_color_profile_size(handle);
  if (iccBytes > 0)
    return {
      icc: memory.bytes(iccBytes, (at) =>
        memory.check((error) => lib._heif_image_handle_get_raw_color_profile(error, handle, at)),
      ),
    };
  // An error means that there is none.
  const [nclx = 0] = memory.numbers(1, (out) =>
    memory.ignore((error) => lib._heif_image_handle_get_nclx_color_profile(error, handle, out)),
  );
  if (nclx === 0) return {};
  const [primaries, transfer]: [number, number] = [
    lib.HEAPU8[nclx + NCLX.primaries],
    lib.HEAPU8[nclx + NCLX.transfer],
  ];
  const isSrgb =
    [UNSPECIFIED, SRGB.primaries].includes(primaries) && [UNSPECIFIED, SRGB.transfer].includes(transfer);
  return isSrgb ? {} : { cicp: { primaries, transfer } };
}

function divideByAlpha(data: Uint8Array | Uint16Array): void {
  const max = data instanceof Uint16Array ? 65_535 : 255;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!;
    if (alpha === 0 || alpha === max) continue;
    for (let channel = at; channel < at + 3; channel += 1)
      data[channel] = Math.min(max, Math.round((data[channel]! * max) / alpha));
  }
}

type HeifMemory = ReturnType<typeof memoryOf>;

/** Wrappers for C functions that write their results to memory. A heif_error has three 32-bit numbers: code, subcode, message. */
function memoryOf(lib: MainModule) {
  const scratch = lib._malloc(16);
  const numberAt = (at: number): number => new DataView(lib.HEAPU8.buffer).getUint32(at, true);
  /** The bytes that `write` produces. */
  function bytes(count: number, write: (at: number) => void): Uint8Array {
    const at = lib._malloc(count);
    lib.HEAPU8.fill(0, at, at + count);
    write(at);
    // HEAPU8 is read again, because it changes when memory grows.
    const written = lib.HEAPU8.slice(at, at + count) as Uint8Array;
    lib._free(at);
    return written;
  }
  function check(call: (error: number) => void): void {
    call(scratch);
    refuse(numberAt(scratch));
  }
  return {
    bytes,
    check,
    ignore: (call: (error: number) => void): void => call(scratch),
    numbers: (count: number, write: (at: number) => void): number[] => {
      const written = Buffer.from(bytes(4 * count, write));
      return Array.from({ length: count }, (_, index) => written.readUInt32LE(4 * index));
    },
    /** The pointer that a call writes to `out`. */
    result(call: (error: number, out: number) => void): number {
      const out = scratch + 12;
      lib.HEAPU8.fill(0, out, out + 4);
      check((error) => call(error, out));
      return numberAt(out);
    },
  };
}

function refuse(code: number): void {
  if (code === OK) return;
  if (code === UNSUPPORTED_FEATURE)
    throw new EngineError(
      'unsupported_image',
      'The HEIC uses a codec or a feature that is not read. Send the picture as JPEG or PNG.',
    );
  throw brokenPicture('the structure or the data of the HEIC is damaged');
}
