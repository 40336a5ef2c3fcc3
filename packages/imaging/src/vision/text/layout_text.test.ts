import { expect, test } from 'vitest';
import { layoutText } from './layout_text.ts';
import type { TextLine } from './text_line.ts';
import { hocrText, markdownText, plainText } from './write_text.ts';

const SIZE = { width: 1000, height: 1000 };
const line = (text: string, x: number, y: number, width = 300, height = 20): TextLine => ({
  text,
  confidence: 0.95,
  x: x / 1000,
  y: y / 1000,
  width: width / 1000,
  height: height / 1000,
});
const read = (...lines: TextLine[]) => plainText(layoutText(lines, SIZE));

test('lines are sorted and grouped into paragraphs', () => {
  const lines = [line('third', 50, 200), line('second', 50, 128), line('first', 50, 100)];
  expect(read(...lines)).toBe('first\nsecond\n\nthird');
});

test('prose columns are read in order below their title', () => {
  const column = (name: string, x: number) =>
    [0, 1, 2].map((row) => line(`${name}${row}`, x, 200 + 30 * row));
  const text = read(...column('b', 500), line('title', 50, 50, 800, 60), ...column('a', 50));
  expect(text).toBe('title\n\na0\na1\na2\n\nb0\nb1\nb2');
});

test('a table is read row by row', () => {
  const cells = [0, 1, 2].flatMap((row) => [
    line(`n${row}`, 50, 100 + 28 * row, 60),
    line(`v${row}`, 500, 102 + 28 * row, 60),
  ]);
  expect(read(...cells)).toBe('n0  v0\nn1  v1\nn2  v2');
});

test('large text becomes a Markdown heading, and Markdown characters are escaped', () => {
  const paragraphs = layoutText(
    [
      line('Sale', 50, 50, 400, 60),
      line('# 5 *new* <b>', 50, 300),
      line('1. one', 50, 400),
      line('plain', 50, 500),
    ],
    SIZE,
  );
  expect(markdownText(paragraphs)).toBe('# Sale\n\n\\# 5 \\*new\\* \\<b\\>\n\n1\\. one\n\nplain');
});

test('hOCR has boxes in pixels and HTML-escaped text', () => {
  const html = hocrText(layoutText([line('<script>', 50, 100)], SIZE), SIZE);
  expect(html).toContain('title="bbox 50 100 350 120; x_wconf 95">&lt;script&gt;</span>');
});

test('no lines yield empty text', () => {
  expect(read()).toBe('');
});
