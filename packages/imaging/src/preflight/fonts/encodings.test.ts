import { expect, test } from 'vitest';
import { PdfDocument } from '../pdf/document.ts';
import { Name, type PdfValue } from '../pdf/values.ts';
import { unlimitedBudget } from '../work_budget.ts';
import { simpleEncoding } from './encodings.ts';

const document = new PdfDocument(
  Buffer.from('%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>'),
  unlimitedBudget(),
);
const encoded = (encoding: PdfValue | undefined, codes: readonly number[]) => {
  const characters = simpleEncoding(document, encoding);
  return codes.map((code) => characters.get(code));
};

// ISO 32000-1, annex D.2
test('a font without an encoding uses StandardEncoding', () => {
  const codes = [0x27, 0x60, 0xa1, 0xae, 0xb0, 0xb4, 0xbf, 0xc0, 0xcf, 0xd0, 0xe1, 0xe8, 0xf5, 0xfb];
  expect(encoded(undefined, codes)).toEqual([...'’‘¡ﬁ', undefined, ...'·¿', undefined, ...'ˇ—ÆŁıß']);
});

test.each([
  ['WinAnsiEncoding', [0x80, 0x95, 0x81, 0xa0, 0xad, 0xff], [...'€•• -ÿ']],
  ['MacRomanEncoding', [0x80, 0xca, 0xdb, 0xde], [...'Ä ¤ﬁ']],
])('%s maps codes to characters', (name, codes, characters) => {
  expect(encoded(new Name(name), codes)).toEqual(characters);
});

test('Differences replace consecutive codes', () => {
  const differences = new Map<string, PdfValue>([
    ['BaseEncoding', new Name('WinAnsiEncoding')],
    ['Differences', [65, new Name('eacute'), new Name('g1'), 200, new Name('Euro')]],
  ]);
  expect(encoded(differences, [65, 66, 67, 200])).toEqual(['é', undefined, 'C', '€']);
});
