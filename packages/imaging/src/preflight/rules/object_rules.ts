import type { PdfDocument } from '../pdf/document.ts';
import { fullFilterName } from '../pdf/filters.ts';
import { nameOf, type PdfDictionary, PdfStream } from '../pdf/values.ts';
import { ANY_PDFX, type ObjectRule, WITHOUT_TRANSPARENCY } from './rule.ts';

const subtype = (document: PdfDocument, dictionary: PdfDictionary) =>
  nameOf(document.get(dictionary, 'Subtype'));
const type = (document: PdfDocument, dictionary: PdfDictionary) => nameOf(document.get(dictionary, 'Type'));

/** Tests whether a stream uses a filter. Other dictionaries may have a Filter entry with another meaning. */
const usesFilter = (document: PdfDocument, dictionary: PdfDictionary, filter: string): boolean =>
  dictionary.has('Filter') &&
  document
    .list(dictionary.get('Filter'))
    .some((one) => fullFilterName(nameOf(document.resolve(one)) ?? '') === filter);

const isGraphicsState = (document: PdfDocument, dictionary: PdfDictionary): boolean =>
  type(document, dictionary) === 'ExtGState' ||
  ['TR', 'TR2', 'HT', 'HTP', 'BM', 'SMask'].some((key) => dictionary.has(key));

