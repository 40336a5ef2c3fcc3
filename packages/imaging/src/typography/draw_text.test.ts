import { expect, test } from 'vitest';
import { textResources } from '../../../../tests/support/text_resources.ts';
import type { Rgba } from '../color/css_color.ts';
import { drawText, type TextWish } from './draw_text.ts';
import { setText } from './set_text.ts';

const canvas = { width: 800, height: 400 };
const box = { x: 0, y: 0, width: 800, height: 400 };
const set = (text: string, wish: Partial<TextWish> = {}) =>
  setText({ text, box, size: 40, ...wish }, textResources.readFont);
const draw = (text: string, wish: Partial<TextWish> = {}) =>
  drawText({ text, box, size: 40, ...wish }, canvas, textResources);
const lines = (text: string, wish?: Partial<TextWish>) => set(text, wish).lines.map((line) => line.text);

const SCRIPTS: readonly (readonly [string, string])[] = [
  ['Größe ẞ Łódź', 'Inter'],
  ['Καλημέρα', 'Inter'],
  ['Съешь ещё', 'Inter'],
  ['مرحبا', 'Noto Sans Arabic'],
  ['שלום', 'Noto Sans Hebrew'],
  ['नमस्ते', 'Noto Sans Devanagari'],
  ['ওহে বিশ্ব', 'Noto Sans Bengali'],
  ['வணக்கம்', 'Noto Sans Tamil'],
  ['สวัสดี', 'Noto Sans Thai'],
  ['こんにちは世界', 'Sawarabi Gothic'],
  ['안녕하세요', 'Gowun Dodum'],
  ['你好世界', 'ZCOOL XiaoWei'],
  // One of these characters is missing in the first font.
  ['日本語', 'Sawarabi Gothic'],
  ['👩‍👩‍👧‍👦 🇩🇪 ❤️', 'Noto Color Emoji'],
];

test.each(SCRIPTS)('%s is set in %s with no missing glyphs', async (text, family) => {
  const { facts, raster } = await draw(text);
  expect(facts).toMatchObject({ missingGlyphs: [], overflows: false, lines: [text] });
  expect(facts.fonts).toContain(family);
  expect(raster!.data.some((sample) => sample > 0)).toBe(true);
});

test('Arabic letters use joined forms', () => {
  const alone = set('ب').lines[0]!.glyphs.map(({ id }) => id);
  const joined = set('ببب').lines[0]!.glyphs.map(({ id }) => id);
  expect(new Set([...alone, ...joined]).size).toBeGreaterThan(alone.length + 2);
});

test('Hebrew starts on the right with mirrored brackets', () => {
  const [line] = set('שלום (abc)').lines;
  expect(line).toMatchObject({ isRtl: true, left: 800 - line!.width });
  const [plain] = set('(abc)').lines;
  const last = line!.glyphs.toSorted((one, other) => one.x - other.x)[0]!;
  expect(last.id).toBe(plain!.glyphs[0]!.id);
});

test('a right-to-left override affects only its own line', () => {
  const text = set('abc\u202edef\nghi');
  expect(text.missingGlyphs).toEqual([]);
  expect(text.lines[1]).toEqual({ ...set('ghi').lines[0], baseline: text.lines[1]!.baseline });
});

test('lines wrap at the box width, never before a full stop', () => {
  expect(lines('one two three', { box: { ...box, width: 170 } })).toEqual(['one two', 'three']);
  const japanese = lines('日本語です。日本語です。日本語です。', { box: { ...box, width: 205 } });
  expect(japanese.every((line) => !line.startsWith('。'))).toBe(true);
});

test('Thai wraps between words without spaces', () => {
  expect(lines('สวัสดีชาวโลกภาษาไทย', { box: { ...box, width: 230 }, language: 'th' })).toEqual([
    'สวัสดีชาวโลก',
    'ภาษาไทย',
  ]);
});

test('a word longer than the line breaks between letters and reports overflow', () => {
  const text = set('incomprehensibilities', { box: { ...box, width: 200 } });
  expect(text.lines.length).toBeGreaterThan(2);
  expect(text.overflows).toBe(true);
});

test('fitted text is as large as the box permits', () => {
  const words = { font: 'Inter', box: { ...box, width: 500, height: 300 } };
  const { size, overflows } = set('Sale ends on Sunday', { ...words, size: undefined });
  expect(overflows).toBe(false);
  expect(set('Sale ends on Sunday', { ...words, size: size * 1.02 }).overflows).toBe(true);
});

test('tracking adds letter spacing, except in Arabic', () => {
  expect(set('abc', { tracking: 0.5 }).bounds.width - set('abc').bounds.width).toBeCloseTo(40, 5);
  expect(set('مرحبا', { tracking: 0.5 }).bounds.width).toBeCloseTo(set('مرحبا').bounds.width, 5);
});

test('leading sets the distance between baselines', () => {
  const [first, second] = set('a\nb', { leading: 2 }).lines;
  expect(second!.baseline - first!.baseline).toBe(80);
});

test('alignment positions the text block in its box', () => {
  const { bounds } = set('abc', { align: 'center', valign: 'bottom' });
  expect(bounds.x + bounds.width / 2).toBeCloseTo(400, 5);
  expect(bounds.y + bounds.height).toBeCloseTo(400, 5);
});

test('characters missing from all fonts are reported', () => {
  expect(set('abc ꦄ').missingGlyphs).toEqual(['ꦄ']);
});

test('an unavailable font family is substituted, and an unknown one is rejected with the list', () => {
  expect(set('a', { font: 'Times New Roman' })).toMatchObject({
    families: ['Playfair Display'],
    replacedFont: 'Times New Roman',
  });
  expect(() => set('a', { font: 'Wingdings 7' })).toThrow(/Inter, Manrope/);
});

test.each([
  ['x'.repeat(10_000), /10000 characters. The limit is 5000/],
  [' \n ', /empty/],
])('text that cannot be set is rejected', (text, message) => {
  expect(() => set(text)).toThrow(message);
});

const RED: Rgba = [1, 0, 0, 1];
const BLUE: Rgba = [0, 0, 1, 1];

test('an outline is drawn behind the letters and extends by its width', async () => {
  const plain = await draw('I', { box: { ...box, x: 100, y: 100 }, color: RED });
  const outlined = await draw('I', {
    box: { ...box, x: 100, y: 100 },
    color: RED,
    stroke: { color: BLUE, width: 6 },
  });
  expect(plain.left - outlined.left).toBe(6);
  const count = ({ raster }: typeof plain, channel: number) =>
    raster!.data.filter((sample, at) => at % 4 === channel && sample === 255).length;
  const [whole, red] = [count(plain, 3), count(outlined, 0)];
  expect(red).toBe(whole);
  expect(count(outlined, 2)).toBeGreaterThan(whole);
});

test('text rotated by 90° swaps width and height', async () => {
  const square = { x: 200, y: 0, width: 400, height: 400 };
  const [level, turned] = await Promise.all(
    [0, 90].map((rotate) => draw('Rotation', { box: square, rotate, align: 'center', valign: 'middle' })),
  );
  expect(Math.abs(turned!.raster!.height - level!.raster!.width)).toBeLessThanOrEqual(1);
});

test('text outside the canvas is not drawn', async () => {
  expect((await draw('a', { box: { ...box, x: 2000 } })).raster).toBeUndefined();
});
