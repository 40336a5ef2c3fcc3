import { deflateSync } from 'node:zlib';
import { FIRST_OBJECT, type PdfParts, type PdfStreamText, writePdf } from './write_pdf.ts';

/**
 * A file that costs as much CPU time as possible for its size: one kind of work each, at the limit of the
 * format.
 */
export interface CostlyFile {
  readonly title: string;
  readonly bytes: () => Uint8Array;
}

const MB = 1_000_000;
const packed = (data: string | Uint8Array, entries = ''): PdfStreamText => ({
  entries: `/Filter /FlateDecode ${entries}`,
  data: deflateSync(data, { level: 9 }),
});
const pdf = (change: Partial<PdfParts>) => () => writePdf('none', change);
/** A page whose content repeats `text`. */
const content =
  (text: string, times: number, change: Partial<PdfParts> = {}) =>
  () =>
    writePdf('none', {
      ...change,
      page: '/Contents 20 0 R',
      objects: [packed(text.repeat(times)), ...(change.objects ?? [])],
    });
/** `/F Do`, half a million times: a form with this content. */
const form = (data: string | Uint8Array, entries = '/BBox [0 0 300 200]') =>
  content('/F Do ', 500_000, {
    resources: '/XObject << /F 21 0 R >>',
    objects: [packed(data, `/Subtype /Form ${entries}`)],
  });
const numbered = (count: number, text: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => text(index));
const references = (count: number, number: (index: number) => number = (index) => FIRST_OBJECT + index) =>
  numbered(count, (index) => `${number(index)} 0 R`).join(' ');

const FONT = '/Font << /T << /Type /Font /Subtype /Type1 /BaseFont /Courier >> >>';
const INKS_32 = numbered(32, (index) => `/Ink${index}`).join(' ');

/**
 * A hand-written cross-reference table: `body` follows the valid objects, and `startxref` is the offset of
 * one of its bytes.
 */
const withTail = (tail: (start: number) => { text: string; startxref: number }) => () => {
  const clean = Buffer.from(writePdf('none'));
  const { text, startxref } = tail(clean.length);
  return Buffer.concat([clean, Buffer.from(`${text}\nstartxref\n${startxref}\n%%EOF\n`, 'latin1')]);
};

const xrefRows = () => {
  const rows = deflateSync(new Uint8Array(60 * MB), { level: 9 }).toString('latin1');
  const index = '0 1000000 '.repeat(60);
  const sections: string[] = [];
  let at = writePdf('none').length;
  let previous: number | undefined;
  for (let section = 0; section < 60; section += 1) {
    const text = `${30 + section} 0 obj\n<< /Type /XRef /Root 1 0 R /W [1 0 0] /Filter /FlateDecode /Index [${index}]${previous === undefined ? '' : ` /Prev ${previous}`} /Length ${rows.length} >>\nstream\n${rows}\nendstream\nendobj\n`;
    previous = at;
    at += text.length;
    sections.push(text);
  }
  return Buffer.concat([
    Buffer.from(writePdf('none')),
    Buffer.from(`${sections.join('')}startxref\n${previous}\n%%EOF\n`, 'latin1'),
  ]);
};

