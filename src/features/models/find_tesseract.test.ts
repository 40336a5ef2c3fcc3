import { expect, test } from 'vitest';
import { findTesseract } from './find_tesseract.ts';

const missing = (): never => {
  throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
};

test('a language is found through its installed packages', () => {
  expect(findTesseract('de', (file) => `/packages/${file}`)).toEqual({
    code: 'deu',
    dataPath: '/packages/@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz',
    corePath: '/packages/tesseract.js-core/tesseract-core-simd-lstm',
  });
});

test.each(['de', 'tlh', 'constructor', '../../secret'])(
  '%s is unavailable without its packages',
  (language) => {
    expect(findTesseract(language, missing)).toBeUndefined();
  },
);
