import type { PdfDocument } from '../pdf/document.ts';
import { Name, nameOf, type PdfDictionary, type PdfValue } from '../pdf/values.ts';
import { characterOf } from './glyph_names.ts';

/** Characters by single-byte code. */
export type CodeCharacters = ReadonlyMap<number, string>;

/** StandardEncoding from code 161; a space means undefined. ISO 32000-1, annex D.2 */
const STANDARD_HIGH =
  "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß";
const ASCII = [33, 126] as const;

const ascii = (): Map<number, string> => {
  const result = new Map([[32, ' ']]);
  for (let code = ASCII[0]; code <= ASCII[1]; code += 1) result.set(code, String.fromCharCode(code));
  return result;
};

function standard(): CodeCharacters {
  const result = ascii().set(0x27, '’').set(0x60, '‘');
  for (const [at, character] of [...STANDARD_HIGH].entries())
    if (character !== ' ') result.set(161 + at, character);
  return result;
}

/** Code page 1252, with bullets for undefined codes. ISO 32000-1, annex D.2, footnotes 3 to 5 */
function winAnsi(): CodeCharacters {
  const decoder = new TextDecoder('windows-1252');
  const result = ascii();
  for (let code = 127; code < 256; code += 1) {
    const character = decoder.decode(Uint8Array.of(code));
    result.set(code, character.charCodeAt(0) < 160 ? '•' : character);
  }
  return result.set(0xa0, ' ').set(0xad, '-');
}

/** Mac OS Roman, with the currency sign that the euro sign later replaced. ISO 32000-1, annex D.2 */
function macRoman(): CodeCharacters {
  const decoder = new TextDecoder('macintosh');
  const result = ascii();
  for (let code = 128; code < 256; code += 1) result.set(code, decoder.decode(Uint8Array.of(code)));
  return result.set(0xca, ' ').set(0xdb, '¤');
}

const ENCODINGS: Readonly<Record<string, () => CodeCharacters>> = {
  StandardEncoding: standard,
  WinAnsiEncoding: winAnsi,
  MacRomanEncoding: macRoman,
};

/**
 * Returns the characters of the codes of a simple font that is not embedded. ISO 32000-1, 9.6.6
 * @param encoding Encoding entry of the font: a name, or a dictionary with differences
 */
export function simpleEncoding(document: PdfDocument, encoding: PdfValue | undefined): Map<number, string> {
  const found = document.resolve(encoding);
  const dictionary = document.dictionary(found);
  const name = nameOf(found) ?? nameOf(document.get(dictionary, 'BaseEncoding')) ?? 'StandardEncoding';
  const base = Object.hasOwn(ENCODINGS, name) ? ENCODINGS[name]! : standard;
  const result = new Map(base());
  if (dictionary) applyDifferences(document, dictionary, result);
  return result;
}

function applyDifferences(
  document: PdfDocument,
  dictionary: PdfDictionary,
  result: Map<number, string>,
): void {
  let code = 0;
  for (const member of document.list(dictionary.get('Differences'))) {
    const value = document.resolve(member);
    if (typeof value === 'number') code = value;
    if (!(value instanceof Name)) continue;
    const character = characterOf(value.text);
    if (character === undefined) result.delete(code);
    else if (code >= 0 && code < 256) result.set(code, character);
    code += 1;
  }
}