const CONTENT: readonly CostlyFile[] = [
  { title: '2.3 million filled triangles', bytes: content('0 0 m 300 0 l 150 200 l f\n', 2_300_000) },
  { title: 'areas as large as the page', bytes: content('0 0 300 200 re f\n', 1 * MB) },
  { title: 'lines across the page', bytes: content('0 0 m 300 200 l S\n', 2 * MB) },
  {
    title: 'shadings of all the page',
    bytes: content('/S sh ', 2 * MB, {
      resources: '/Shading << /S << /ShadingType 2 /ColorSpace /DeviceCMYK >> >>',
    }),
  },
  { title: 'texts of one letter', bytes: content('(a) Tj ', 5 * MB, { resources: FONT }) },
  { title: 'a font set for every letter', bytes: content('/T 9 Tf (a) Tj ', 3 * MB, { resources: FONT }) },
  { title: 'a text of megabytes in a form', bytes: form(`(${'a'.repeat(4 * MB)}) Tj`) },
  { title: 'numbers without an operator in a form', bytes: form('1 '.repeat(30 * MB)) },
  { title: 'a comment of megabytes in a form', bytes: form(`%${'a'.repeat(30 * MB)}`) },
  { title: 'an empty form', bytes: form('') },
  { title: 'a form whose BBox has a million numbers', bytes: form('', `/BBox [${'1 '.repeat(900_000)}]`) },
  {
    title: 'a form of a megabyte of an unpacked filter',
    bytes: content('/F Do ', 500_000, {
      resources: '/XObject << /F 21 0 R >>',
      objects: [
        { entries: '/Subtype /Form /BBox [0 0 9 9] /Filter /FlateDecode', data: Buffer.alloc(MB, 0x55) },
      ],
    }),
  },
  { title: 'operators that do not exist', bytes: content('xyz ', 10 * MB) },
  { title: 'curves in one path', bytes: content('1 1 2 2 3 3 c ', 4 * MB) },
  { title: 'beginnings of paths', bytes: content('1 1 m ', 10 * MB) },
  { title: 'states saved and restored', bytes: content('q Q ', 10 * MB) },
  { title: 'inline images without an end', bytes: content('BI ID ', 10 * MB) },
  { title: 'inline images whose end is not alone', bytes: content('BI ID xEIx ', 5 * MB) },
  { title: 'inline images', bytes: content('BI /W 1 /H 1 /BPC 8 /CS /G ID a EI ', 2 * MB) },
  {
    title: 'a tint function of a million numbers',
    bytes: content('/C cs ', 3 * MB, {
      resources: '/ColorSpace << /C [/Separation /Spot /DeviceCMYK 21 0 R] >>',
      objects: [`<< /C1 [${'1 '.repeat(900_000)}] >>`],
    }),
  },
  {
    title: 'a packed colour table',
    bytes: content('/C cs ', 3 * MB, {
      resources: '/ColorSpace << /C [/Indexed /DeviceRGB 255 21 0 R] >>',
      objects: [packed(Buffer.alloc(8192))],
    }),
  },
  {
    title: 'a profile of 1e9 components',
    bytes: content('/C cs ', 10, {
      resources: '/ColorSpace << /C [/ICCBased 21 0 R] >>',
      objects: [packed(Buffer.alloc(200), '/N 1000000000')],
    }),
  },
  {
    title: 'a graphics state set again and again',
    bytes: content('/G gs ', 5 * MB, {
      resources: '/ExtGState << /G << /ca 0.5 /CA 0.5 /LW 1 /BM /Multiply /SMask << /S /Luminosity >> >> >>',
    }),
  },
  {
    title: 'a tiling pattern',
    bytes: content('/Pattern cs /P scn 0 0 9 9 re f ', 1 * MB, {
      resources: '/Pattern << /P 21 0 R >>',
      objects: [
        packed('0 0 m 300 0 l 150 200 l f\n'.repeat(100_000), '/PatternType 1 /PaintType 1 /BBox [0 0 9 9]'),
      ],
    }),
  },
  {
    title: 'colours of 32 inks',
    bytes: content(`${'1 '.repeat(32)}scn 0 0 9 9 re f `, 500_000, {
      content: '',
      resources: `/ColorSpace << /C [/DeviceN [${INKS_32}] /DeviceCMYK 4 0 R] >>`,
    }),
  },
];

