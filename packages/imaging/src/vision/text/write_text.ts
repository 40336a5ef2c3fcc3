import type { Size } from '../../pixels/plane.ts';
import type { Paragraph } from './layout_text.ts';
import type { TextLine } from './text_line.ts';

/** Output formats of read text. */
export const TEXT_FORMATS = ['lines', 'text', 'markdown', 'hocr'] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** Joins the lines of a row, such as the cells of a table. */
const rowText = (row: readonly TextLine[]): string => row.map(({ text }) => text).join('  ');

/** One line of text per row, an empty line between paragraphs. */
export const plainText = (paragraphs: readonly Paragraph[]): string =>
  paragraphs.map(({ rows }) => rows.map(rowText).join('\n')).join('\n\n');

/** Large text becomes headings; Markdown characters are escaped, so that text from an image cannot inject formatting. */
export const markdownText = (paragraphs: readonly Paragraph[]): string =>
  paragraphs
    .map(({ rows, heading }) => {
      const texts = rows.map((row) => escapedMarkdown(rowText(row)));
      return heading > 0 ? `${'#'.repeat(heading)} ${texts.join(' ')}` : texts.join('  \n');
    })
    .join('\n\n');

const escapedMarkdown = (text: string): string =>
  text
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/^(\s*)([#+\-=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');

/** hOCR 1.2 (https://kba.github.io/hocr-spec/1.2/): pages, paragraphs and lines with their boxes in pixels and confidence in percent. */
export function hocrText(paragraphs: readonly Paragraph[], { width, height }: Size): string {
  const boxText = ({ x, y, width: wide, height: high }: TextLine): string =>
    [x * width, y * height, (x + wide) * width, (y + high) * height].map(Math.round).join(' ');
  const lineText = (line: TextLine): string =>
    `<span class="ocr_line" title="bbox ${boxText(line)}; x_wconf ${Math.round(100 * line.confidence)}">${escapedHtml(line.text)}</span>`;
  const body = paragraphs.map(
    ({ rows }) => `<p class="ocr_par">\n${rows.flat().map(lineText).join('\n')}\n</p>`,
  );
  return `<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml">
<head><meta charset="utf-8"/><title></title><meta name="ocr-system" content="Atelier"/><meta name="ocr-capabilities" content="ocr_page ocr_par ocr_line"/></head>
<body><div class="ocr_page" title="bbox 0 0 ${width} ${height}">
${body.join('\n')}
</div></body>
</html>
`;
}

const escapedHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
