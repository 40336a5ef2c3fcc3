import { once } from 'node:events';
import { createDeflate, deflateSync } from 'node:zlib';
import type { NewPackets } from '../metadata/containers/new_packets.ts';
import { qualifiedName } from '../metadata/xmp/namespaces.ts';
import type { XmlElement } from '../metadata/xmp/parse_xml.ts';
import { xmpDescription, xmpLicences } from '../metadata/xmp/write_xmp.ts';
import { markStrokes, type PageBoxes, pageBoxes } from './page_marks.ts';
import { createPdfFile, latin1, pdfStream, points, textString } from './pdf_file.ts';
import type { SheetPlan } from './plan_sheet.ts';
import type { PrintCondition, SheetFile, Sink } from './sheet_file.ts';

interface DocumentDescription {
  readonly title: string;
  readonly software: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID. */
  readonly documentId: string;
  /** Metadata carried over from the image. */
  readonly properties?: readonly XmlElement[] | undefined;
}

/** Properties that the sheet sets itself, whatever the image states. */
const SHEET_PROPERTIES =
  /^(dc:(format|title)|xmp:(CreateDate|ModifyDate|MetadataDate|CreatorTool)|xmpMM:\w+|\{http:\/\/ns\.adobe\.com\/pdf\/1\.3\/\}\w+)$/;

/** XMP packet that PDF/X-4 requires (ISO 15930-7, 6.7; ISO 16684-1). */
function xmpPacket({ title, software, createdAt, documentId, properties = [] }: DocumentDescription): string {
  const carried = properties.filter((property) => !SHEET_PROPERTIES.test(qualifiedName(property)));
  const tool = escapeText(software);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escapeText(title)}</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>${createdAt}</xmp:CreateDate>
