import type { DeepRaster } from '../pixels/raster.ts';
import { linearToSrgb } from '../pixels/srgb_transfer.ts';

/** warp.wat, assembled; a test compares it with its source. */
export const WARP_WASM_B64 =
  'AGFzbQEAAAABFQJgCX9/fHx8fH9/fwBgBX9/f39/AAIQAQR3YXJwBm1lbW9yeQIAAQMEAwABAQcfAwZzYW1wbGUAAAdlbmNvZGU4AAEIZW5jb2RlMTYAAgrgCAODBAMGfwJ8BXsDQCACIAm3IASioCEPIAMgCbcgBaKgIRAgD/wCIQogEPwCIQsgBkQAAAAAAADgP0QAAAAAAACQQCAPIAq3oaKg/AJBBHRqIQwgBkQAAAAAAADgP0QAAAAAAACQQCAQIAu3oaKg/AJBBHRqIQ0gACABIAtBAWtsIApBAWtBBHRqaiEOIAz9CQIAIRIgDP0JAgQhEyAM/QkCCCEUIAz9CQIMIRX9DAAAAAAAAAAAAAAAAAAAAAAhESARIA39CQIAIBIgDv0ABAD95gEgEyAO/QAEEP3mAf3kASAUIA79AAQg/eYBIBUgDv0ABDD95gH95AH95AH95gH95AEhESAOIAFqIQ4gESAN/QkCBCASIA79AAQA/eYBIBMgDv0ABBD95gH95AEgFCAO/QAEIP3mASAVIA79AAQw/eYB/eQB/eQB/eYB/eQBIREgDiABaiEOIBEgDf0JAgggEiAO/QAEAP3mASATIA79AAQQ/eYB/eQBIBQgDv0ABCD95gEgFSAO/QAEMP3mAf3kAf3kAf3mAf3kASERIA4gAWohDiARIA39CQIMIBIgDv0ABAD95gEgEyAO/QAEEP3mAf3kASAUIA79AAQg/eYBIBUgDv0ABDD95gH95AH95AH95gH95AEhESAHIBH9CwQAIAdBEGohByAJQQFqIgkgCEgNAAsL+wEDAX8BfQN7IAAgAUEEdGohBQNAIAD9AAQAIQcgB/0fAyEG/QwAAAAAAAAAAAAAAAAAAAAA/QwA/39HAP9/RwD/f0cA/39HIAdDAP9/R0MA/39HIAaVQwAAAAAgBkMAAAAAXhsgBkNy+X8/Xhv9E/3mAf3qAf3rASEI/QwAAAA/AAAAPwAAAD8AAAA/IAj95AH9+AEhCSADIAIgCf0bAGotAAA6AAAgAyACIAn9GwFqLQAAOgABIAMgAiAJ/RsCai0AADoAAiADQwAAAD9DAAB/Q0MAAAAAQwAAgD8gBpaXlJL8AToAAyADIARqIQMgAEEQaiIAIAVJDQALC9sCAwJ/An0EeyAAIAFBBHRqIQUDQCAA/QAEACEJIAn9HwMhB/0MAAAAAAAAAAAAAAAAAAAAAP0MAP9/RwD/f0cA/39HAP9/RyAJQwD/f0dDAP9/RyAHlUMAAAAAIAdDAAAAAF4bIAdDcvl/P14b/RP95gH96gH96wEhCiAK/fgBIQsgCiAL/foB/eUBIQwgAiAL/RsAQQJ0aiEGIAYqAgAhCCADQwAAAD8gCCAM/R8AIAYqAgQgCJOUkpL8ATsBACACIAv9GwFBAnRqIQYgBioCACEIIANDAAAAPyAIIAz9HwEgBioCBCAIk5SSkvwBOwECIAIgC/0bAkECdGohBiAGKgIAIQggA0MAAAA/IAggDP0fAiAGKgIEIAiTlJKS/AE7AQQgA0MAAAA/QwD/f0dDAAAAAEMAAIA/IAeWl5SS/AE7AQYgAyAEQQF0aiEDIABBEGoiACAFSQ0ACws=';

interface Kernel {
  sample(
    light: number,
    stride: number,
    x: number,
    y: number,
    dx: number,
    dy: number,
    weights: number,
    pixels: number,
    count: number,
  ): void;
  encode8(pixels: number, count: number, table: number, samples: number, channels: number): void;
  encode16(pixels: number, count: number, table: number, samples: number, channels: number): void;
}

