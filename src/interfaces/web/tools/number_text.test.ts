import { expect, test } from 'vitest';
import { numberText } from './result_html.ts';

test.each([
  ['psnr_db', 41.97, '42 dB'],
  ['false_positive_probability', 3.1377e-11, '3 in 100 billion'],
  ['chance_match', 2e-60, 'less than 1 in a trillion'],
  ['chance', 0.004, '4 in 1,000'],
  ['chance', 0.05, '5%'],
  ['confidence', 0.9999999, 'more than 99.9%'],
  ['confidence', 1, '100%'],
  ['similarity', 0.953125, '95.3%'],
  ['size_bytes', 2_246_228, '2.2 MB'],
  ['width', 1280, '1,280'],
  ['year_from', 1889, '1889'],
  ['ratio', 1.33333, '1.333'],
])('%s %s is formatted as "%s"', (name, value, text) => {
  expect(numberText(name, value)).toBe(text);
});
