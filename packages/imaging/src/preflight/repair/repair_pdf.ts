import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { INK_TOLERANCE, type InkLimit, inkLimitOfCondition } from '../../print/ink_limit.ts';
import { outputIntent } from '../../print/write_pdf.ts';
import { ResourceConverter } from '../convert/convert_resources.ts';
import { flateStream } from '../convert/flate_stream.ts';
import { NewDocument, TooManyObjects } from '../convert/new_document.ts';
import { PressColors } from '../convert/press_colors.ts';
import { writeValue } from '../convert/write_value.ts';
import { fontChanges, fontsLeft } from '../fonts/font_notes.ts';
import { FontReplacer } from '../fonts/replace_fonts.ts';
import { PAGES_MAX, STAGE_NS } from '../limits.ts';
import { OutlinedFonts, OutliningError } from '../outline/outlined_fonts.ts';
import { PdfDocument } from '../pdf/document.ts';
import { Lexer } from '../pdf/lexer.ts';
import { contentOf, type PdfPage, readPages } from '../pdf/pages.ts';
import {
  isDictionary,
  Name,
  nameOf,
  type PdfDictionary,
  PdfStream,
  type PdfValue,
  type Reference,
} from '../pdf/values.ts';
import { readFacts } from '../rules/read_facts.ts';
import type { PreflightReport } from '../types.ts';
import { unlimitedBudget, WorkBudget, WorkBudgetExceeded } from '../work_budget.ts';
import { BLEED_MM, mirroredBleed, type RepairedBoxes, repairedBoxes } from './page_bleed.ts';
import type { Repair, RepairPress } from './types.ts';

/** Work budget for reading, converting and writing a file, in nominal nanoseconds. */
const REPAIR_NS = 4e9;
const FORM = 'AtelierPage';

/**
 * Repairs a PDF without rasterising it: converts RGB and Lab to inks, sets page boxes and bleed, adds an output intent,
 * embeds metric-compatible fonts for missing ones, removes scripts and attachments. Text and vectors stay live.
 * @param report preflight report of the same file
 */
export async function repairPdf(
  bytes: Uint8Array,
  report: PreflightReport,
  press: RepairPress,
): Promise<Repair> {
  try {
    const work = new WorkBudget(STAGE_NS.structure + REPAIR_NS);
    const document = new PdfDocument(bytes, work);
    const refusal = refusalOf(document, report);
    if (refusal) return { changes: [], left: [refusal] };
    const repair = await new PdfRepair(document, report, press).run();
    return press.readGlyphs ? await withOutlines(bytes, { repair, report, press }) : repair;
  } catch (error) {
    if (!(error instanceof WorkBudgetExceeded) && !(error instanceof TooManyObjects)) throw error;
    const reason =
      'This PDF has too many objects or operators to be repaired. Export it again from the program that created it, or split it.';
    return { changes: [], left: [reason] };
  }
}

/** Converts the text of a repaired file, whose fonts are embedded by then, to outlines. */
async function withOutlines(
  bytes: Uint8Array,
  { repair, report, press }: { repair: Repair; report: PreflightReport; press: RepairPress },
): Promise<Repair> {
  const sent = repair.bytes ?? bytes;
  try {
    const document = new PdfDocument(sent, new WorkBudget(STAGE_NS.structure + REPAIR_NS));
    const fonts = new OutlinedFonts(document, press.readGlyphs!);
    const made = await new PdfRepair(document, report, press).outlined(fonts);
    return {
      bytes: made.bytes,
      changes: [...repair.changes, ...made.changes],
      left: [...repair.left, ...made.left],
    };
  } catch (error) {
    if (
      !(error instanceof OutliningError) &&
      !(error instanceof WorkBudgetExceeded) &&
      !(error instanceof TooManyObjects)
    )
      throw error;
    const why = error instanceof OutliningError ? error.message : 'it has too much text';
    const text = `Its text was not converted to outlines because ${why}. Export the file with text as outlines.`;
    return { ...repair, left: [...repair.left, text] };
  }
}

