import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import type { Rgba } from '../color/css_color.ts';
import type { DecoderResources } from '../decoders/types.ts';
import { EngineError } from '../errors/engine_error.ts';
import { type DeepRaster, largestSample } from '../pixels/raster.ts';
import { CONTRAST_MIN, contrastOf, type QrPlan } from './draw_qr.ts';

/** Pixels per module that the decoder receives: a camera can move as close as it needs. */
export const SHOWN_MODULE_PX = 4;
const WHITE: Rgba = [1, 1, 1, 1];

interface ShownQr {
  readonly text: string;
  readonly plan: Pick<QrPlan, 'color' | 'background' | 'facts'>;
  /** Colour behind transparent pixels. Default: white. */
  readonly ground?: Rgba | undefined;
}

/**
 * Verifies that a QR code decodes to its text.
 * @param raster the code alone or on its image, RGB or RGBA
 * @returns the end of a sentence that says why decoding failed, and a fix; undefined if the code decodes
 */
export async function whyUnreadable(
  raster: DeepRaster,
  { text, plan, ground = WHITE }: ShownQr,
  { readModule }: Pick<DecoderResources, 'readModule'>,
): Promise<string | undefined> {
  prepare(readModule);
  const [code] = await readBarcodes(enlarged(raster, plan.facts.modulePx, ground), {
    formats: ['QRCode'],
    tryDownscale: false,
    maxNumberOfSymbols: 1,
  });
  if (code && (code.text === text || Buffer.from(code.bytes).equals(Buffer.from(text)))) return undefined;
  const contrast = contrastOf(plan.color, plan.background);
  if (contrast < CONTRAST_MIN || plan.background[3] < 1 || plan.color[3] < 1)
    return `in these colours. Send color "black" and background "white": scanners need a contrast of ${CONTRAST_MIN} or more${plan.background[3] === 1 ? `, and this one is ${contrast.toFixed(1)}` : ''}.`;
  return `on what surrounds it. Send quiet_zone 4, and a place where all of it is visible.`;
}

let isPrepared = false;

/** Loads the WebAssembly module, which the library would otherwise download. @throws EngineError unsupported_image */
function prepare(readModule: DecoderResources['readModule']): void {
  if (isPrepared) return;
  const wasmBinary = readModule('zxing-wasm');
  if (!wasmBinary) throw new EngineError('unsupported_image', 'No QR decoder is available.');
  prepareZXingModule({ overrides: { wasmBinary: wasmBinary.slice().buffer } });
  isPrepared = true;
}

/** 8-bit pixels flattened onto `ground`, each repeated until a module is large enough. */
function enlarged(raster: DeepRaster, modulePx: number, ground: Rgba) {
  const { width, height, channels, data } = raster;
  const times = Math.max(1, Math.ceil(SHOWN_MODULE_PX / modulePx));
  const whole = largestSample(raster);
  const shown = new Uint8ClampedArray(4 * width * times * height * times);
  const pixels = new Uint32Array(shown.buffer);
  const pixel = new Uint8ClampedArray(4);
  const packed = new Uint32Array(pixel.buffer);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * channels;
      const alpha = channels === 4 ? data[at + 3]! / whole : 1;
      for (let channel = 0; channel < 3; channel += 1)
        pixel[channel] = 255 * (alpha * (data[at + channel]! / whole) + (1 - alpha) * ground[channel]!);
      pixel[3] = 255;
      for (let row = 0; row < times; row += 1) {
        const start = ((y * times + row) * width + x) * times;
        pixels.fill(packed[0]!, start, start + times);
      }
    }
  return { width: width * times, height: height * times, data: shown, colorSpace: 'srgb' as const };
}
