import { inflateSync } from 'node:zlib';

/**
 * What PDF/X-4 (ISO 15930-7) asks of a page with one picture, read from the bytes of a file without any code of the
 * service: no free program checks PDF/X. Each rule that is broken is one line of the answer.
 */
export function pdfx4Problems(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes).toString('latin1');
  const objects = objectsOf(file);
  const trailer = /trailer\s*<<([\s\S]*?)>>\s*startxref\s+(\d+)\s+%%EOF\s*$/.exec(file);
  if (!trailer) return ['the file does not end with a trailer'];
  const part = (name: string, of: string): string => {
    const [, direct, number] = new RegExp(`/${name}\\s*(?:(\\d+) 0 R|)`).exec(of) ?? [];
    return objects.get(Number(direct ?? number))?.text ?? '';
  };
  const root = part('Root', trailer[1]!);
  const info = part('Info', trailer[1]!);
  const page = [...objects.values()].find(({ text }) => /\/Type \/Page\b(?!s)/.test(text))?.text ?? '';
  const image = [...objects.values()].find(({ text }) => /\/Subtype \/Image/.test(text))?.text ?? '';
  const xmp = streamOf(objects, /\/Subtype \/XML/).toString();
  const intent = /\/OutputIntents \[<<(.*?)>>\]/s.exec(root)?.[1] ?? '';
  const profile = streamOf(objects, /\/N 4\b/);
  const boxes = Object.fromEntries(
    ['MediaBox', 'BleedBox', 'TrimBox'].map((name) => [name, boxOf(page, name)]),
  );
  const rules: [string, boolean][] = [
    [
      'the header names version 1.6 and is followed by a binary comment',
      /^%PDF-1\.6\n%[\x80-\xff]{4}/.test(file),
    ],
    ['every object is where the table says', tableIsTrue(file, Number(trailer[2]))],
    ['the trailer has an ID of two strings', /\/ID \[<[0-9a-f]{32}> <[0-9a-f]{32}>\]/i.test(trailer[1]!)],
    ['the file is not encrypted', !/\/Encrypt\b/.test(trailer[1]!)],
    [
      'there are no actions, scripts, forms or attachments',
      !/\/(AA|OpenAction|JavaScript|JS|AcroForm|EmbeddedFiles|Annots)\b/.test(file),
    ],
    ['pages are not scaled when printed', /\/ViewerPreferences <<[^>]*\/PrintScaling \/None/.test(root)],
    [
      'the output intent is of PDF/X',
      /\/S \/GTS_PDFX\b/.test(intent) && /\/Type \/OutputIntent/.test(intent),
    ],
    [
      'it has an identifier and information',
      /\/OutputConditionIdentifier \(.+?\)/.test(intent) && /\/Info \(.+?\)/.test(intent),
    ],
    ['it embeds a profile', /\/DestOutputProfile \d+ 0 R/.test(intent)],
    [
      'the profile is of a CMYK printer',
      profile.toString('latin1', 12, 20) === 'prtrCMYK' && profile.toString('latin1', 36, 40) === 'acsp',
    ],
    ['the profile is as long as it says', profile.length > 128 && profile.readUInt32BE(0) === profile.length],
    ['the metadata are not compressed', !/\/Subtype \/XML[^>]*\/Filter/.test(file)],
    ['XMP says PDF/X-4', xmp.includes('<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>')],
    ['XMP has a title', /<dc:title>.*?<rdf:li[^>]*>[^<]+</s.test(xmp)],
    [
      'XMP has its three dates',
      ['CreateDate', 'ModifyDate', 'MetadataDate'].every((name) =>
        new RegExp(`<xmp:${name}>\\d{4}-\\d\\d-\\d\\dT`).test(xmp),
      ),
    ],
    [
      'XMP has document, version and rendition',
      ['DocumentID', 'VersionID', 'RenditionClass'].every((name) => xmp.includes(`<xmpMM:${name}>`)),
    ],
    [
      'trapping is decided, and told alike in both places',
      /\/Trapped \/False/.test(info) && xmp.includes('<pdf:Trapped>False<'),
    ],
    ['the dates of both places agree', datesAgree(info, xmp)],
    ['the page has a trim box and no art box', boxes.TrimBox !== undefined && !/\/ArtBox/.test(page)],
    [
      'trim lies inside bleed, bleed inside media',
      isInside(boxes.TrimBox, boxes.BleedBox) && isInside(boxes.BleedBox, boxes.MediaBox),
    ],
    [
      'the picture is CMYK for the output intent, not tagged anew',
      /\/ColorSpace \/DeviceCMYK/.test(image) && !/\/ICCBased/.test(file),
    ],
    ['no filter is LZW, no colour RGB', !/\/LZWDecode|\/DeviceRGB|\/CalRGB/.test(file)],
    ['the picture fills the bleed box', fillsBleed(objects, page, boxes.BleedBox)],
    [
      'marks print on every plate',
      !/\bl S\b/.test(contentOf(objects, page)) || /\/Separation \/All \/DeviceCMYK/.test(file),
    ],
    ['marks lie outside the bleed box', marksAreOutside(contentOf(objects, page), boxes.BleedBox)],
  ];
  return rules.filter(([, holds]) => !holds).map(([rule]) => `broken: ${rule}`);
}

