import type { Box } from '../../preflight/content/matrix.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import { Lexer } from '../../preflight/pdf/lexer.ts';
import {
  Name,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  type Reference,
} from '../../preflight/pdf/values.ts';
import { unlimitedBudget } from '../../preflight/work_budget.ts';
import type { PrintCondition } from '../sheet_file.ts';
import { describeSheet, outputIntent, type PdfSheet } from '../write_pdf.ts';

/** Metadata and printing condition of a print file. */
export type DocumentProperties = Pick<
  PdfSheet,
  'software' | 'title' | 'createdAt' | 'documentId' | 'carried'
> & {
  readonly condition: PrintCondition;
};

export interface DocumentPage {
  readonly media: Box;
  readonly bleed: Box;
  readonly trim: Box;
  readonly resources: PdfDictionary;
  readonly content: string;
}

/**
 * Adds pages to a new PDF/X-4 file (ISO 15930-7): page boxes, CMYK blending space, output intent with its profile, XMP.
 * @returns argument of `NewDocument.write`
 */
export function printDocument(
  made: NewDocument,
  request: DocumentProperties,
  pages: readonly DocumentPage[],
): Parameters<NewDocument['write']>[0] {
  const [root, tree] = [made.reserve(), made.reserve()];
  const { xmp, info } = describeSheet(request);
  const metadata = new Map<string, PdfValue>([
    ['Type', new Name('Metadata')],
    ['Subtype', new Name('XML')],
  ]);
  const profile = made.add(flateStream(new Map([['N', 4]]), request.condition.profile));
  const kids = pages.map((page) => pageObject(made, tree, page));
  made.set(
    tree,
    new Map<string, PdfValue>([
      ['Type', new Name('Pages')],
      ['Kids', kids],
      ['Count', kids.length],
    ]),
  );
  made.set(
    root,
    new Map<string, PdfValue>([
      ['Type', new Name('Catalog')],
      ['Pages', tree],
      ['Metadata', made.add(new PdfStream(metadata, Buffer.from(xmp)))],
      ['OutputIntents', [parsePdfValue(outputIntent(request.condition, profile.number))]],
      ['ViewerPreferences', new Map([['PrintScaling', new Name('None')]])],
    ]),
  );
  const documentId = request.documentId.replaceAll('-', '');
  return { root, info: made.add(parsePdfValue(info)), version: '1.6', documentId };
}

function pageObject(made: NewDocument, tree: Reference, page: DocumentPage): Reference {
  const group = new Map<string, PdfValue>([
    ['S', new Name('Transparency')],
    ['CS', new Name('DeviceCMYK')],
  ]);
  return made.add(
    new Map<string, PdfValue>([
      ['Type', new Name('Page')],
      ['Parent', tree],
      ['MediaBox', boxValues(page.media)],
      ['BleedBox', boxValues(page.bleed)],
      ['TrimBox', boxValues(page.trim)],
      ['Group', group],
      ['Resources', page.resources],
      ['Contents', made.add(flateStream(new Map(), Buffer.from(page.content, 'latin1')))],
    ]),
  );
}

export const boxValues = ({ left, bottom, right, top }: Box): PdfValue[] => [left, bottom, right, top];

/** Parses a value written in PDF syntax. */
export const parsePdfValue = (text: string): PdfValue =>
  new Lexer(Buffer.from(text, 'latin1'), unlimitedBudget()).value() as PdfValue;