const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;
const PIXEL_BYTES = 4 * FLOAT_BYTES;
const STEPS = 65_535;
/** Number of subpixel phases with precomputed weights: a 16-bit sample of a steep edge is off by less than one level of 255. */
const PHASES = 1024;

/** Cubic convolution with a = −1/2. Robert Keys, 1981. */
export function keys(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
  return x < 2 ? ((2.5 - 0.5 * x) * x - 4) * x + 2 : 0;
}

/** Addresses in the memory of the kernel; the tile follows them. */
const WEIGHTS = 0;
const ENCODED_8 = WEIGHTS + 4 * (PHASES + 1) * FLOAT_BYTES;
const ENCODED_16 = ENCODED_8 + PAGE_BYTES;
const PIXELS = ENCODED_16 + (STEPS + 2) * FLOAT_BYTES + 12;
/** Maximum pixels per call. */
export const ROW_PX_MAX = 96;
const SAMPLES = PIXELS + ROW_PX_MAX * PIXEL_BYTES;
const LIGHT = SAMPLES + ROW_PX_MAX * PIXEL_BYTES;

interface Opened {
  readonly memory: WebAssembly.Memory;
  readonly kernel: Kernel;
  /** Samples of a row, as 8 and 16 bits. */
  readonly bytes: Uint8Array;
  readonly words: Uint16Array;
}

let opened: Opened | undefined;

function openKernel(): Opened {
  if (opened) return opened;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(LIGHT / PAGE_BYTES) });
  const module = new WebAssembly.Module(Buffer.from(WARP_WASM_B64, 'base64'));
  const { exports } = new WebAssembly.Instance(module, { warp: { memory } });
  const { buffer } = memory;
  // Four weights per phase, with a sum of 1.
  new Float32Array(buffer, WEIGHTS, 4 * (PHASES + 1)).set(
    Float32Array.from({ length: 4 * (PHASES + 1) }, (_, at) => keys((at >> 2) / PHASES + 1 - (at & 3))),
  );
  const encoded = Float64Array.from({ length: STEPS + 2 }, (_, step) =>
    linearToSrgb(Math.min(1, step / STEPS)),
  );
  new Uint8Array(buffer, ENCODED_8, STEPS + 1).set(encoded.subarray(0, STEPS + 1).map(Math.round));
  new Float32Array(buffer, ENCODED_16, STEPS + 2).set(encoded.map((value) => (value / 255) * STEPS));
  opened = { memory, kernel: exports as unknown as Kernel, ...viewsOf(buffer) };
  return opened;
}

const viewsOf = (buffer: ArrayBuffer) => ({
  bytes: new Uint8Array(buffer, SAMPLES, ROW_PX_MAX * PIXEL_BYTES),
  words: new Uint16Array(buffer, SAMPLES, 4 * ROW_PX_MAX),
});

/** A buffer for a tile in linear light, in the memory of the kernel. Each call invalidates the previous buffer. */
export function lightBuffer(pixels: number): Float32Array {
  const known = openKernel();
  const { memory } = known;
  const missing = LIGHT + pixels * PIXEL_BYTES - memory.buffer.byteLength;
  if (missing > 0) {
    memory.grow(Math.ceil(missing / PAGE_BYTES));
    opened = { ...known, ...viewsOf(memory.buffer) };
  }
  return new Float32Array(memory.buffer, LIGHT, 4 * pixels);
}

export interface RowOfPlaces {
  /** Pixels per row of the tile. */
  readonly width: number;
  /** Position of the first pixel, in pixels of the tile from its first centre; all positions are at least 1 and less than 2 from its ends. */
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  /** At most ROW_PX_MAX. */
  readonly count: number;
}

/**
 * Cubic convolution of the tile in `lightBuffer`, at positions along a row, as samples in the depth of the result: RGBA, or RGB of an opaque result.
 * @param to index of the first sample in `data`
 */
export function sampleRow(
  { width, x, y, dx, dy, count }: RowOfPlaces,
  { data, channels }: Pick<DeepRaster, 'data' | 'channels'>,
  to: number,
): void {
  const { kernel, bytes, words } = openKernel();
  kernel.sample(LIGHT, width * PIXEL_BYTES, x, y, dx, dy, WEIGHTS, PIXELS, count);
  if (data instanceof Uint8Array) {
    kernel.encode8(PIXELS, count, ENCODED_8, SAMPLES, channels);
    data.set(bytes.subarray(0, channels * count), to);
  } else {
    kernel.encode16(PIXELS, count, ENCODED_16, SAMPLES, channels);
    data.set(words.subarray(0, channels * count), to);
  }
}
