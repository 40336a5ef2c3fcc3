import { textOf } from '../pdf/values.ts';
import { CLAIM_RULES } from './claim_rules.ts';
import { INTENT_RULES } from './intent_rules.ts';
import { type DocumentRule, WITHOUT_TRANSPARENCY } from './rule.ts';

const SPOTS_MANY = 2;
/** Normalises ink names that differ only in case, spaces or the suffix for the paper type. */
const normaliseInkName = (ink: string): string =>
  ink
    .toLowerCase()
    .replace(/[\s_-]+/g, '')
    .replace(/(cvc|cvu|cv|c|u|m|cp|up)$/, '');

export const INCOMPLETE_CHECK: DocumentRule = {
  id: 'not_all_looked_at',
  about: 'document',
  severity: 'warning',
  basis: 'Limit of this service',
  check: ({ unchecked }) => unchecked.length > 0 && `Too complex to check fully: ${unchecked.join('; ')}.`,
  remedy: 'Split it, or flatten complex artwork to an image.',
};

/** Rules for the whole file. */
export const DOCUMENT_RULES: readonly DocumentRule[] = [
  {
    id: 'encrypted',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930 (all parts): no encryption; ISO 32000-1, 7.6',
    check: ({ document }) =>
      document.isEncrypted &&
      'The file is encrypted: only its structure was checked, not the content of its pages.',
    remedy: 'Save it again without a password and without restrictions.',
  },
  {
    id: 'structure_broken',
    about: 'document',
    severity: 'error',
    basis: 'ISO 32000-1, 7.5.4: the cross-reference table',
    check: ({ document }) =>
      document.locations.wasRebuilt &&
      'Its cross-reference table is missing or wrong, and was rebuilt by scanning.',
    remedy:
      'Export it again, or repair it (qpdf rewrites the file). Transfer in text mode also damages PDFs.',
  },
  {
    id: 'javascript',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930: no JavaScript; ISO 32000-1, 12.6.4.16',
    check: ({ document, root }) =>
      document.dictionary(document.dictionary(root.get('Names'))?.get('JavaScript')) !== undefined &&
      'Scripts run when it is opened.',
    remedy: 'Print it to a new PDF, or export it without interactive elements.',
  },
  {
    id: 'opening_action',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no actions; ISO 32000-1, 12.6',
    check: ({ document, root }) => {
      const action = document.dictionary(root.get('OpenAction'));
      return (root.has('AA') || action?.has('S')) && 'It runs an action when it is opened.';
    },
    remedy: 'Export it without interactive elements.',
  },
  {
    id: 'embedded_files',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no embedded files; ISO 32000-1, 7.11.4',
    check: ({ document, root }) =>
      (document.dictionary(document.dictionary(root.get('Names'))?.get('EmbeddedFiles')) !== undefined ||
        root.has('AF')) &&
      'It has file attachments.',
    remedy: 'Remove the attachments.',
  },
  {
    id: 'form_fields',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: no form fields; ISO 32000-1, 12.7',
    check: ({ document, root }) => {
      const form = document.dictionary(root.get('AcroForm'));
      const fields = document.list(form?.get('Fields')).length;
      return (
        (fields > 0 || form?.has('XFA')) &&
        `It is a form with ${fields} fields; their content may not be printed.`
      );
    },
    remedy: 'Flatten the form, so that the fields become page content.',
  },
  {
    id: 'layers',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'warning',
    standards: ['pdfx1a', 'pdfx3', 'none'],
    basis: 'ISO 15930-1 to -6: no optional content (PDF 1.5); ISO 32000-1, 8.11',
    check: ({ document, root }) => {
      const layers = document.list(document.dictionary(root.get('OCProperties'))?.get('OCGs')).length;
      return layers > 0 && `It has ${layers} layers; which of them are printed depends on the program.`;
    },
    remedy: 'Flatten the layers to the content to be printed.',
  },
  {
    id: 'layers_hidden',
    about: 'document',
    severity: 'warning',
    basis: 'Trade practice: hidden content may still be printed',
    check: ({ document, root }) => {
      const usual = document.dictionary(document.dictionary(root.get('OCProperties'))?.get('D'));
      const off = document.list(usual?.get('OFF'));
      const names = off
        .slice(0, 5)
        .flatMap((one) => textOf(document.get(document.dictionary(one), 'Name')) ?? []);
      return off.length > 0 && `${off.length} layers are switched off: ${names.join(', ').slice(0, 100)}.`;
    },
    remedy: 'Delete hidden layers before exporting.',
  },
  {
    id: 'objects_packed',
    about: 'document',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 15930-1 to -6: no object or cross-reference streams (PDF 1.5); ISO 32000-1, 7.5.7',
    check: ({ document }) =>
      document.locations.hasXrefStreams && 'It has object or cross-reference streams, which require PDF 1.5.',
    remedy: 'Export it for PDF 1.4 or older, or as PDF/X-4.',
  },
  {
    id: 'saved_on_top',
    about: 'document',
    severity: 'info',
    basis: 'Trade practice: earlier versions of a file may be printed',
    check: ({ document }) =>
      document.locations.incrementalUpdates > 1 &&
      `It has ${document.locations.incrementalUpdates} incremental updates; earlier versions are still in the file.`,
    remedy: 'Save it under a new name, which rewrites the file.',
  },
  {
    id: 'pages_differ',
    about: 'document',
    severity: 'warning',
    basis: 'Trade practice: one format for one job',
    check: ({ pages }) => {
      const sizes = pages.map(({ trim, crop, media, rotate }) => {
        const box = trim ?? crop ?? media;
        const sides = box
          ? [box.right - box.left, box.top - box.bottom].map((side) => Math.round((side * 25.4) / 72))
          : [0, 0];
        return (rotate % 180 === 0 ? sides : sides.reverse()).join(' × ');
      });
      const other = sizes.findIndex((size) => size !== sizes[0]);
      return (
        other > 0 && {
          page: pages[other]!.number,
          message: `Page 1 is ${sizes[0]} mm, page ${pages[other]!.number} is ${sizes[other]} mm.`,
        }
      );
    },
    remedy: 'Send pages of different sizes as separate files.',
  },
  {
    id: 'no_pages',
    about: 'document',
    severity: 'error',
    basis: 'ISO 32000-1, 7.7.3',
    check: ({ pageCount }) => pageCount === 0 && 'It has no readable pages.',
    remedy: 'Export it again.',
  },
  {
    id: 'spots_many',
    about: 'document',
    severity: 'warning',
    basis: 'Trade practice: each spot colour is a separate plate and ink',
    check: ({ spots }) =>
      spots.size > SPOTS_MANY &&
      `It uses ${spots.size} spot colours: ${[...spots].slice(0, 6).join(', ').slice(0, 150)}.`,
    remedy: 'Convert spot colours that are not printed as separate inks to CMYK.',
  },
  {
    id: 'spots_used',
    about: 'document',
    severity: 'info',
    basis: 'Trade practice: stated before the quotation',
    check: ({ spots }) =>
      spots.size > 0 && `It uses spot colours: ${[...spots].slice(0, 6).join(', ').slice(0, 150)}.`,
    remedy: 'Tell the printer, or convert them to CMYK.',
  },
  {
    id: 'spots_alike',
    about: 'document',
    severity: 'warning',
    basis: 'Trade practice: one ink, one name, one plate',
    check: ({ spots }) => {
      const groups = new Map([...spots].map((name): [string, string[]] => [normaliseInkName(name), []]));
      for (const name of spots) groups.get(normaliseInkName(name))!.push(name);
      const twice = [...groups.values()].find((names) => names.length > 1);
      return (
        twice && `These may be one ink under several names: ${twice.slice(0, 4).join(', ').slice(0, 150)}.`
      );
    },
    remedy: 'Merge them into one swatch.',
  },
  ...CLAIM_RULES,
  ...INTENT_RULES,
  // Last, so that it reports everything that was skipped.
  INCOMPLETE_CHECK,
];
