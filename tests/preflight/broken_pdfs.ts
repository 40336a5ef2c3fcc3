import {
  FIRST_OBJECT,
  flatPixels,
  iccHeader,
  type PdfParts,
  type PdfStreamText,
  writePdf,
} from '../support/write_pdf.ts';

/** A file that breaks one rule, and where. */
export interface BrokenPdf {
  readonly rule: string;
  readonly bytes: () => Uint8Array;
  readonly judgedBy: PdfParts['standard'];
  /** What its finding has, where that is a place of its own. */
  readonly place: object;
}

type Change = Partial<PdfParts>;
const broken = (
  rule: string,
  standard: PdfParts['standard'],
  change: Change,
  { judgedBy = standard, place = {}, bytes = () => writePdf(standard, change) }: Partial<BrokenPdf> = {},
): BrokenPdf => ({ rule, bytes, judgedBy, place });

const AREA = '50 50 60 60 re f';
const GROUND = '0.2 0.1 0 0 k 5 5 290 190 re f';
const on = (content: string): Change => ({ content: `${GROUND} ${content}` });
const object = (entries: string, data: string | Uint8Array = ''): PdfStreamText => ({ entries, data });

const FONT = '/Type /Font /Subtype /TrueType /BaseFont /Sans';
const EMBEDDED: Change = {
  resources: `/Font << /F << ${FONT} /FontDescriptor << /FontFile2 20 0 R >> >> >>`,
  objects: [object('', 'glyphs')],
};
const text = (how: string, at = '100 100'): Change => ({
  ...EMBEDDED,
  ...on(`BT ${how} ${at} Td (Text) Tj ET`),
});
const font = (entries: string, data = 'glyphs'): Change => ({
  ...text('/F 20 Tf'),
  resources: `/Font << /F << ${entries} >> >>`,
  objects: [object('', data)],
});

const TINT = '<< /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.2 0.8 0] /N 1 >>';
const spots = (...names: string[]): Change => ({
  resources: `/ColorSpace << ${names.map((name, at) => `/S${at} [/Separation /${name} /DeviceCMYK 20 0 R]`).join(' ')} >>`,
  objects: [TINT],
  ...on(names.map((_, at) => `/S${at} cs 1 scn ${AREA}`).join(' ')),
});
const state = (entries: string, more = ''): Change => ({
  resources: `/ExtGState << /G << /Type /ExtGState ${entries} >> >>`,
  ...on(`/G gs ${more} ${AREA}`),
});
const icc = (n: number, profile: Uint8Array): Change => ({
  resources: '/ColorSpace << /C [/ICCBased 20 0 R] >>',
  objects: [object(`/N ${n}`, profile)],
  ...on(`/C cs ${'0.5 '.repeat(n)} scn ${AREA}`),
});
const RGB_PROFILE = iccHeader({ kind: 'mntr', space: 'RGB' });

const placed = (entries: string, data: string | Uint8Array = '', points = 100): Change => ({
  resources: '/XObject << /Im 20 0 R >>',
  objects: [object(`/Type /XObject ${entries}`, data)],
  ...on(`q ${points} 0 0 ${points} 60 60 cm /Im Do Q`),
});
const image = (side: number, color: readonly number[], points: number): Change => {
  const { filter, data } = flatPixels(side, side, color);
  return placed(
    `/Subtype /Image /Width ${side} /Height ${side} /BitsPerComponent 8 /ColorSpace /DeviceCMYK ${filter}`,
    data,
    points,
  );
};
const PALE = [40, 10, 0, 0];

/** Saved on top of itself once more: a table, or a stream, that says nothing new. */
function savedAgain(bytes: Uint8Array, how: 'table' | 'stream'): Uint8Array {
  const [last] = [
    ...Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/startxref\n(\d+)/g),
  ].slice(-1);
  const trailer = `/Size 31 /Root 1 0 R /Info 5 0 R /Prev ${last![1]} /ID [<00> <00>]`;
  const update =
    how === 'table'
      ? `xref\n0 1\n0000000000 65535 f \ntrailer\n<< ${trailer} >>\n`
      : `30 0 obj\n<< /Type /XRef /W [1 2 1] /Index [0 1] /Length 4 ${trailer} >>\nstream\n\0\0\0\0\nendstream\nendobj\n`;
  return Buffer.concat([bytes, Buffer.from(`${update}startxref\n${bytes.length}\n%%EOF\n`, 'latin1')]);
}

