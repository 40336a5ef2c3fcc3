import { qualifiedName } from '../metadata/xmp/namespaces.ts';
import type { XmlElement } from '../metadata/xmp/parse_xml.ts';
import { xmpDescription, xmpLicences } from '../metadata/xmp/write_xmp.ts';

interface Described {
  readonly title: string;
  readonly software: string;
  /** ISO 8601, whole seconds, UTC. */
  readonly createdAt: string;
  /** A UUID. */
  readonly documentId: string;
  /** What the picture says about itself. */
  readonly properties?: readonly XmlElement[] | undefined;
}

/** What a sheet says of itself, whatever its picture says. */
const OWN =
  /^(dc:(format|title)|xmp:(CreateDate|ModifyDate|MetadataDate|CreatorTool)|xmpMM:\w+|\{http:\/\/ns\.adobe\.com\/pdf\/1\.3\/\}\w+)$/;

/** What PDF/X-4 wants to be told about a file in XMP (ISO 15930-7, 6.7; ISO 16684-1). */
export function xmpPacket({ title, software, createdAt, documentId, properties = [] }: Described): string {
  const carried = properties.filter((property) => !OWN.test(qualifiedName(property)));
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

/** 2026-10-09T14:59:00Z as the information dictionary of a PDF writes it. ISO 32000-1, 7.9.4 */
export const pdfDate = (iso: string): string => `D:${iso.slice(0, 19).replace(/[-T:]/g, '')}Z`;

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
