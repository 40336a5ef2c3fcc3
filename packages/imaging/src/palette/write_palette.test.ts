import { expect, test } from 'vitest';
import { writePalette } from './write_palette.ts';

const COLORS = [
  { hex: '#1144aa', rgb: { r: 17, g: 68, b: 170 }, percentage: 60, name: 'cobalt blue' },
  { hex: '#ffcc00', rgb: { r: 255, g: 204, b: 0 }, percentage: 30, name: 'gold' },
  { hex: '#ffcd02', rgb: { r: 255, g: 205, b: 2 }, percentage: 10, name: 'gold' },
];
const text = (file: 'gpl' | 'css' | 'json') => Buffer.from(writePalette(COLORS, file)).toString();

test('css: one custom property per colour with a unique name', () => {
  expect(text('css')).toBe(
    ':root {\n  --cobalt-blue: #1144aa;\n  --gold: #ffcc00;\n  --gold-2: #ffcd02;\n}\n',
  );
});

test('gpl: one row per colour in the GIMP format', () => {
  const rows = text('gpl').split('\n');
  expect(rows[0]).toBe('GIMP Palette');
  expect(rows[4]).toBe(' 17  68 170\tcobalt blue #1144aa');
});

test('json: colours are design tokens', () => {
  expect(JSON.parse(text('json')).palette.gold).toEqual({
    $value: { colorSpace: 'srgb', components: [1, 0.8, 0], hex: '#ffcc00' },
    $description: 'gold, 30% of the picture',
  });
});

test('ase: block lengths are correct, names are UTF-16 and components are 0 to 1', () => {
  const file = Buffer.from(writePalette(COLORS.slice(1, 2), 'ase'));
  expect(file.subarray(0, 12).toString('hex')).toBe('415345460001000000000001');
  // A 30-byte colour block: NUL-terminated "gold", RGB, 1, 0.8, 0, normal.
  expect(file.subarray(12).toString('hex')).toBe(
    `0001${'0000001e'}0005${'0067006f006c00640000'}${'52474220'}3f8000003f4ccccd000000000002`,
  );
});