interface PdfObject {
  /** Its dictionary, without the bytes of a stream. */
  readonly text: string;
  readonly at: number;
}

type Box = readonly [left: number, low: number, right: number, high: number];

function objectsOf(file: string): Map<number, PdfObject & { raw: string }> {
  const found = new Map<number, PdfObject & { raw: string }>();
  for (const match of file.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) {
    const from = match.index + match[0].length;
    const raw = file.slice(from, file.indexOf('endobj', from));
    const text = raw.split(/stream\n/)[0]!;
    if (!found.has(Number(match[1]))) found.set(Number(match[1]), { text, raw, at: match.index });
  }
  return found;
}

function streamOf(objects: Map<number, PdfObject & { raw: string }>, dictionary: RegExp): Buffer {
  const found = [...objects.values()].find(
    ({ text, raw }) => dictionary.test(text) && raw.includes('stream\n'),
  );
  if (!found) return Buffer.alloc(0);
  const from = found.raw.indexOf('stream\n') + 7;
  const length = Number(/\/Length (\d+)/.exec(found.text)?.[1] ?? 0);
  const data = Buffer.from(found.raw.slice(from, from + length), 'latin1');
  return /FlateDecode/.test(found.text) ? inflateSync(data) : data;
}

function contentOf(objects: Map<number, PdfObject & { raw: string }>, page: string): string {
  const number = Number(/\/Contents (\d+) 0 R/.exec(page)?.[1]);
  return objects.get(number)?.raw ?? '';
}

function boxOf(page: string, name: string): Box | undefined {
  const numbers = new RegExp(`/${name} \\[([-\\d. ]+)\\]`).exec(page)?.[1]?.trim().split(/\s+/).map(Number);
  return numbers?.length === 4 ? (numbers as unknown as Box) : undefined;
}

const SLACK = 0.001;
const isInside = (inner: Box | undefined, outer: Box | undefined): boolean =>
  inner !== undefined &&
  outer !== undefined &&
  inner[0] >= outer[0] - SLACK &&
  inner[1] >= outer[1] - SLACK &&
  inner[2] <= outer[2] + SLACK &&
  inner[3] <= outer[3] + SLACK;

function tableIsTrue(file: string, start: number): boolean {
  const rows = /^xref\n0 (\d+)\n((?:\d{10} \d{5} [nf] \n)+)/.exec(file.slice(start));
  if (!rows) return false;
  const places = rows[2]!.trim().split(' \n').slice(1);
  return places.every((row, index) => file.startsWith(`${index + 1} 0 obj\n`, Number(row.slice(0, 10))));
}

function datesAgree(info: string, xmp: string): boolean {
  const inInfo = /\/CreationDate \(D:(\d{14})Z\)/.exec(info)?.[1];
  const inXmp = /<xmp:CreateDate>([^<]+)Z</.exec(xmp)?.[1]?.replace(/\D/g, '');
  return inInfo !== undefined && inInfo === inXmp;
}

function fillsBleed(
  objects: Map<number, PdfObject & { raw: string }>,
  page: string,
  bleed: Box | undefined,
): boolean {
  const [width, , , height, x, y] =
    /q ([-\d. ]+) cm \/\w+ Do Q/.exec(contentOf(objects, page))?.[1]?.split(' ').map(Number) ?? [];
  if (!bleed || width === undefined) return false;
  const wanted = [bleed[2] - bleed[0], bleed[3] - bleed[1], bleed[0], bleed[1]];
  return [width, height!, x!, y!].every((value, index) => Math.abs(value - wanted[index]!) < 0.01);
}

function marksAreOutside(content: string, bleed: Box | undefined): boolean {
  if (!bleed) return false;
  const lines = [...content.matchAll(/([-\d.]+) ([-\d.]+) m ([-\d.]+) ([-\d.]+) l S/g)];
  return lines.every(([, ...numbers]) => {
    const [x1, y1, x2, y2] = numbers.map(Number) as [number, number, number, number];
    const isBeside = Math.max(x1, x2) < bleed[0] || Math.min(x1, x2) > bleed[2];
    const isAbove = Math.max(y1, y2) < bleed[1] || Math.min(y1, y2) > bleed[3];
    return isBeside || isAbove;
  });
}
