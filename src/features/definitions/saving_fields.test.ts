import { expect, test } from 'vitest';
import { z } from 'zod';
import { coerceInput } from '../../pipeline/coerce_input.ts';
import { qualityReading, savedFormatField, savingFields } from './saving_fields.ts';

const schema = z.object({ format: savedFormatField(), ...savingFields });
const read = (sent: object) => schema.parse(coerceInput(schema, { format: 'png', ...sent }).sent);

test.each([
  ['200 kB', 200_000],
  ['200KB', 200_000],
  ['1.5 MB', 1_500_000],
  ['512 KiB', 524_288],
  ['300000', 300_000],
  ['900 bytes', 900],
])('max_bytes %j is parsed as %i bytes', (sent, bytes) => {
  expect(read({ max_bytes: sent }).max_bytes).toBe(bytes);
});

test.each(['max_size', 'max_file_size', 'target_size'])('%s is an alias of max_bytes', (name) => {
  expect(read({ [name]: 50_000 }).max_bytes).toBe(50_000);
});

test.each(['10 bytes', 'small', '-3', '5 TB', ''])('max_bytes %j is rejected', (sent) => {
  const { success, data } = schema.safeParse(coerceInput(schema, { format: 'png', max_bytes: sent }).sent);
  expect(success && data.max_bytes !== undefined).toBe(false);
});

test.each([
  ['JPG', 'jpeg'],
  ['.tif', 'tiff'],
  ['image/x-icon', 'ico'],
  ['favicon', 'ico'],
  ['Animated GIF', 'gif'],
  ['image/webp', 'webp'],
])('format %j is an alias of %s', (sent, format) => {
  expect(read({ format: sent }).format).toBe(format);
});

test('a quality given as a fraction or percentage is parsed', () => {
  expect([qualityReading(0.8), qualityReading('75 %'), qualityReading('good')]).toEqual([80, 75, undefined]);
});
