import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { writePng } from '@atelier/imaging/codecs/write_png.ts';
import { cleanLine } from '@atelier/imaging/vision/text/decode_characters.ts';
import type { TextReader } from '@atelier/imaging/vision/text/read_text.ts';
import { STRIP_HEIGHT_PX, type Strip } from '@atelier/imaging/vision/text/straighten.ts';

/** A Tesseract language, from packages that the operator installed. */
export interface TesseractLanguage {
  /** Tesseract's language code: deu. */
  readonly code: string;
  /** Path of the compressed language data. */
  readonly dataPath: string;
  /** Path of the engine, tesseract.js-core. */
  readonly corePath: string;
}

/** The used part of the tesseract.js-core API; the package has no types. */
interface TesseractCore {
  readonly FS: { writeFile(path: string, data: Uint8Array): void };
  readonly TessBaseAPI: new () => {
    Init(path: null, languages: string, mode: number): number;
    SetVariable(name: string, value: string): void;
    SetImageFile(exif: number, angle: number): number;
    Recognize(monitor: null): void;
    GetUTF8Text(): string;
    MeanTextConf(): number;
  };
}
/** Tesseract constants: the LSTM engine, and a page that is a single line. */
const LSTM_ONLY = 1;
const SINGLE_LINE = '7';
/** White margin around a line in pixels, which Tesseract needs. */
const MARGIN_PX = 12;
/** Input file in the virtual file system of tesseract.js-core. */
const INPUT = '/input';
/** Limit of unpacked language data: trained languages have a few megabytes. */
const DATA_BYTES_MAX = 64 * 1024 * 1024;

const require = createRequire(import.meta.url);
const open = new Map<string, TextReader['readLine']>();

/**
 * Recognises lines with Tesseract in WebAssembly, which stays open in this process. It opens no connection and writes no file.
 * @throws Error if the package is damaged
 */
export async function openTesseract({
  code,
  dataPath,
  corePath,
}: TesseractLanguage): Promise<TextReader['readLine']> {
  const known = open.get(code);
  if (known) return known;
  const start = require(corePath) as (options: object) => Promise<TesseractCore>;
  const core = await start({ print() {}, printErr() {} });
  const data = gunzipSync(readFileSync(dataPath), { maxOutputLength: DATA_BYTES_MAX });
  core.FS.writeFile(`${code}.traineddata`, data);
  const api = new core.TessBaseAPI();
  if (api.Init(null, code, LSTM_ONLY) !== 0) throw new Error(`Tesseract cannot open the language ${code}.`);
  api.SetVariable('tessedit_pageseg_mode', SINGLE_LINE);
  const readLine: TextReader['readLine'] = async (strip) => {
    core.FS.writeFile(INPUT, await pngOf(strip));
    if (api.SetImageFile(1, 0) === 1) return { text: '', confidence: 0, unsure: 0 };
    api.Recognize(null);
    const text = cleanLine(api.GetUTF8Text());
    return { text, confidence: text === '' ? 0 : Math.max(0, api.MeanTextConf()) / 100, unsure: 0 };
  };
  open.set(code, readLine);
  return readLine;
}

/** The line in greyscale, dark on light, with a margin in the colour of its border. */
async function pngOf({ data, width, inkWidth }: Strip): Promise<Uint8Array> {
  const [wide, high] = [inkWidth + 2 * MARGIN_PX, STRIP_HEIGHT_PX + 2 * MARGIN_PX];
  const grey = (x: number, y: number): number => {
    const column = Math.min(inkWidth - 1, Math.max(0, x - MARGIN_PX));
    const row = Math.min(STRIP_HEIGHT_PX - 1, Math.max(0, y - MARGIN_PX));
    let sum = 0;
    for (let plane = 0; plane < 3; plane++) sum += data[(plane * STRIP_HEIGHT_PX + row) * width + column]!;
    return 127.5 * (1 + sum / 3);
  };
  const samples = Uint8Array.from({ length: wide * high }, (_, at) => grey(at % wide, Math.floor(at / wide)));
  const rim = samples.filter((_, at) => at < wide);
  const isLightOnDark =
    rim.reduce((sum, value) => sum + value, 0) / rim.length <
    samples.reduce((sum, value) => sum + value, 0) / samples.length;
  if (isLightOnDark) for (const [at, value] of samples.entries()) samples[at] = 255 - value;
  const png = writePng({ width: wide, height: high, channels: 1, depth: 8 });
  await png.rows(samples);
  return Buffer.concat(await png.finish());
}
