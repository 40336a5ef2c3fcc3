import { createHash } from 'node:crypto';
import { profileName } from '../../color/profile_name.ts';
import { qualifiedName } from '../../metadata/xmp/namespaces.ts';
import { XmlProblem } from '../../metadata/xmp/parse_xml.ts';
import { parseXmp, valueIn, type XmpValue } from '../../metadata/xmp/parse_xmp.ts';
import { type InkLimit, inkLimitOf } from '../../print/ink_limit.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { readIccHeader } from '../pdf/icc_header.ts';
import { latin1 } from '../pdf/lexer.ts';
import { nameOf, PdfStream, type PdfValue, textOf } from '../pdf/values.ts';
import type { Standard } from '../types.ts';
import { COST } from '../work_budget.ts';
import type { DocumentFacts, OutputIntent } from './facts.ts';

type FileFacts = Pick<DocumentFacts, 'root' | 'info' | 'xmp' | 'hasXmp' | 'version' | 'intents'>;

const INTENTS_MAX = 32;
const XMP_BYTES_MAX = 4 * 1024 * 1024;

/** Reads the catalogue, the document information and the XMP metadata. Strings of encrypted files are omitted. */
export function readFacts(document: PdfDocument): FileFacts {
  const root = document.dictionary(document.trailer.get('Root')) ?? new Map<string, PdfValue>();
  const packet = document.get(root, 'Metadata');
  return {
    root,
    info: document.isEncrypted ? {} : infoOf(document),
    xmp: packet instanceof PdfStream && !document.isEncrypted ? xmpOf(document, packet) : undefined,
    hasXmp: packet instanceof PdfStream,
    version: versionOf(document, root.get('Version')),
    intents: document
      .list(root.get('OutputIntents'))
      .slice(0, INTENTS_MAX)
      .map((one) => intentOf(document, one)),
  };
}

function versionOf({ bytes }: PdfDocument, later: PdfValue | undefined): string {
  const [, head = '0.0'] = /%PDF-(\d\.\d)/.exec(latin1(bytes.subarray(0, 1024))) ?? [];
  const catalogue = nameOf(later) ?? '';
  return /^\d\.\d$/.test(catalogue) && catalogue > head ? catalogue : head;
}

function infoOf(document: PdfDocument): Record<string, string> {
  const info = document.dictionary(document.trailer.get('Info'));
  const texts: Record<string, string> = Object.create(null);
  for (const [key, value] of info ?? []) {
    document.work.spend(COST.resource);
    const text = textOf(document.resolve(value));
    if (text !== undefined) texts[key] = text.slice(0, 2000);
  }
  return texts;
}

function xmpOf(document: PdfDocument, stream: PdfStream): Record<string, string> | undefined {
  const { data } = document.decode(stream, XMP_BYTES_MAX);
  document.work.spend(COST.byteRead * data.length);
  try {
    const texts: Record<string, string> = Object.create(null);
    for (const property of parseXmp(data)) texts[qualifiedName(property)] ??= plainText(valueIn(property));
    return texts;
  } catch (error) {
    if (error instanceof XmlProblem) return undefined;
    throw error;
  }
}

/** Returns a text, the text of the default language, or the first of a list. */
function plainText(value: XmpValue): string {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.length > 0 ? plainText(value[0]!) : '';
  const texts = value as Readonly<Record<string, XmpValue>>;
  const first = texts['x-default'] ?? Object.values(texts)[0];
  return first === undefined ? '' : plainText(first);
}

function intentOf(document: PdfDocument, value: PdfValue): OutputIntent {
  const intent = document.dictionary(value);
  const text = (key: string) => textOf(document.get(intent, key));
  const profile = document.get(intent, 'DestOutputProfile');
  const data = profile instanceof PdfStream ? document.decode(profile).data : undefined;
  const header = data && readIccHeader(data);
  const components = profile instanceof PdfStream ? document.get(profile.dictionary, 'N') : undefined;
  return {
    subtype: nameOf(document.get(intent, 'S')) ?? '',
    identifier: text('OutputConditionIdentifier'),
    registry: text('RegistryName'),
    info: text('Info'),
    hasProfile: profile instanceof PdfStream || intent?.has('DestOutputProfileRef') === true,
    profile: header && {
      ...header,
      sha256: createHash('sha256').update(data).digest('hex'),
      name: profileName(data),
    },
    components: typeof components === 'number' ? components : undefined,
  };
}

const XMP_VERSION = [
  '{http://www.npes.org/pdfx/ns/id/}GTS_PDFXVersion',
  '{http://ns.adobe.com/pdfx/1.3/}GTS_PDFXVersion',
];

/** Returns the claimed standard, such as "PDF/X-4", from the XMP or the document information. */
export const claimOf = ({ info, xmp }: Pick<FileFacts, 'info' | 'xmp'>): string | undefined =>
  info.GTS_PDFXConformance ?? claimInXmp(xmp) ?? info.GTS_PDFXVersion;

export const claimInXmp = (xmp: FileFacts['xmp']): string | undefined =>
  XMP_VERSION.map((name) => xmp?.[name]).find(Boolean);

const CLAIMS: readonly [RegExp, Standard][] = [
  [/^PDF\/X-1(a|:)/, 'pdfx1a'],
  [/^PDF\/X-3/, 'pdfx3'],
  [/^PDF\/X-4/, 'pdfx4'],
];

/** Maps a claim to a supported standard, otherwise `none`. */
export const standardOf = (claim: string | undefined): Standard =>
  CLAIMS.find(([pattern]) => pattern.test(claim ?? ''))?.[1] ?? 'none';

/** Returns the ink limit of the printing condition of a file. */
export function inkLimitIn(document: PdfDocument, intents: readonly OutputIntent[]): InkLimit {
  const intent = intents.find(({ subtype }) => subtype === 'GTS_PDFX') ?? intents[0];
  return inkLimitOf([intent?.identifier, intent?.profile?.name, intent?.info], profileIn(document));
}

/** Returns the first output intent profile. */
function profileIn(document: PdfDocument): Uint8Array | undefined {
  const root = document.dictionary(document.trailer.get('Root'));
  for (const one of document.list(root?.get('OutputIntents'))) {
    const profile = document.get(document.dictionary(one), 'DestOutputProfile');
    if (profile instanceof PdfStream) return document.decode(profile).data;
  }
  return undefined;
}