function withoutTable(): Uint8Array {
  return Buffer.from(
    Buffer.from(writePdf('pdfx4'))
      .toString('latin1')
      .replace(/startxref\n\d+/, 'startxref\n9'),
    'latin1',
  );
}

const SCRIPT = '<< /S /JavaScript /JS (app.beep\\(0\\)) >>';
const BOXES = '/TrimBox [20 20 280 180] /BleedBox [10 10 290 190]';

const OF_DOCUMENTS: readonly BrokenPdf[] = [
  broken('encrypted', 'pdfx4', { trailer: '/Encrypt << /Filter /Standard /V 1 /R 2 >>' }),
  broken('structure_broken', 'pdfx4', {}, { bytes: withoutTable }),
  broken('no_standard_claimed', 'none', {}),
  broken('claim_missing', 'pdfx4', { xmpClaim: '' }),
  broken('claims_differ', 'pdfx3', { xmpClaim: 'PDF/X-4' }),
  broken('version_too_new', 'pdfx3', { head: '%PDF-1.6' }),
  broken('id_missing', 'pdfx4', { trailer: '' }),
  broken('info_incomplete', 'pdfx1a', { info: '/Trapped /False /GTS_PDFXVersion (PDF/X-1a:2003)' }),
  broken('xmp_missing', 'pdfx4', { catalog: '/Metadata null' }),
  broken('info_xmp_differ', 'pdfx4', { xmpTitle: 'Another' }),
  broken('trapped_missing', 'pdfx3', { info: '/Title (Card) /GTS_PDFXVersion (PDF/X-3:2003)' }),
  broken('output_intent_missing', 'pdfx4', { intents: '[]' }),
  broken('output_intents_many', 'pdfx4', { intents: '[7 0 R 7 0 R]' }),
  broken('output_condition_unnamed', 'pdfx4', { intents: '[<< /S /GTS_PDFX /DestOutputProfile 8 0 R >>]' }),
  broken('output_profile_missing', 'pdfx4', {
    intents: '[<< /S /GTS_PDFX /OutputConditionIdentifier (Custom) >>]',
  }),
  broken('output_profile_wrong', 'pdfx4', { profile: iccHeader({ kind: 'mntr' }) }),
  broken('output_profile_too_new', 'pdfx3', { profile: iccHeader({ version: 4 }) }),
  broken('javascript', 'pdfx4', { catalog: `/Names << /JavaScript << /Names [(a) ${SCRIPT}] >> >>` }),
  broken('script_action', 'none', { catalog: `/OpenAction ${SCRIPT}` }),
  broken('opening_action', 'pdfx4', { catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }),
  broken('embedded_files', 'pdfx4', { catalog: '/Names << /EmbeddedFiles << /Names [] >> >>' }),
  broken('form_fields', 'pdfx4', { catalog: '/AcroForm << /Fields [<< /FT /Tx /T (a) >>] >>' }),
  broken('layers', 'pdfx3', { catalog: '/OCProperties << /OCGs [<< /Name (L) >>] /D << >> >>' }),
  broken('layers_hidden', 'pdfx4', {
    catalog: '/OCProperties << /OCGs [] /D << /OFF [<< /Name (L) >>] >> >>',
  }),
  broken('objects_packed', 'pdfx3', {}, { bytes: () => savedAgain(writePdf('pdfx3'), 'stream') }),
  broken(
    'saved_on_top',
    'pdfx3',
    {},
    { bytes: () => savedAgain(savedAgain(writePdf('pdfx3'), 'table'), 'table') },
  ),
  broken(
    'pages_differ',
    'pdfx4',
    {
      morePages: '20 0 R',
      objects: ['<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Contents 4 0 R /Resources << >> >>'],
    },
    { place: { page: 2 } },
  ),
  broken('no_pages', 'pdfx4', { catalog: '/Pages null' }),
  broken('spots_many', 'pdfx4', spots('Gold', 'Silver', 'Neon')),
  broken('spots_used', 'pdfx4', spots('Gold')),
  broken('spots_alike', 'pdfx4', spots('PANTONE#20300#20C', 'PANTONE#20300#20U')),
  broken('not_all_looked_at', 'none', {
    morePages: '<< /Type /Page /MediaBox [0 0 300 200] >> '.repeat(500),
  }),
];

