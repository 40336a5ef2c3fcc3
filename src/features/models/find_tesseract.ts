import { createRequire } from 'node:module';
import type { TesseractLanguage } from '../../core/workers/open_tesseract.ts';

/** Languages of Tesseract by ISO 639-1. */
const TESSERACT_CODES: Readonly<Record<string, string>> = {
  ar: 'ara',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  he: 'heb',
  hi: 'hin',
  hu: 'hun',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  nl: 'nld',
  no: 'nor',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sv: 'swe',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  vi: 'vie',
};

const { resolve } = createRequire(import.meta.url);

/**
 * A language whose packages the operator has installed.
 * @param language as ISO 639-1
 * @returns undefined where one of its packages is missing
 */
export function findTesseract(
  language: string,
  pathOf: (file: string) => string = resolve,
): TesseractLanguage | undefined {
  const code = Object.hasOwn(TESSERACT_CODES, language) ? TESSERACT_CODES[language]! : undefined;
  if (code === undefined) return undefined;
  try {
    return {
      code,
      dataPath: pathOf(`@tesseract.js-data/${code}/4.0.0_best_int/${code}.traineddata.gz`),
      corePath: pathOf('tesseract.js-core/tesseract-core-simd-lstm'),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
