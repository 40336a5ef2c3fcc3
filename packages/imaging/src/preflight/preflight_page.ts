import { appliesTo, type Findings } from './collect_findings.ts';
import { type DocumentCache, interpretPage } from './content/interpret.ts';
import type { Mark } from './content/mark.ts';
import { type Box, expandBox, intersection, union } from './content/matrix.ts';
import { SHAPES_MAX } from './limits.ts';
import type { PdfDocument } from './pdf/document.ts';
import { ALL_INKS, inksOf, isPaper, isProcessInk, totalInk } from './pdf/inks.ts';
import { type ImageInspection, inspectImage } from './pdf/inspect_image.ts';
import { type PdfPage, trimOf } from './pdf/pages.ts';
import type { PageFacts } from './rules/facts.ts';
import { IMAGE_RULES } from './rules/image_rules.ts';
import { MARK_RULES } from './rules/mark_rules.ts';
import { PAGE_RULES } from './rules/page_rules.ts';
import type { PreflightCriteria } from './rules/rule.ts';
import { WorkBudgetExceeded } from './work_budget.ts';

/** State of a preflight run, shared by all pages. */
export interface PreflightState {
  readonly document: PdfDocument;
  readonly criteria: PreflightCriteria;
  readonly findings: Findings;
  readonly shared: DocumentCache;
  readonly spots: Set<string>;
  readonly inspections: Map<string, ImageInspection | undefined>;
  /** Images whose inspection exceeded the work budget. */
  readonly uninspected: Set<string>;
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
const INSPECTED_IMAGES_MAX = 200;
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const createPageFacts = (page: PdfPage, problems: Set<string>): Writable<PageFacts> => ({
  page,
  marks: 0,
  paintedBox: undefined,
  coveredArea: 0,
  problems,
  largest: undefined,
});

/** Applies the mark, image and page rules to one page. */
export async function preflightPage(page: PdfPage, state: PreflightState): Promise<PageShapes> {
  const { document, criteria, findings, shared } = state;
  const problems = new Set<string>();
  const facts = createPageFacts(page, problems);
  const rules = MARK_RULES.filter((rule) => appliesTo(rule, criteria));
  const shapes: Mark[] = [];
  const isWhole = await withinBudget(async () => {
    interpretPage(document, page, {
      shared,
      onProblem: (text) => problems.size < PROBLEMS_MAX && problems.add(text),
      onMark: (mark) => {
        if (shapes.length < SHAPES_MAX) shapes.push(mark);
        measureMark(facts, mark, state.spots);
        recordInk(state, inkOfMark(mark));
        for (const rule of rules) {
          const { box, object } = mark;
          findings.add(rule, rule.check(mark, criteria, facts), {
            page,
            box,
            object,
            deduplicationKey: rule.deduplicationKey?.(mark),
          });
        }
      },
    });
    await inspectImages(shapes, page, state);
  });
  const isAll = isWhole && (await withinBudget(() => preflightBoxes(state, facts, { isWhole })));
  return { page, marks: shapes, checked: isAll ? 'all' : isWhole ? 'content' : 'part' };
}

/** Applies the page rules that do not depend on content, for a page whose content was not interpreted. */
export function preflightBoxesOnly(page: PdfPage, state: PreflightState): void {
  preflightBoxes(state, createPageFacts(page, new Set()), { isWhole: false });
}

function preflightBoxes(
  { document, criteria, findings }: PreflightState,
  facts: PageFacts,
  { isWhole }: { readonly isWhole: boolean },
): void {
  for (const rule of PAGE_RULES)
    if (appliesTo(rule, criteria) && (isWhole || !rule.needsContent))
      findings.add(rule, rule.check(facts, document, criteria), { page: facts.page });
}

/** Runs work. False if the work budget was exhausted before its end. */
export async function withinBudget(work: () => Promise<void> | void): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof WorkBudgetExceeded) return false;
    throw error;
  }
}

function recordInk({ ink }: PreflightState, percent: number | undefined): void {
  if (percent !== undefined) ink.most = Math.max(ink.most ?? 0, Math.round(percent));
}

/** Total area coverage of text, areas and gradients. Images are inspected separately. */
function inkOfMark({ kind, paint, isInvisible }: Mark): number | undefined {
  if (kind === 'image' || isInvisible) return undefined;
  const values = paint.maxCoverageColor ?? (paint.pattern === undefined ? paint.values : []);
  const inks = values.length > 0 ? inksOf(paint.space, values) : undefined;
  return inks && !inks.has(ALL_INKS) ? totalInk(inks) : undefined;
}

const ROUNDING_PT = 0.01;

/** Records the painted area, its extent and the spot colours of a page. */
function measureMark(facts: Writable<PageFacts>, mark: Mark, spots: Set<string>): void {
  const inks = mark.paint.values.length > 0 ? inksOf(mark.paint.space, mark.paint.values) : undefined;
  for (const ink of mark.paint.space.inks ?? mark.paint.space.base?.inks ?? [])
    if (!isProcessInk(ink) && ink !== ALL_INKS && ink !== 'None' && spots.size < SPOTS_MAX)
      spots.add(ink.slice(0, 100));
  if (mark.isInvisible || mark.isInPattern) return;
  facts.marks += 1;
  if (inks && isPaper(inks)) return;
  const trim = trimOf(facts.page);
  // Content that fills only the bleed may start a rounding error away from the trim.
  if (!inks?.has(ALL_INKS) && intersection(mark.box, expandBox(trim, ROUNDING_PT)))
    facts.paintedBox = union(facts.paintedBox, mark.box);
  const touched = intersection(mark.box, trim);
  if (!touched) return;
  const area = areaOf(touched);
  facts.coveredArea += area;
  if (!facts.largest || area > areaOf(facts.largest.box)) facts.largest = mark;
}

const areaOf = ({ left, right, bottom, top }: Box): number => (right - left) * (top - bottom);

/** Inspects each image once, however often it is placed. */
async function inspectImages(marks: readonly Mark[], page: PdfPage, state: PreflightState): Promise<void> {
  const { document, criteria, findings, inspections, uninspected } = state;
  for (const mark of marks) {
    const { image, box, object } = mark;
    if (!image || inspections.has(image.key) || inspections.size >= INSPECTED_IMAGES_MAX) continue;
    const inspection = await inspectImage(document, image);
    if (inspection === 'too_much_work') uninspected.add(image.key);
    const seen = inspection === 'too_much_work' ? undefined : inspection;
    inspections.set(image.key, seen);
    recordInk(state, seen?.inkPercent);
    for (const rule of IMAGE_RULES)
      findings.add(rule, rule.check({ mark, inspection: seen }, criteria), { page, box, object });
  }
}