<xmp:ModifyDate>${createdAt}</xmp:ModifyDate>
<xmp:MetadataDate>${createdAt}</xmp:MetadataDate>
<xmp:CreatorTool>${tool}</xmp:CreatorTool>
<xmpMM:DocumentID>uuid:${documentId}</xmpMM:DocumentID>
<xmpMM:InstanceID>uuid:${documentId}</xmpMM:InstanceID>
<xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdf:Producer>${tool}</pdf:Producer>
<pdf:Trapped>False</pdf:Trapped>
</rdf:Description>${carried.length > 0 ? `\n${xmpDescription(carried)}` : ''}
</rdf:RDF>
${xmpLicences(carried)}</x:xmpmeta>
<?xpacket end="r"?>`;
}

/** PDF date of the document information dictionary. ISO 32000-1, 7.9.4 */
const pdfDate = (iso: string): string => `D:${iso.slice(0, 19).replace(/[-T:]/g, '')}Z`;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export interface PdfSheet {
  readonly plan: SheetPlan;
  readonly hasMarks: boolean;
  readonly condition: PrintCondition;
  readonly software: string;
  readonly title: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID, new for every file. */
  readonly documentId: string;
  /** Metadata carried over from the image. */
  readonly carried?: NewPackets | undefined;
}

/** Object numbers. */
const [CATALOG, PAGES, PAGE, IMAGE, IMAGE_LENGTH, CONTENT, INTENT_PROFILE, METADATA, INFO, ALL_INKS] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
const OBJECTS = 11;
/** Half the time of level 3; the file is one eighth larger. */
const DEFLATE_LEVEL = 1;

/**
 * Writes a single-page PDF/X-4 (ISO 15930-7): one CMYK image that fills the bleed box, marks outside it, an output
 * intent with the profile of the printing condition, XMP metadata, and no print scaling. The image comes last before
 * the cross-reference table, so that it can be streamed. Syntax: ISO 32000-1.
 */
export function writePdf(sheet: PdfSheet, sink: Sink): SheetFile {
  const { plan } = sheet;
  const file = createPdfFile(sink, { objects: OBJECTS, catalog: CATALOG, info: INFO });
  for (const [number, body] of objectsBeforeImage(sheet, pageBoxes(plan, sheet.hasMarks)))
    file.object(number, body);
  const { width, height } = plan.sheet;
  file.open(
    IMAGE,
    `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceCMYK /Filter /FlateDecode /DecodeParms << /Predictor 2 /Colors 4 /BitsPerComponent 8 /Columns ${width} >> /Length ${IMAGE_LENGTH} 0 R >>\nstream\n`,
  );
  const deflate = createDeflate({ level: DEFLATE_LEVEL });
  let imageBytes = 0;
  deflate.on('data', (data: Buffer) => {
    imageBytes += data.length;
    file.push(data);
  });
  const ended = once(deflate, 'end');
  ended.catch(() => {});
  return {
    async rows(inks) {
      if (!deflate.write(differences(inks, width))) await once(deflate, 'drain');
    },
    get bytes() {
      return imageBytes;
    },
    async finish() {
      deflate.end();
      await ended;
      file.push(latin1('\nendstream\nendobj\n'));
      file.object(IMAGE_LENGTH, String(imageBytes));
      file.finish(sheet.documentId.replaceAll('-', ''));
    },
  };
}

/** Registration colour, which prints on every plate: for marks. */
export const ALL_INKS_SPACE =
  '[/Separation /All /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [1 1 1 1] /N 1 >>]';

/** Returns the document metadata as XMP and as the document information dictionary. */
export function describeSheet(
  sheet: Pick<PdfSheet, 'title' | 'software' | 'createdAt' | 'documentId' | 'carried'>,
): { readonly xmp: string; readonly info: string } {
  const { title, software, createdAt } = sheet;
  const date = pdfDate(createdAt);
  return {
    xmp: xmpPacket({ ...sheet, properties: sheet.carried?.properties }),
    info: `<< /Title ${textString(title)} /Creator ${textString(software)} /Producer ${textString(software)} /CreationDate (${date}) /ModDate (${date}) /Trapped /False /GTS_PDFXVersion (PDF/X-4) >>`,
  };
}

/** Returns all objects except the image and its length. */
function objectsBeforeImage(sheet: PdfSheet, boxes: PageBoxes): [number, string | Uint8Array][] {
  const { condition } = sheet;
  const profile = deflateSync(condition.profile);
  const content = latin1(contentOf(sheet, boxes));
  const { xmp, info } = describeSheet(sheet);
  return [
    [
      CATALOG,
      `<< /Type /Catalog /Pages ${PAGES} 0 R /Metadata ${METADATA} 0 R /OutputIntents [${outputIntent(condition, INTENT_PROFILE)}] /ViewerPreferences << /PrintScaling /None >> >>`,
    ],
    [PAGES, `<< /Type /Pages /Kids [${PAGE} 0 R] /Count 1 >>`],
    [
      PAGE,
      `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox ${box(boxes.media)} /BleedBox ${box(boxes.bleed)} /TrimBox ${box(boxes.trim)} /Resources << /XObject << /Sheet ${IMAGE} 0 R >> /ColorSpace << /AllInks ${ALL_INKS} 0 R >> >> /Contents ${CONTENT} 0 R >>`,
    ],
    [CONTENT, pdfStream('', content)],
    [INTENT_PROFILE, pdfStream('/N 4 /Filter /FlateDecode', profile)],
    [METADATA, pdfStream('/Type /Metadata /Subtype /XML', Buffer.from(xmp))],
    [INFO, info],
    [ALL_INKS, ALL_INKS_SPACE],
  ];
}

/**
 * Returns the output intent dictionary of a printing condition.
 * @param profile number of the object that holds the profile
 */
export function outputIntent({ name, registered }: PrintCondition, profile: number): string {
  const registry = registered ? ' /RegistryName (http://www.color.org)' : '';
  return `<< /Type /OutputIntent /S /GTS_PDFX /OutputConditionIdentifier ${textString(registered ?? 'Custom')}${registry} /OutputCondition ${textString(name)} /Info ${textString(name)} /DestOutputProfile ${profile} 0 R >>`;
}

function contentOf({ plan, hasMarks }: PdfSheet, boxes: PageBoxes): string {
  const { x, y, width, height } = boxes.bleed;
  const image = `q ${points(width)} 0 0 ${points(height)} ${points(x)} ${points(y)} cm /Sheet Do Q\n`;
  return hasMarks ? `${image}${markStrokes(plan, boxes)}` : image;
}

const box = ({ x, y, width, height }: PageBoxes['trim']): string =>
  `[${[x, y, x + width, y + height].map(points).join(' ')}]`;

/** Subtracts the sample of the same ink to the left, four bytes at a time. TIFF 6.0, section 14; predictor 2 in PDF */
function differences(inks: Uint8Array, width: number): Uint8Array {
  const pixels = new Int32Array(inks.buffer, inks.byteOffset, inks.length / 4);
  const result = new Int32Array(pixels.length);
  for (let row = 0; row < pixels.length; row += width) {
    let left = 0;
    for (let at = row; at < row + width; at += 1) {
      const pixel = pixels[at]!;
      // The highest bit of every byte is set before, so that no byte borrows from the next, and corrected afterwards.
      result[at] = ((pixel | HIGH_BITS) - (left & ~HIGH_BITS)) ^ ((pixel ^ ~left) & HIGH_BITS);
      left = pixel;
    }
  }
  return new Uint8Array(result.buffer);
}
const HIGH_BITS = 0x80808080 | 0;