/** Returns the reason why a file is not repaired. */
function refusalOf(document: PdfDocument, report: PreflightReport): string | undefined {
  if (document.isEncrypted)
    return 'It is encrypted, so nothing was repaired. Save it without a password and send that file.';
  const root = document.dictionary(document.trailer.get('Root'));
  const form = document.dictionary(root?.get('AcroForm'));
  if (form && document.list(form.get('Fields')).length > 0)
    return 'It has form fields, so nothing was repaired: their content would be lost. Flatten the form (print it to PDF) and send that file.';
  if (report.pages > PAGES_MAX)
    return `It has ${report.pages} pages, so nothing was repaired: the limit is ${PAGES_MAX}. Split the file.`;
  const blendsInRgb = report.findings.some(({ rule }) => rule === 'group_in_rgb');
  if (blendsInRgb && report.inks.length > 0)
    return `Its transparency is blended in RGB together with the spot ${report.inks.length === 1 ? 'colour' : 'colours'} ${report.inks.slice(0, 3).join(', ')}, so nothing was repaired: in CMYK they would blend differently. Set the blending space to CMYK in the program that created it.`;
  return report.pages === 0 ? 'It has no pages, so there is nothing to repair.' : undefined;
}

/** Repair of one file. */
class PdfRepair {
  readonly #document: PdfDocument;
  readonly #report: PreflightReport;
  readonly #press: RepairPress;
  readonly #made: NewDocument;
  readonly #changes: string[] = [];
  readonly #left: string[] = [];
  readonly #boxed: number[] = [];
  readonly #mirrored: number[] = [];
  #links = 0;

  constructor(document: PdfDocument, report: PreflightReport, press: RepairPress) {
    this.#document = document;
    this.#report = report;
    this.#press = press;
    this.#made = new NewDocument(document);
  }

