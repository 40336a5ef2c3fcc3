import type { PdfDocument } from '../pdf/document.ts';
import { END, Lexer } from '../pdf/lexer.ts';
import { Operator, PdfStream, PdfText, type PdfValue } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';

/** Maximum entries of a map: all two-byte codes. */
const CODES_MAX = 65_536;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Reads the characters of a font's codes from the lists and ranges of its ToUnicode map. ISO 32000-1, 9.10.3
 * @returns an empty map if the entry is not a stream
 * @throws WorkBudgetExceeded
 */
export function readToUnicode(document: PdfDocument, value: PdfValue | undefined): Map<number, string> {
  const stream = document.resolve(value);
  const result = new Map<number, string>();
  if (!(stream instanceof PdfStream)) return result;
  const { data } = document.decode(stream, BYTES_MAX);
  const lexer = new Lexer(data, document.work);
  let operands: PdfValue[] = [];
  for (let one = lexer.value(); one !== END && result.size < CODES_MAX; one = lexer.value()) {
    if (!(one instanceof Operator)) {
      operands.push(one);
      continue;
    }
    if (one.text === 'endbfchar') readList(operands, result);
    if (one.text === 'endbfrange') readRanges(document, operands, result);
    operands = [];
  }
  return result;
}

const codeOf = (value: PdfValue | undefined): number | undefined =>
  value instanceof PdfText && value.bytes.length > 0 && value.bytes.length <= 2
    ? value.bytes.reduce((sum, byte) => 256 * sum + byte, 0)
    : undefined;

const textOf = (value: PdfValue | undefined): string | undefined =>
  value instanceof PdfText && value.bytes.length >= 2 && value.bytes.length <= 32
    ? new TextDecoder('utf-16be').decode(value.bytes)
    : undefined;

function readList(operands: readonly PdfValue[], result: Map<number, string>): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [codeOf(operands[at]), textOf(operands[at + 1])];
    if (code !== undefined && text !== undefined) result.set(code, text);
  }
}

function readRanges(document: PdfDocument, operands: readonly PdfValue[], result: Map<number, string>): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [first, last, to] = [codeOf(operands[at]), codeOf(operands[at + 1]), operands[at + 2]];
    if (first === undefined || last === undefined || last < first) continue;
    document.work.spend(COST.member * (last - first + 1));
    const start = textOf(to);
    const list = Array.isArray(to) ? to : undefined;
    for (let code = first; code <= last && result.size < CODES_MAX; code += 1) {
      const text = list ? textOf(list[code - first]) : start && incrementText(start, code - first);
      if (text !== undefined) result.set(code, text);
    }
  }
}

/** Increments the last UTF-16 code unit of a text. */
const incrementText = (text: string, by: number): string =>
  `${text.slice(0, -1)}${String.fromCharCode((text.charCodeAt(text.length - 1) + by) & 0xffff)}`;