const OBJECTS: readonly CostlyFile[] = [
  { title: 'rows of cross-reference streams', bytes: xrefRows },
  {
    title: 'objects that begin in one comment',
    bytes: () =>
      Buffer.from(`%PDF-1.7\n${numbered(900_000, (index) => `${index} 0 obj%`).join('')}`, 'latin1'),
  },
  {
    title: 'trailers that reach to the end',
    bytes: withTail(() => ({ text: `${'trailer<</A[('.repeat(20)}${'1 '.repeat(8 * MB)}`, startxref: 1 })),
  },
  {
    title: 'streams without an end',
    bytes: () => {
      const count = 300_000;
      const clean = Buffer.from(
        writePdf('none', { catalog: `/X [${references(count, (index) => 30 + index)}]` }),
      );
      return Buffer.concat([
        clean,
        Buffer.from(
          `${numbered(count, (index) => `${30 + index} 0 obj<<>>stream\n`).join('')}startxref\n1\n`,
          'latin1',
        ),
      ]);
    },
  },
  {
    title: 'pieces of content that are one stream',
    bytes: () =>
      writePdf('none', {
        page: `/Contents [${'20 0 R '.repeat(1 * MB)}]`,
        objects: [packed('0 0 9 9 re f ')],
      }),
  },
  {
    title: 'pieces of content that unpack to too much',
    bytes: () =>
      writePdf('none', {
        page: `/Contents [${'20 0 R '.repeat(100_000)}]`,
        objects: [packed(new Uint8Array(80 * MB))],
      }),
  },
  {
    title: 'a predictor of rows of one byte',
    bytes: pdf({
      page: `/Contents [${'20 0 R '.repeat(20)}]`,
      objects: [packed(new Uint8Array(60 * MB).fill(4), '/DecodeParms << /Predictor 12 /Columns 1 >>')],
    }),
  },
  {
    title: 'hexadecimal digits',
    bytes: pdf({
      page: `/Contents [${'20 0 R '.repeat(20)}]`,
      objects: [
        packed('0a'.repeat(30 * MB)).entries
          ? { entries: '/Filter [/FlateDecode /ASCIIHexDecode]', data: deflateSync('0a'.repeat(30 * MB)) }
          : '',
      ],
    }),
  },
  {
    title: 'information that is one long text',
    bytes: pdf({
      info: numbered(100_000, (index) => `/K${index} 20 0 R`).join(' '),
      objects: [`(${'a'.repeat(4 * MB)})`],
    }),
  },
  {
    title: 'layers with one long name',
    bytes: pdf({
      catalog: `/OCProperties << /OCGs [] /D << /OFF [${'20 0 R '.repeat(500_000)}] >> >>`,
      objects: [`<< /Name (${'a'.repeat(4 * MB)}) >>`],
    }),
  },
  {
    title: 'pages without end',
    bytes: pdf({
      morePages: '20 0 R',
      objects: [
        `<< /Kids [${'21 0 R '.repeat(1)} << /Kids 22 0 R >>] >>`,
        '<< /Type /Page >>',
        `[${'<< /Kids 22 0 R >> '.repeat(50_000)}]`,
      ],
    }),
  },
  {
    title: 'five hundred pages of one heavy content',
    bytes: pdf({
      morePages: references(500, (index) => 21 + index),
      objects: [
        packed('0 0 m 300 0 l 150 200 l f\n'.repeat(20_000)),
        ...numbered(500, () => '<< /Type /Page /MediaBox [0 0 300 200] /Contents 20 0 R >>'),
      ],
    }),
  },
  {
    title: 'annotations on five hundred pages',
    bytes: pdf({
      morePages: references(500, (index) => 21 + index),
      objects: [
        `[${'<< /Subtype /Link /Rect [0 0 99 99] >> '.repeat(2000)}]`,
        ...numbered(500, () => '<< /Type /Page /MediaBox [0 0 300 200] /Annots 20 0 R >>'),
      ],
    }),
  },
  {
    title: 'dictionaries to follow',
    bytes: pdf({
      catalog: '/X 20 0 R',
      objects: [
        `[${'<< /Group << /S /Transparency /CS /DeviceRGB >> /AA << >> /OPI << >> >> '.repeat(150_000)}]`,
      ],
    }),
  },
  {
    title: 'filters by the million',
    bytes: pdf({
      catalog: `/X [${references(500)}]`,
      objects: numbered(500, () => `<< /Filter 599 0 R /Length 0 >>`).concat(
        numbered(80, (index) => (index === 79 ? `[${'/FlateDecode '.repeat(900_000)}]` : 'null')),
      ),
    }),
  },
  {
    title: 'XMP with namespaces on every element',
    bytes: () =>
      withXmp(
        `<r xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${numbered(60_000, (index) => `xmlns:n${index}="u"`).join(' ')}>${'<a xmlns:b="c"/>'.repeat(120_000)}</r>`,
      ),
  },
  {
    title: 'XMP of attributes',
    bytes: () =>
      withXmp(
        `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:n="u"><rdf:Description ${numbered(200_000, (index) => `n:a${index}="b"`).join(' ')}/></rdf:RDF>`,
      ),
  },
  {
    title: 'output intents with one large profile',
    bytes: pdf({
      intents: `[${'7 0 R '.repeat(32)}]`,
      profile: deflateSync(new Uint8Array(60 * MB)),
      profileEntries: '/N 4 /Filter /FlateDecode',
    }),
  },
];