const OF_PAGES: readonly BrokenPdf[] = [
  broken('media_box_missing', 'pdfx4', { mediaBox: '' }, { place: { page: 1 } }),
  broken(
    'page_size_invalid',
    'pdfx4',
    { mediaBox: '/MediaBox [-1e300 -1e300 1e300 1e300]' },
    { place: { page: 1 } },
  ),
  broken('trim_box_missing', 'pdfx4', { boxes: '' }),
  broken('trim_and_art_box', 'pdfx4', { boxes: `${BOXES} /ArtBox [30 30 200 100]` }),
  broken('boxes_not_nested', 'pdfx4', { boxes: '/TrimBox [0 0 300 200] /BleedBox [10 10 290 190]' }),
  broken('crop_box_cuts', 'pdfx4', { boxes: `${BOXES} /CropBox [50 50 200 150]` }),
  broken('bleed_too_small', 'pdfx4', { boxes: '/TrimBox [20 20 280 180] /BleedBox [20 20 280 180]' }),
  broken('bleed_not_filled', 'pdfx4', { content: '0.2 0 0 0 k 20 20 260 160 re f' }),
  broken(
    'annotations',
    'pdfx4',
    { page: '/Annots [<< /Subtype /Text /Rect [72 72 144 128] >>]' },
    // 200 points of height: 72 of them are 25.4 mm.
    { place: { page: 1, box_mm: { left: 25.4, top: 25.4, width: 25.4, height: 19.76 } } },
  ),
  broken('blank', 'pdfx4', { content: '' }),
  broken('nearly_empty', 'pdfx4', { content: '0 0 0 1 k 100 100 2 2 re f' }),
  broken('rotated', 'pdfx4', { page: '/Rotate 90' }),
  broken('scaled_units', 'pdfx4', { page: '/UserUnit 2' }),
  broken('page_too_large', 'pdfx4', { mediaBox: '/MediaBox [0 0 20000 200]' }),
  broken('content_broken', 'pdfx4', { content: `${GROUND} nonsense` }),
];

const OF_OBJECTS: readonly BrokenPdf[] = [
  broken('starts_programs', 'pdfx4', {
    page: '/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /Launch /F (a.exe) >> >>]',
  }),
  broken('triggered_actions', 'pdfx4', { page: '/AA << /O << /S /GoTo >> >>' }),
  broken('lzw', 'pdfx4', placed('/Subtype /Form /BBox [0 0 1 1] /Filter /LZWDecode'), {
    place: { object: `object ${FIRST_OBJECT}` },
  }),
  broken('jpeg2000', 'pdfx3', placed('/Subtype /Image /Width 9 /Height 9 /Filter /JPXDecode')),
  broken('jbig2', 'pdfx3', placed('/Subtype /Image /Width 9 /Height 9 /ImageMask true /Filter /JBIG2Decode')),
  broken('opi', 'pdfx4', placed('/Subtype /Form /BBox [0 0 1 1] /OPI << /2.0 << >> >>')),
  broken('alternate_images', 'pdfx4', placed('/Subtype /Image /Width 9 /Height 9 /Alternates [<< >>]')),
  broken('postscript', 'pdfx4', placed('/Subtype /PS', 'showpage')),
  broken('reference_xobject', 'pdfx4', placed('/Subtype /Form /BBox [0 0 1 1] /Ref << /F (b.pdf) >>')),
  broken('external_stream', 'pdfx4', placed('/Subtype /Form /BBox [0 0 1 1] /F (other.bin)')),
  broken('transfer_function', 'pdfx4', state('/TR2 /Identity')),
  broken('halftone', 'pdfx4', state('/HT << /HalftoneType 1 >>')),
  broken('group_in_rgb', 'pdfx4', { page: '/Group << /S /Transparency /CS /DeviceRGB >>' }),
  broken('transparency_group', 'pdfx3', { page: '/Group << /S /Transparency /CS /DeviceCMYK >>' }),
];

