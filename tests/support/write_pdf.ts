import { deflateSync } from 'node:zlib';

/** Changes to a valid file that each break one rule. Every text is PDF syntax as in the file. */
export interface PdfParts {
  /** Standard that the file claims; `none`: no claim. */
  standard: 'pdfx1a' | 'pdfx3' | 'pdfx4' | 'none';
  head: string;
  catalog: string;
  info: string;
  page: string;
  mediaBox: string;
  boxes: string;
  resources: string;
  content: string;
  intents: string;
  trailer: string;
  xmpClaim: string;
  xmpTitle: string;
  /** N of the profile stream, and the profile. */
  profile: Uint8Array;
  profileEntries: string;
  /** Further objects from number 20 on, as text or with a stream. */
  objects: readonly (string | PdfStreamText)[];
  /** Numbers of further pages; each is one of `objects`. */
  morePages: string;
}

export interface PdfStreamText {
  readonly entries: string;
  readonly data: string | Uint8Array;
}

/** First number of the further objects. */
export const FIRST_OBJECT = 20;

/** An ICC profile that consists of a header only, which is all that preflight reads. */
export function iccHeader({ kind = 'prtr', space = 'CMYK', version = 2 } = {}): Uint8Array {
  const bytes = Buffer.alloc(132);
  bytes.writeUInt32BE(132, 0);
  bytes[8] = version;
  bytes.write(kind, 12);
  bytes.write(space.padEnd(4), 16);
  bytes.write('acsp', 36);
  return bytes;
}

const CLAIM = { pdfx1a: 'PDF/X-1a:2003', pdfx3: 'PDF/X-3:2003', pdfx4: 'PDF/X-4', none: '' };

const clean = (standard: PdfParts['standard']): PdfParts => ({
  standard,
  head: standard === 'pdfx4' ? '%PDF-1.6' : '%PDF-1.4',
  catalog: '',
  info: `/Title (Card) /CreationDate (D:20260102030405Z) /ModDate (D:20260102030405Z) /Trapped /False${
    CLAIM[standard] && ` /GTS_PDFXVersion (${CLAIM[standard]})`
  }${standard === 'pdfx1a' ? ' /GTS_PDFXConformance (PDF/X-1a:2003)' : ''}`,
  page: '',
  mediaBox: '/MediaBox [0 0 300 200]',
  boxes: '/TrimBox [20 20 280 180] /BleedBox [10 10 290 190]',
  resources: '',
  content: '0.2 0.1 0 0 k 5 5 290 190 re f 0 0 0 1 k 100 80 40 40 re f',
  intents: '[7 0 R]',
  trailer: '/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
  xmpClaim: standard === 'pdfx4' ? 'PDF/X-4' : '',
  xmpTitle: 'Card',
  profile: iccHeader(),
  profileEntries: '/N 4',
  objects: [],
  morePages: '',
});

/** Writes a file that breaks no error-level rule of its standard, with the given changes. */
export function writePdf(standard: PdfParts['standard'], change: Partial<PdfParts> = {}): Uint8Array {
  const parts = { ...clean(standard), ...change };
  const objects = new Map<number, string | PdfStreamText>([
    [1, `<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R /OutputIntents ${parts.intents} ${parts.catalog} >>`],
    [2, `<< /Type /Pages /Kids [3 0 R ${parts.morePages}] /Count 1 >>`],
    [
      3,
      `<< /Type /Page /Parent 2 0 R ${parts.mediaBox} ${parts.boxes} /Contents 4 0 R /Resources << ${parts.resources} >> ${parts.page} >>`,
    ],
    [4, { entries: '', data: parts.content }],
    [5, `<< ${parts.info} >>`],
    [6, { entries: '/Type /Metadata /Subtype /XML', data: xmp(parts) }],
    [
      7,
      '<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier (FOGRA39) /RegistryName (http://www.color.org) /Info (Coated) /DestOutputProfile 8 0 R >>',
    ],
    [8, { entries: parts.profileEntries, data: parts.profile }],
    ...parts.objects.map((one, index) => [FIRST_OBJECT + index, one] as const),
  ]);
  return assemble(parts, objects);
}

const xmp = ({ xmpClaim, xmpTitle }: PdfParts): string =>
  `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${xmpTitle}</rdf:li></rdf:Alt></dc:title>${
    xmpClaim && `<pdfxid:GTS_PDFXVersion>${xmpClaim}</pdfxid:GTS_PDFXVersion>`
  }</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

function assemble({ head, trailer }: PdfParts, objects: Map<number, string | PdfStreamText>): Uint8Array {
  const pieces: Buffer[] = [];
  let length = 0;
  const add = (text: string | Uint8Array) => {
    const piece = typeof text === 'string' ? Buffer.from(text, 'latin1') : Buffer.from(text);
    pieces.push(piece);
    length += piece.length;
  };
  const offsets = new Map<number, number>();
  add(`${head}\n%\xe2\xe3\xcf\xd3\n`);
  for (const [number, object] of objects) {
    offsets.set(number, length);
    add(`${number} 0 obj\n`);
    if (typeof object === 'string') add(object);
    else {
      add(`<< ${object.entries} /Length ${Buffer.from(object.data as string, 'latin1').length} >>\nstream\n`);
      add(object.data);
      add('\nendstream');
    }
    add('\nendobj\n');
  }
  const size = Math.max(...objects.keys()) + 1;
  const start = length;
  const rows = Array.from({ length: size }, (_, number) => {
    const at = offsets.get(number);
    return at === undefined ? '0000000000 65535 f \n' : `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  add(`xref\n0 ${size}\n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R ${trailer} >>\n`);
  add(`startxref\n${start}\n%%EOF\n`);
  return Buffer.concat(pieces);
}

/** Rows of an image of one colour, packed. */
export const flatPixels = (
  width: number,
  height: number,
  color: readonly number[],
): { readonly filter: string; readonly data: Uint8Array } => ({
  filter: '/Filter /FlateDecode',
  data: deflateSync(Buffer.alloc(width * height * color.length, Buffer.from(color))),
});
