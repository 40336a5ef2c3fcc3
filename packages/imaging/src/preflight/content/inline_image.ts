import { END, type Lexer } from '../pdf/lexer.ts';
import { Name, Operator, type PdfDictionary, PdfStream } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';

const ENTRIES_MAX = 32;

/**
 * Reads an inline image after its `BI` operator. ISO 32000-1, 8.9.7
 * @param lengthOf length of the data in bytes, if the dictionary determines it; otherwise the data end at a separate
 * `EI`
 */
export function inlineImage(
  lexer: Lexer,
  lengthOf: (dictionary: PdfDictionary) => number | undefined,
): PdfStream | undefined {
  const dictionary: PdfDictionary = new Map();
  for (let entries = 0; entries <= ENTRIES_MAX; entries += 1) {
    const key = lexer.value();
    if (key instanceof Operator && key.text === 'ID') {
      const start = lexer.at + 1;
      const end = endOf(lexer, start + (lengthOf(dictionary) ?? 0));
      if (end === undefined) return undefined;
      lexer.at = end.after;
      return new PdfStream(dictionary, lexer.bytes.subarray(start, Math.max(start, end.at)));
    }
    const value = lexer.value();
    if (!(key instanceof Name) || value === END) return undefined;
    dictionary.set(key.text, value);
  }
  return undefined;
}

/** Finds the next `EI` between white space. @throws WorkBudgetExceeded */
function endOf({ bytes, work }: Lexer, from: number): { at: number; after: number } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let searched = from; ; ) {
    const at = buffer.indexOf('EI', searched, 'latin1');
    work.spend(COST.search + COST.byteSearched * Math.max(0, (at < 0 ? bytes.length : at) - searched));
    if (at < 0) return undefined;
    if (isWhite(bytes[at - 1]) && isWhite(bytes[at + 2] ?? 0x20)) return { at: at - 1, after: at + 2 };
    searched = at + 1;
  }
}

const isWhite = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0;