const OF_MARKS: readonly BrokenPdf[] = [
  broken('rgb_in_x1a', 'pdfx1a', on(`1 0 0 rg ${AREA}`), {
    place: { page: 1, box_mm: { left: 17.64, top: 31.75, width: 21.17, height: 21.17 } },
  }),
  broken('rgb_without_profile', 'pdfx4', on(`1 0 0 rg ${AREA}`)),
  broken('rgb_with_profile', 'pdfx4', icc(3, RGB_PROFILE)),
  broken('profile_in_x1a', 'pdfx1a', icc(4, iccHeader())),
  broken('profile_broken', 'pdfx4', icc(3, iccHeader())),
  broken('profile_too_new', 'pdfx3', icc(3, iccHeader({ kind: 'mntr', space: 'RGB', version: 4 }))),
  broken('transparency', 'pdfx3', state('/ca 0.5')),
  broken('font_not_embedded', 'pdfx4', font('/Type /Font /Subtype /Type1 /BaseFont /Helvetica')),
  broken('font_empty', 'pdfx4', font(`${FONT} /FontDescriptor << /FontFile2 20 0 R >>`, '')),
  broken('font_type3', 'pdfx4', font('/Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0]')),
  broken('font_missing', 'pdfx4', text('')),
  broken('text_invisible', 'pdfx4', text('/F 20 Tf 3 Tr')),
  broken('text_tiny', 'pdfx4', text('/F 3 Tf')),
  broken('text_rich_black', 'pdfx4', text('0.5 0.5 0.5 1 k /F 10 Tf')),
  broken('text_black_knocks_out', 'pdfx4', text('0 0 0 1 k /F 10 Tf')),
  broken('text_near_cut', 'pdfx4', text('/F 10 Tf', '22 22')),
  broken('hairline', 'pdfx4', on('0.1 w 50 50 m 90 90 l S')),
  broken('total_ink', 'pdfx4', on(`1 1 1 1 k ${AREA}`)),
  broken('much_ink', 'pdfx4', on(`0.96 0.96 0.96 0.5 k ${AREA}`)),
  broken('large_black_in_one_ink', 'pdfx4', on('0 0 0 1 k 20 20 200 160 re f')),
  broken('white_overprint', 'pdfx4', state('/OP true /op true /OPM 1', '0 0 0 0 k')),
  broken('registration_color', 'pdfx4', spots('All')),
];

const OF_IMAGES: readonly BrokenPdf[] = [
  broken('image_below_150_dpi', 'pdfx4', image(100, PALE, 72), {
    place: { page: 1, object: `image Im (object ${FIRST_OBJECT})` },
  }),
  broken('image_below_225_dpi', 'pdfx4', image(200, PALE, 72)),
  broken(
    'line_art_below_550_dpi',
    'pdfx4',
    placed(
      '/Subtype /Image /Width 80 /Height 80 /ImageMask true /BitsPerComponent 1',
      new Uint8Array(800),
      72,
    ),
  ),
  broken('image_too_fine', 'pdfx4', image(1100, PALE, 36)),
  broken(
    'image_16_bit',
    'pdfx3',
    placed(
      '/Subtype /Image /Width 4 /Height 4 /BitsPerComponent 16 /ColorSpace /DeviceGray',
      new Uint8Array(32),
    ),
  ),
  broken(
    'image_of_no_size',
    'pdfx4',
    placed('/Subtype /Image /Width 0 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceGray'),
  ),
  broken('image_total_ink', 'pdfx4', image(300, [255, 255, 255, 200], 72)),
  broken('image_much_ink', 'pdfx4', image(300, [245, 245, 245, 128], 72)),
  broken(
    'image_broken',
    'pdfx4',
    placed(
      '/Subtype /Image /Width 300 /Height 300 /BitsPerComponent 8 /ColorSpace /DeviceGray',
      new Uint8Array(900),
    ),
  ),
];

/** For every rule about PDF a file that breaks it. */
export const BROKEN_PDFS = [...OF_DOCUMENTS, ...OF_PAGES, ...OF_OBJECTS, ...OF_MARKS, ...OF_IMAGES];
