import { applies, type Findings } from './collect_findings.ts';
import { interpretPage, type Shared } from './content/interpret.ts';
import type { Mark } from './content/mark.ts';
import { type Box, grown, overlap, union } from './content/matrix.ts';
import { SHAPES_MAX } from './limits.ts';
import type { PdfDocument } from './pdf/document.ts';
import { ALL_INKS, inksOf, isPaper, isProcess, totalInk } from './pdf/inks.ts';
import { type ImageLook, lookAtImage } from './pdf/look_at_image.ts';
import { type PdfPage, trimOf } from './pdf/pages.ts';
import type { PageFacts } from './rules/facts.ts';
import { IMAGE_RULES } from './rules/image_rules.ts';
import { MARK_RULES } from './rules/mark_rules.ts';
import { PAGE_RULES } from './rules/page_rules.ts';
import type { Judged } from './rules/rule.ts';
import { WorkSpent } from './work_budget.ts';

/** State of a preflight run, shared by all pages. */
export interface Looking {
  readonly document: PdfDocument;
  readonly judged: Judged;
  readonly findings: Findings;
  readonly shared: Shared;
  readonly spots: Set<string>;
  readonly looks: Map<string, ImageLook | undefined>;
  /** Images whose inspection exceeded the work budget. */
  readonly unread: Set<string>;
  /** Maximum total area coverage of colours in inks, in per cent. */
  readonly ink: { most: number | undefined };
}

/** Content of a page for its drawing. */
export interface PageShapes {
  readonly page: PdfPage;
  readonly marks: readonly Mark[];
  /** Extent of the check: `all`; `part` of the content; `content` without the page rules. */
  readonly checked: 'all' | 'part' | 'content';
}

const SPOTS_MAX = 64;
const PROBLEMS_MAX = 10;
/** Maximum images inspected per file. */
const LOOKS_MAX = 200;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const factsOf = (page: PdfPage, problems: Set<string>): Writable<PageFacts> => ({
  page,
  marks: 0,
  reach: undefined,
  covered: 0,
  problems,
  largest: undefined,
});

/** Applies the mark, image and page rules to one page. */
export async function preflightPage(page: PdfPage, looking: Looking): Promise<PageShapes> {
  const { document, judged, findings, shared } = looking;
  const problems = new Set<string>();
  const facts = factsOf(page, problems);
  const rules = MARK_RULES.filter((rule) => applies(rule, judged));
  const shapes: Mark[] = [];
  const isWhole = await whileAffordable(async () => {
    interpretPage(document, page, {
      shared,
      onProblem: (text) => problems.size < PROBLEMS_MAX && problems.add(text),
      onMark: (mark) => {
        if (shapes.length < SHAPES_MAX) shapes.push(mark);
        measure(facts, mark, looking.spots);
        noteInk(looking, inkOfMark(mark));
        for (const rule of rules) {
          const { box, object } = mark;
          findings.add(rule, rule.check(mark, judged, facts), { page, box, object, once: rule.once?.(mark) });
        }
      },
    });
    await lookAtImages(shapes, page, looking);
  });
  const isAll = isWhole && (await whileAffordable(() => preflightBoxes(looking, facts, { isWhole })));
  return { page, marks: shapes, checked: isAll ? 'all' : isWhole ? 'content' : 'part' };
}

/** Applies the page rules that do not depend on content, for a page whose content was not interpreted. */
export function preflightBoxesAlone(page: PdfPage, looking: Looking): void {
  preflightBoxes(looking, factsOf(page, new Set()), { isWhole: false });
}

function preflightBoxes(
  { document, judged, findings }: Looking,
  facts: PageFacts,
  { isWhole }: { readonly isWhole: boolean },
): void {
  for (const rule of PAGE_RULES)
    if (applies(rule, judged) && (isWhole || !rule.needsContent))
      findings.add(rule, rule.check(facts, document, judged), { page: facts.page });
}

/** Runs work. False if the work budget was exhausted before its end. */
export async function whileAffordable(work: () => Promise<void> | void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof WorkSpent) return false;
    throw error;
  }
}

function noteInk({ ink }: Looking, percent: number | undefined): void {
  if (percent !== undefined) ink.most = Math.max(ink.most ?? 0, Math.round(percent));
}

/** Total area coverage of text, areas and gradients. Images are inspected separately. */
function inkOfMark({ kind, paint, isInvisible }: Mark): number | undefined {
  if (kind === 'image' || isInvisible) return undefined;
  const values = paint.inkiest ?? (paint.pattern === undefined ? paint.values : []);
  const inks = values.length > 0 ? inksOf(paint.space, values) : undefined;
  return inks && !inks.has(ALL_INKS) ? totalInk(inks) : undefined;
}

const BESIDE_PT = 0.01;

/** Records the painted area, its extent and the spot colours of a page. */
function measure(facts: Writable<PageFacts>, mark: Mark, spots: Set<string>): void {
  const inks = mark.paint.values.length > 0 ? inksOf(mark.paint.space, mark.paint.values) : undefined;
  for (const ink of mark.paint.space.inks ?? mark.paint.space.base?.inks ?? [])
    if (!isProcess(ink) && ink !== ALL_INKS && ink !== 'None' && spots.size < SPOTS_MAX)
      spots.add(ink.slice(0, 100));
  if (mark.isInvisible || mark.isOfTile) return;
  facts.marks += 1;
  if (inks && isPaper(inks)) return;
  const trim = trimOf(facts.page);
  // Content that fills only the bleed may start a rounding error away from the trim.
  if (!inks?.has(ALL_INKS) && overlap(mark.box, grown(trim, BESIDE_PT)))
    facts.reach = union(facts.reach, mark.box);
  const touched = overlap(mark.box, trim);
  if (!touched) return;
  const area = areaOf(touched);
  facts.covered += area;
  if (!facts.largest || area > areaOf(facts.largest.box)) facts.largest = mark;
}

const areaOf = ({ left, right, bottom, top }: Box): number => (right - left) * (top - bottom);

/** Inspects each image once, however often it is placed. */
async function lookAtImages(marks: readonly Mark[], page: PdfPage, looking: Looking): Promise<void> {
  const { document, judged, findings, looks, unread } = looking;
  for (const mark of marks) {
    const { image, box, object } = mark;
    if (!image || looks.has(image.key) || looks.size >= LOOKS_MAX) continue;
    const look = await lookAtImage(document, image);
    if (look === 'too_much_work') unread.add(image.key);
    const seen = look === 'too_much_work' ? undefined : look;
    looks.set(image.key, seen);
    noteInk(looking, seen?.inkPercent);
    for (const rule of IMAGE_RULES)
      findings.add(rule, rule.check({ mark, look: seen }, judged), { page, box, object });
  }
}
