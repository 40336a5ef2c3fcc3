import { expect, test } from 'vitest';
import { sizeOfWork } from './size_in_words.ts';

test.each([
  ['31 5/8 x 26 1/2 in. (80.3 x 67.3 cm)', { height_cm: 80.3, width_cm: 67.3 }],
  ['H. 15 3/16 in. (38.6 cm)\nW. 10 7/16 in. (26.5 cm)', { height_cm: 38.6, width_cm: 26.5 }],
  ['H.: 60 cm (23 5/8 in.)', { height_cm: 60 }],
  ['Diam. 12 in. (30.5 cm); H. 4 in. (10.2 cm)', { height_cm: 10.2, diameter_cm: 30.5 }],
  [
    'Mounted: 117.7 x 43.5 cm (46 5/16 x 17 1/8 in.); Painting: 41 x 31.6 cm (16 1/8 x 12 7/16 in.)',
    { height_cm: 41, width_cm: 31.6 },
  ],
  [
    'Framed: 178.5 x 133.5 x 12 cm (70 1/4 x 52 9/16 x 4 3/4 in.)',
    { height_cm: 178.5, width_cm: 133.5, depth_cm: 12 },
  ],
  ['overall (maximum measurement): 20.6 x 13 cm (8 1/8 x 5 1/8 in.)', { height_cm: 20.6, width_cm: 13 }],
  ['hoogte 379,5 cm × breedte 453,5 cm', { height_cm: 379.5, width_cm: 453.5 }],
  ['370 x 535 mm', { height_cm: 37, width_cm: 53.5 }],
  ['15½ x 10 in.', { height_cm: 39.37, width_cm: 25.4 }],
  ['8 x 10 in.', { height_cm: 20.32, width_cm: 25.4 }],
  ['1/2 x 3/4 in.', { height_cm: 1.27, width_cm: 1.91 }],
  ['Hauteur : 135 cm ; Largeur : 2 m', { height_cm: 135, width_cm: 200 }],
  ['', undefined],
  ['Weight: 12 oz.', undefined],
  ['dimensions unknown (see file 12-34)', undefined],
  ['0 x 0 cm', undefined],
])('dimensions are read from %j', (dimensions, size) => {
  expect(sizeOfWork(dimensions)).toEqual(size);
});

test('hostile text yields no dimensions and no slow parsing', () => {
  for (const part of ['1 x ', 'h. ', '1/', '9'.repeat(50), 'h1x1', '(in. ('])
    expect(sizeOfWork(part.repeat(1000))).toBeUndefined();
});