  /** Converts the text of the file to outlines. @throws OutliningError, WorkBudgetExceeded, TooManyObjects */
  async outlined(fonts: OutlinedFonts): Promise<Required<Repair>> {
    const made = this.#made;
    const root = made.reserve();
    const { intents, link } = this.#intents();
    const converter = new ResourceConverter(this.#document, made, new PressColors(link), fonts);
    const pages = await this.#pages(converter);
    made.set(root, this.#catalogue({ pages, intents }));
    const { outlined, notOutlined } = converter.converted;
    const kept = [...notOutlined].slice(0, 8).join(', ');
    return {
      bytes: this.#write(root),
      changes:
        outlined > 0 ? ['Text was converted to outlines: it can no longer be searched or edited.'] : [],
      left:
        kept === '' ? [] : [`Text in these fonts stays text because their glyphs cannot be read: ${kept}.`],
    };
  }

  async run(): Promise<Repair> {
    const document = this.#document;
    const made = this.#made;
    const rootRef = made.reserve();
    const { intents, link, limit } = this.#intents();
    const { mostPercent = 0 } = this.#report.ink;
    const inkLimit = mostPercent > limit.percent + INK_TOLERANCE ? limit.percent : undefined;
    const fonts = new FontReplacer(document, made, this.#press.readFont);
    const converter = new ResourceConverter(document, made, new PressColors(link, inkLimit), fonts);
    const pagesRef = await this.#pages(converter);
    fonts.writeFonts();
    made.set(rootRef, this.#catalogue({ pages: pagesRef, intents }));
    this.#reportColors(converter.converted);
    this.#reportInk(converter.converted.reduced, limit);
    if (converter.resetOverprintMode())
      this.#changes.push(
        'Overprint mode 1 was set to 0: after conversion to inks, white and light colours would not have knocked out what is below them.',
      );
    this.#changes.push(...fontChanges(fonts.outcome));
    this.#left.push(...fontsLeft(fonts.outcome));
    this.#reportPages();
    this.#reportUnrepaired();
    if (this.#changes.length === 0) return { changes: [], left: this.#left };
    const bytes = this.#write(rootRef);
    return { bytes, changes: this.#changes, left: this.#left };
  }

  /** Converts the page tree. */
  async #pages(converter: ResourceConverter): Promise<Reference> {
    const made = this.#made;
    const { pages } = readPages(this.#document);
    const tree = made.reserve();
    const places = pages.map((page) => {
      const reference = made.reserve();
      if (page.object !== undefined) made.replace(page.object, reference);
      return reference;
    });
    for (const [index, page] of pages.entries())
      made.set(places[index]!, await this.#page(page, { converter, parent: tree }));
    made.set(
      tree,
      new Map<string, PdfValue>([
        ['Type', new Name('Pages')],
        ['Kids', [...places]],
        ['Count', places.length],
      ]),
    );
    return tree;
  }

  #write(root: Reference): Uint8Array {
    const { version } = readFacts(this.#document);
    return this.#made.write({
      root,
      info: this.#info(),
      version: /^1\.[3-7]$|^2\.0$/.test(version) ? version : '1.6',
      documentId: createHash('sha256').update(this.#document.bytes).digest('hex').slice(0, 32),
    });
  }

  /** Uses the output intent of the file if its profile can be read, otherwise the printing condition of the request. */
  #intents(): { intents: PdfValue; link: RepairPress['fromSrgb']; limit: InkLimit } {
    const document = this.#document;
    const all = document
      .list(document.dictionary(document.trailer.get('Root'))?.get('OutputIntents'))
      .map((one) => document.dictionary(one))
      .filter((one) => isDictionary(one) && nameOf(document.get(one, 'S')) === 'GTS_PDFX') as PdfDictionary[];
    for (const intent of all) {
      const profile = document.resolve(intent.get('DestOutputProfile'));
      const link =
        profile instanceof PdfStream ? this.#press.linkFor(document.decode(profile).data) : undefined;
      if (!link) continue;
      if (all.length > 1) this.#changes.push('One output intent was kept; the others were removed.');
      return { intents: [this.#made.copy(intent)], link, limit: this.#report.ink.limit };
    }
    const { condition, fromSrgb } = this.#press;
    const profile = this.#made.add(
      new PdfStream(
        new Map<string, PdfValue>([
          ['N', 4],
          ['Filter', new Name('FlateDecode')],
        ]),
        deflateSync(condition.profile),
      ),
    );
    const intent = new Lexer(
      Buffer.from(outputIntent(condition, profile.number), 'latin1'),
      unlimitedBudget(),
    ).value() as PdfDictionary;
    this.#changes.push(`An output intent was added: ${condition.name}.`);
    return { intents: [intent], link: fromSrgb, limit: inkLimitOfCondition(condition) };
  }

  async #page(
    page: PdfPage,
    { converter, parent }: { converter: ResourceConverter; parent: Reference },
  ): Promise<PdfDictionary> {
    const document = this.#document;
    const made = this.#made;
    const boxes = repairedBoxes(document, page);
    this.#recordBoxes(page, boxes);
    const { data } = contentOf(document, page);
    const own = await converter.content(data, { resources: page.resources, depth: 0 });
    const result: PdfDictionary = new Map<string, PdfValue>([
      ['Type', new Name('Page')],
      ['Parent', parent],
      ['MediaBox', boxArray(boxes.media)],
      ['BleedBox', boxArray(boxes.bleed)],
      ['TrimBox', boxArray(boxes.trim)],
    ]);
    for (const key of ['UserUnit', 'Tabs', 'TrapNet'])
      if (page.dictionary.has(key)) result.set(key, made.copy(page.dictionary.get(key)));
    if (page.rotate !== 0) result.set('Rotate', page.rotate);
    const group = page.dictionary.get('Group');
    if (group !== undefined) result.set('Group', converter.group(group));
    const annotations = this.#annotations(page);
    if (annotations.length > 0) result.set('Annots', annotations);
    if (boxes.mirrorAxes.size === 0) {
      result.set('Resources', own.resources);
      result.set('Contents', made.add(flateStream(new Map(), own.data)));
      return result;
    }
    const form = made.add(
      flateStream(
        new Map<string, PdfValue>([
          ['Type', new Name('XObject')],
          ['Subtype', new Name('Form')],
          ['BBox', boxArray(boxes.media)],
          ['Resources', own.resources],
        ]),
        own.data,
      ),
    );
    const content = mirroredBleed(boxes, FORM);
    result.set('Resources', new Map([['XObject', new Map([[FORM, form as PdfValue]])]]));
    result.set('Contents', made.add(flateStream(new Map(), Buffer.from(content, 'latin1'))));
    return result;
  }

  /** Removes links, which have no use in print. */
  #annotations(page: PdfPage): PdfValue[] {
    const document = this.#document;
    return document.list(page.dictionary.get('Annots')).flatMap((one) => {
      const kind = nameOf(document.get(document.dictionary(one), 'Subtype'));
      if (kind !== 'Link' && kind !== 'Popup') return [this.#made.copy(one)];
      this.#links += 1;
      return [];
    });
  }

  #catalogue({ pages, intents }: { pages: Reference; intents: PdfValue }): PdfDictionary {
    const document = this.#document;
    const root = document.dictionary(document.trailer.get('Root')) ?? new Map<string, PdfValue>();
    const result: PdfDictionary = new Map<string, PdfValue>([
      ['Type', new Name('Catalog')],
      ['Pages', pages],
      ['OutputIntents', intents],
    ]);
    for (const key of ['Metadata', 'OCProperties', 'ViewerPreferences', 'PageLabels', 'Lang'])
      if (root.has(key)) result.set(key, this.#made.copy(root.get(key)));
    const names = document.dictionary(root.get('Names'));
    const removed = [
      (root.has('OpenAction') || root.has('AA') || names?.has('JavaScript')) && 'scripts and actions',
      names?.has('EmbeddedFiles') && 'attachments',
      this.#links > 0 && `${this.#links} ${this.#links === 1 ? 'link' : 'links'}`,
    ].filter((one) => typeof one === 'string');
    if (removed.length > 0)
      this.#changes.push(`Content without use in print was removed: ${removed.join(', ')}.`);
    return result;
  }

  #info(): Reference {
    const found =
      this.#document.dictionary(this.#document.trailer.get('Info')) ?? new Map<string, PdfValue>();
    const info = this.#made.copy(found) as PdfDictionary;
    if (this.#report.standard !== 'none' && !info.has('Trapped')) info.set('Trapped', new Name('False'));
    return this.#made.add(info);
  }

  #recordBoxes(page: PdfPage, boxes: RepairedBoxes): void {
    const { media, bleed, trim, crop } = page;
    const before = [media, bleed, trim, crop ?? media].map((one) => one && writeValue(boxArray(one)));
    const after = [boxes.media, boxes.bleed, boxes.trim, boxes.media].map((one) => writeValue(boxArray(one)));
    if (before.some((one, at) => one !== after[at]) || page.art) this.#boxed.push(page.number);
    if (boxes.mirrorAxes.size > 0) this.#mirrored.push(page.number);
  }

  #reportColors({ colors, images, gradients, blendSpaces, left }: ResourceConverter['converted']): void {
    const counted = (count: number, one: string) => count > 0 && `${count} ${one}${count === 1 ? '' : 's'}`;
    const parts = [
      counted(colors, 'colour setting'),
      counted(images, 'image'),
      counted(gradients, 'gradient'),
      counted(blendSpaces, 'blending space'),
    ].filter((one) => typeof one === 'string');
    if (parts.length > 0)
      this.#changes.push(
        `RGB was converted to the inks of the printing condition: ${parts.join(', ')}. Neutral greys and black use black ink only.`,
      );
    for (const what of left)
      this.#left.push(`Left unchanged: ${what}. Convert it in the program that created it.`);
  }

  #reportInk(places: number, { percent, condition }: InkLimit): void {
    if (places === 0) return;
    const { mostPercent = 0 } = this.#report.ink;
    this.#changes.push(
      `Ink was reduced to the ${percent} % that ${condition} allows, in ${places} ${places === 1 ? 'place' : 'places'} with up to ${mostPercent} %: black was kept, cyan, magenta and yellow were reduced in proportion.`,
    );
  }

  #reportPages(): void {
    if (this.#boxed.length > 0)
      this.#changes.push(
        `MediaBox, BleedBox and TrimBox were set, with at least ${BLEED_MM} mm of bleed: ${pagesText(this.#boxed)}.`,
      );
    if (this.#mirrored.length > 0)
      this.#changes.push(
        `The bleed was filled with the mirror image of the page: ${pagesText(this.#mirrored)}.`,
      );
  }

  /** Reports findings that a repair cannot fix. */
  #reportUnrepaired(): void {
    const rules = new Set(this.#report.findings.map(({ rule }) => rule));
    for (const [rule, text] of NOT_REPAIRED) if (rules.has(rule)) this.#left.push(text);
  }
}

const NOT_REPAIRED: readonly (readonly [string, string])[] = [
  [
    'transparency',
    'Transparency was not flattened: text would be rasterised. Export the file as PDF/X-4, or flatten it in the program that created it.',
  ],
];

const boxArray = ({ left, bottom, right, top }: RepairedBoxes['trim']): PdfValue[] => [
  left,
  bottom,
  right,
  top,
];

const pagesText = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? `page ${numbers[0]}`
    : numbers.length > 8
      ? `${numbers.length} pages`
      : `pages ${numbers.join(', ')}`;
