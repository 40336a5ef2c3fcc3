import type { DocumentFacts } from './facts.ts';
import { claimInXmp } from './read_facts.ts';
import { ANY_PDFX, type DocumentRule } from './rule.ts';

const VERSION_MAX: Record<string, string> = { pdfx1a: '1.4', pdfx3: '1.4', pdfx4: '1.6' };
const REQUIRED_INFO = ['Title', 'CreationDate', 'ModDate'];
/** Time to the second, without offset: Info and XMP may use different time zones. */
const timestamp = (text: string): string => text.replace(/^D:/, '').replace(/\D/g, '').slice(0, 14);

function infoXmpDifference({ info, xmp }: DocumentFacts): string | undefined {
  if (!xmp) return undefined;
  const pairs: [string, string, string | undefined][] = [
    ['Title', 'dc:title', xmp['dc:title']],
    ['Trapped', 'pdf:Trapped', xmp['{http://ns.adobe.com/pdf/1.3/}Trapped']],
    ['Creator', 'xmp:CreatorTool', xmp['xmp:CreatorTool']],
    ['Producer', 'pdf:Producer', xmp['{http://ns.adobe.com/pdf/1.3/}Producer']],
  ];
  const wrong = pairs.find(([key, , other]) => info[key] && other && info[key]!.trim() !== other.trim());
  if (wrong)
    return `The document information has ${wrong[0]} "${info[wrong[0]]!.slice(0, 60)}", the XMP has ${wrong[1]} "${wrong[2]!.slice(0, 60)}".`;
  const [made, reported] = [info.CreationDate, xmp['xmp:CreateDate']];
  if (!made || !reported || timestamp(made).slice(0, 8) === timestamp(reported).slice(0, 8)) return undefined;
  return `The creation date is ${made.slice(0, 30)} in the document information and ${reported.slice(0, 30)} in the XMP.`;
}

/** Conformance claims and metadata of a file. */
export const CLAIM_RULES: readonly DocumentRule[] = [
  {
    id: 'claim_missing',
    about: 'document',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: GTS_PDFXVersion in the document information, for X-4 in the XMP',
    check: ({ info, xmp }, { standard }) => {
      if (standard === 'pdfx4')
        return !claimInXmp(xmp)?.startsWith('PDF/X-4') && 'The XMP does not state PDF/X-4.';
      const wanted = standard === 'pdfx3' ? 'PDF/X-3' : 'PDF/X-1';
      return (
        !info.GTS_PDFXVersion?.startsWith(wanted) && `The document information does not state ${wanted}.`
      );
    },
    remedy: 'Export it with the preset of that standard, which writes GTS_PDFXVersion.',
  },
  {
    id: 'claims_differ',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930: the same version in all places',
    check: ({ info, xmp }) => {
      const [one, other] = [info.GTS_PDFXVersion, claimInXmp(xmp)];
      return (
        one && other && one !== other && `The document information states ${one}, the XMP states ${other}.`
      );
    },
    remedy: 'Export it again; do not change the version in one place only.',
  },
  {
    id: 'version_too_new',
    about: 'document',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: PDF 1.4 for X-1a and X-3, 1.6 for X-4',
    check: ({ version }, { standard }) =>
      version > VERSION_MAX[standard]! &&
      `It is PDF ${version}; this standard allows up to ${VERSION_MAX[standard]}.`,
    remedy: 'Export it with the preset of that standard.',
  },
  {
    id: 'id_missing',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'info',
    basis: 'ISO 15930: an ID in the trailer; ISO 32000-1, 14.4',
    check: ({ document }) =>
      document.list(document.trailer.get('ID')).length < 2 && 'The trailer has no ID of two strings.',
    remedy: 'Export it again; every PDF/X preset writes an ID.',
  },
  {
    id: 'info_incomplete',
    about: 'document',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: title and dates',
    check: ({ info, xmp }, { standard }) => {
      const inXmp: Record<string, string> = {
        Title: 'dc:title',
        CreationDate: 'xmp:CreateDate',
        ModDate: 'xmp:ModifyDate',
      };
      const missing = REQUIRED_INFO.filter(
        (key) => !info[key] && !(standard === 'pdfx4' && xmp?.[inXmp[key]!]),
      );
      return missing.length > 0 && `The document information lacks ${missing.join(', ')}.`;
    },
    remedy: 'Give the document a title and export it again.',
  },
  {
    id: 'xmp_missing',
    about: 'document',
    severity: 'error',
    standards: ['pdfx4'],
    basis: 'ISO 15930-7: metadata as XMP in the catalogue',
    check: ({ hasXmp, xmp, document }) =>
      !xmp && !document.isEncrypted && (hasXmp ? 'The XMP cannot be read.' : 'The catalogue has no XMP.'),
    remedy: 'Export it as PDF/X-4, which writes XMP.',
  },
  {
    id: 'info_xmp_differ',
    about: 'document',
    severity: 'warning',
    basis: 'ISO 15930-7 and ISO 16684-1: both must agree',
    check: infoXmpDifference,
    remedy: 'Change titles and dates in the program that created it, and export it again.',
  },
  {
    id: 'trapped_missing',
    about: 'document',
    severity: 'error',
    standards: ANY_PDFX,
    basis: 'ISO 15930: Trapped is True or False, not Unknown',
    check: ({ info, xmp }, { standard }) => {
      const value =
        info.Trapped ?? (standard === 'pdfx4' ? xmp?.['{http://ns.adobe.com/pdf/1.3/}Trapped'] : undefined);
      return (
        !/^(True|False)$/.test(value ?? '') && `Trapped is ${value ? `"${value.slice(0, 20)}"` : 'not set'}.`
      );
    },
    remedy: 'Set Trapped to False, unless the file is trapped.',
  },
  {
    id: 'no_standard_claimed',
    about: 'document',
    severity: 'info',
    standards: ['none'],
    basis: 'Trade practice: printers require a PDF/X standard',
    check: () => 'It does not claim a PDF/X standard, so only rules that suit any printer were applied.',
    remedy: 'Export it as PDF/X-4, or send standard in this call.',
  },
];
