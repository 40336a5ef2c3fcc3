import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DecoderModule, DecoderResources } from '@atelier/imaging/decoders/types.ts';

const MODULES: Readonly<Record<DecoderModule, string>> = {
  'libheif-js': 'libheif-js/libheif-wasm/libheif.wasm',
  '@embedpdf/pdfium': '@embedpdf/pdfium/pdfium.wasm',
  '@resvg/resvg-wasm': '@resvg/resvg-wasm/index_bg.wasm',
  '@jsquash/jxl': '@jsquash/jxl/codec/dec/jxl_dec.wasm',
  harfbuzzjs: 'harfbuzzjs/dist/harfbuzz-subset.wasm',
  'zxing-wasm': 'zxing-wasm/reader/zxing_reader.wasm',
};
/** Manrope (OFL-1.1): Latin, Greek and Cyrillic in two weights. */
const FONTS = ['latin', 'latin-ext', 'greek', 'cyrillic'].flatMap((script) =>
  [400, 700].map((weight) => `@fontsource/manrope/files/manrope-${script}-${weight}-normal.woff2`),
);

const require = createRequire(import.meta.url);
/** Resolved from the engines, because the decoders are their dependency. */
const requireOfEngines = createRequire(import.meta.resolve('@atelier/imaging/decoders/types.ts'));
let fonts: readonly Uint8Array[] | undefined;

/** Files for the decoders, which open none themselves. */
export const DECODER_RESOURCES: DecoderResources = {
  readModule(name) {
    try {
      return readFileSync(requireOfEngines.resolve(MODULES[name]));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
      throw error;
    }
  },
  readFonts() {
    fonts ??= FONTS.map((path) => readFileSync(require.resolve(path)));
    return fonts;
  },
};