export const OBJECT_RULES: readonly ObjectRule[] = [
  {
    id: 'script_action',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930: no JavaScript; ISO 32000-1, 12.6.4.16',
    check: (dictionary, document) =>
      nameOf(document.get(dictionary, 'S')) === 'JavaScript' &&
      dictionary.has('JS') &&
      'An action runs a script.',
    remedy: 'Export it without interactive elements.',
  },
  {
    id: 'starts_programs',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930: no actions; ISO 32000-1, 12.6.4.5 and 12.7.5',
    check: (dictionary, document) => {
      const [, what] =
        /^(Launch|SubmitForm|ImportData|GoToE)$/.exec(nameOf(document.get(dictionary, 'S')) ?? '') ?? [];
      return (
        what !== undefined &&
        (dictionary.has('F') || dictionary.has('T') || dictionary.has('Win')) &&
        `An action (${what}) reaches outside the file.`
      );
    },
    remedy: 'Export it without interactive elements.',
  },
  {
    id: 'triggered_actions',
    about: 'object',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: no additional actions; ISO 32000-1, 12.6.3',
    check: (dictionary, document) =>
      type(document, dictionary) !== 'Catalog' &&
      document.dictionary(dictionary.get('AA')) !== undefined &&
      'It has actions triggered by events (AA).',
    remedy: 'Export it without interactive elements.',
  },
  {
    id: 'lzw',
    about: 'object',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: no LZWDecode',
    check: (dictionary, document) =>
      usesFilter(document, dictionary, 'LZWDecode') && 'It is compressed with LZW.',
    remedy: 'Export it again; current programs compress with Flate.',
  },
  {
    id: 'jpeg2000',
    about: 'object',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 15930-1 to -6: no JPXDecode (PDF 1.5)',
    check: (dictionary, document) =>
      usesFilter(document, dictionary, 'JPXDecode') && 'It is compressed as JPEG 2000.',
    remedy: 'Export images as JPEG or Flate, or the file as PDF/X-4.',
  },
  {
    id: 'jbig2',
    about: 'object',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 15930-1 to -6: no JBIG2Decode',
    check: (dictionary, document) =>
      usesFilter(document, dictionary, 'JBIG2Decode') && 'It is compressed as JBIG2.',
    remedy: 'Export bitmaps with CCITT or Flate, or the file as PDF/X-4.',
  },
  {
    id: 'opi',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930: no OPI; ISO 32000-1, 14.11.7',
    check: (dictionary, document) =>
      document.dictionary(dictionary.get('OPI')) !== undefined &&
      'It is a proxy for an image outside the file (OPI).',
    remedy: 'Embed the image itself at full resolution.',
  },
  {
    id: 'alternate_images',
    about: 'object',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no alternate image for printing; ISO 32000-1, 8.9.5.4',
    check: (dictionary, document) =>
      subtype(document, dictionary) === 'Image' &&
      document.list(dictionary.get('Alternates')).length > 0 &&
      'Another image may be printed in its place (Alternates).',
    remedy: 'Keep only the image to be printed.',
  },
  {
    id: 'postscript',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930: no PostScript XObjects; ISO 32000-1, 8.8.2',
    check: (dictionary, document) =>
      (subtype(document, dictionary) === 'PS' || nameOf(document.get(dictionary, 'Subtype2')) === 'PS') &&
      'It is PostScript code, which only PostScript devices execute.',
    remedy: 'Export it again without PostScript code.',
  },
  {
    id: 'reference_xobject',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930-1 to -7: no reference XObjects; ISO 32000-1, 8.10.4',
    check: (dictionary, document) =>
      subtype(document, dictionary) === 'Form' &&
      document.dictionary(dictionary.get('Ref')) !== undefined &&
      'It refers to a page of another file.',
    remedy: 'Embed that page itself.',
  },
  {
    id: 'external_stream',
    about: 'object',
    severity: 'error',
    basis: 'ISO 15930: all printed content is in the file; ISO 32000-1, 7.3.8.1',
    check: (dictionary, document) =>
      dictionary.has('Length') && document.get(dictionary, 'F') !== null && 'Its data are in another file.',
    remedy: 'Embed the external data.',
  },
  {
    id: 'transfer_function',
    about: 'object',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no TR, TR2 only Default; ISO 32000-1, 10.5',
    check: (dictionary, document) => {
      if (!isGraphicsState(document, dictionary)) return false;
      const [old, newer] = [document.get(dictionary, 'TR'), document.get(dictionary, 'TR2')];
      return (
        ((old !== null && nameOf(old) !== 'Identity') || (newer !== null && nameOf(newer) !== 'Default')) &&
        'A transfer function changes the tones when it is output.'
      );
    },
    remedy: 'Apply the curve to the images themselves and remove it.',
  },
  {
    id: 'halftone',
    about: 'object',
    severity: 'warning',
    basis: 'ISO 15930: halftones are set for the press, HTP is forbidden; ISO 32000-1, 10.6',
    check: (dictionary, document) => {
      if (!isGraphicsState(document, dictionary)) return false;
      const screen = document.get(dictionary, 'HT');
      return (
        ((screen !== null && nameOf(screen) !== 'Default') || dictionary.has('HTP')) &&
        'It sets its own halftone screen.'
      );
    },
    remedy: 'Remove the screen; the printer sets one for the press.',
  },
  {
    id: 'group_in_rgb',
    about: 'object',
    severity: 'warning',
    standards: ['pdfx4', 'none'],
    basis: 'Trade practice: colours blend in the inks of the press; ISO 32000-1, 11.6.6',
    check: (dictionary, document) => {
      const group = document.dictionary(dictionary.get('Group'));
      const isTransparent = nameOf(document.get(group, 'S')) === 'Transparency';
      const space = document.get(group, 'CS');
      const isRgb =
        nameOf(space) === 'DeviceRGB' ||
        nameOf(document.list(space)[0]) === 'CalRGB' ||
        rgbProfile(document, space);
      return (
        isTransparent && isRgb && 'Its transparency is blended in RGB, so CMYK colours are converted twice.'
      );
    },
    remedy: 'Set the blending space of the document to CMYK.',
  },
  {
    id: 'transparency_group',
    about: 'object',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 15930-1 to -6: no transparency; ISO 32000-1, 11',
    check: (dictionary, document) =>
      nameOf(document.get(document.dictionary(dictionary.get('Group')), 'S')) === 'Transparency' &&
      'It is a transparency group.',
    remedy: 'Flatten transparency when exporting, or export as PDF/X-4.',
  },
];

function rgbProfile(document: PdfDocument, space: unknown): boolean {
  const [family, profile] = Array.isArray(space) ? space : [];
  const stream = nameOf(document.resolve(family)) === 'ICCBased' ? document.resolve(profile) : null;
  return stream instanceof PdfStream && document.get(stream.dictionary, 'N') === 3;
}