function withXmp(xmp: string): Uint8Array {
  return writePdf('none', {
    catalog: '/Metadata 20 0 R',
    objects: [packed(xmp, '/Type /Metadata /Subtype /XML')],
  });
}

const placed = (count: number) => numbered(count, (index) => `/I${index} Do`).join(' ');
const images = (count: number, image: (index: number) => PdfStreamText): Partial<PdfParts> => ({
  content: placed(count),
  resources: `/XObject << ${numbered(count, (index) => `/I${index} ${FIRST_OBJECT + index} 0 R`).join(' ')} >>`,
  objects: numbered(count, () => '').map((_, index) => image(index)),
});

const IMAGES: readonly CostlyFile[] = [
  {
    title: 'two hundred images of 32 inks',
    bytes: () => {
      const pixels = packed(
        new Uint8Array(256 * 256 * 32),
        `/Subtype /Image /Width 256 /Height 256 /BitsPerComponent 8 /ColorSpace [/DeviceN [${INKS_32}] /DeviceCMYK 4 0 R]`,
      );
      return writePdf(
        'none',
        images(200, () => pixels),
      );
    },
  },
  {
    title: 'two hundred images that unpack to too much',
    bytes: () => {
      const pixels = packed(
        new Uint8Array(140 * MB),
        '/Subtype /Image /Width 10000 /Height 10000 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      );
      return writePdf(
        'none',
        images(200, () => pixels),
      );
    },
  },
  {
    title: 'one image with a dictionary of many entries, placed again and again',
    bytes: () =>
      writePdf('none', {
        page: '/Contents 20 0 R',
        resources: '/XObject << /F 21 0 R >>',
        objects: [
          packed('/F Do '.repeat(500_000)),
          {
            entries: `/Subtype /Image /Width 1 /Height 1 ${numbered(100_000, (index) => `/K${index} 1`).join(' ')}`,
            data: '',
          },
        ],
      }),
  },
];

/** A TIFF with directories that share their values: `values` numbers of every tag. */
const tiffs: readonly CostlyFile[] = [
  { title: 'a TIFF of two hundred directories with long values', bytes: () => directories(200, 200_000) },
  { title: 'a TIFF whose names of inks are megabytes', bytes: () => directories(200, 200_000, 333) },
];

function directories(count: number, values: number, textTag?: number): Uint8Array {
  const tags = [254, 256, 257, 258, 259, 262, 273, 274, 277, 279, 282, 283, 284, 296, 332, 338];
  const all = textTag === undefined ? tags : [...tags, textTag].sort((one, other) => one - other);
  const size = 2 + 12 * all.length + 4;
  const start = 8 + 8 * values;
  const file = Buffer.alloc(start + count * size, 1);
  file.write('II*\0', 0, 'latin1');
  file.writeUInt32LE(start, 4);
  for (let index = 0; index < count; index += 1) {
    let at = start + index * size;
    at = file.writeUInt16LE(all.length, at);
    for (const tag of all) {
      at = file.writeUInt16LE(tag, at);
      at = file.writeUInt16LE(tag === textTag ? 2 : tag === 282 || tag === 283 ? 5 : 4, at);
      at = file.writeUInt32LE(tag === textTag ? 8 * values : values, at);
      at = file.writeUInt32LE(8, at);
    }
    file.writeUInt32LE(index + 1 === count ? 0 : at + 4, at);
  }
  return file;
}

export const COSTLY_FILES: readonly CostlyFile[] = [...CONTENT, ...OBJECTS, ...IMAGES, ...tiffs];
