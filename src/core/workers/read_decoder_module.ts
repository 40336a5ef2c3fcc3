import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DecoderModule } from '@atelier/imaging/decoders/types.ts';

const FILES: Readonly<Record<DecoderModule, string>> = {
  'libheif-js': 'libheif-js/libheif-wasm/libheif.wasm',
  '@embedpdf/pdfium': '@embedpdf/pdfium/pdfium.wasm',
  '@resvg/resvg-wasm': '@resvg/resvg-wasm/index_bg.wasm',
  '@jsquash/jxl': '@jsquash/jxl/codec/dec/jxl_dec.wasm',
};

/** The decoders are the engines' dependency, so they are looked for from there. */
const ENGINE = import.meta.resolve('@atelier/imaging/decoders/types.ts');

/** The WebAssembly of a decoder from its own package; undefined where an optional one is not installed. */
export function readDecoderModule(name: DecoderModule): Uint8Array<ArrayBuffer> | undefined {
  try {
    return readFileSync(createRequire(ENGINE).resolve(FILES[name]));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
