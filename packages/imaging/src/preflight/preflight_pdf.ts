import { EngineError } from '../errors/engine_error.ts';
import { appliesTo, Findings } from './collect_findings.ts';
import { createDocumentCache } from './content/interpret.ts';
import { MM_PER_POINT } from './content/matrix.ts';
import { drawPages } from './draw/draw_pages.ts';
import { DRAWINGS_MAX, STAGE_NS } from './limits.ts';
import { PdfDocument } from './pdf/document.ts';
import { ObjectTraversal } from './pdf/follow_objects.ts';
import { PdfReadError } from './pdf/lexer.ts';
import { type PdfPage, readPages, trimOf } from './pdf/pages.ts';
import {
  type PageShapes,
  type PreflightState,
  preflightBoxesOnly,
  preflightPage,
  withinBudget,
} from './preflight_page.ts';
import { DOCUMENT_RULES, INCOMPLETE_CHECK } from './rules/document_rules.ts';
import type { DocumentFacts } from './rules/facts.ts';
import { OBJECT_RULES } from './rules/object_rules.ts';
import { claimOf, inkLimitIn, readFacts, standardOf } from './rules/read_facts.ts';
import type { PreflightCriteria } from './rules/rule.ts';
import { RULES } from './rules/rules.ts';
import type { PreflightReport, PreflightRequest } from './types.ts';
import { WorkBudget, WorkBudgetExceeded } from './work_budget.ts';

/** Engine name and version in reports. */
export const PREFLIGHT_ENGINE = { name: 'atelier-preflight', version: '1' } as const;

type OnProgress = (fraction: number, message: string) => void;

/** @throws EngineError undecodable_image if the file cannot be read as PDF */
export async function preflightPdf(
  request: PreflightRequest,
  onProgress: OnProgress,
): Promise<PreflightReport> {
  try {
    const document = new PdfDocument(request.bytes, new WorkBudget(STAGE_NS.structure));
    return await runPreflight(document, request, onProgress);
  } catch (error) {
    if (error instanceof WorkBudgetExceeded)
      throw new EngineError(
        'undecodable_image',
        'This PDF is too complex to check: finding its objects and pages takes too long. Export it again from the program that created it, or split it.',
      );
    if (!(error instanceof PdfReadError)) throw error;
    throw new EngineError(
      'undecodable_image',
      `This PDF cannot be read: ${error.message}. Export it again, or send it as TIFF.`,
    );
  }
}

async function runPreflight(
  document: PdfDocument,
  { standard: asked }: PreflightRequest,
  onProgress: OnProgress,
): Promise<PreflightReport> {
  const read = readFacts(document);
  const claimed = claimOf(read);
  const standard = asked === 'claimed' ? standardOf(claimed) : asked;
  const intent = read.intents.find(({ subtype }) => subtype === 'GTS_PDFX')?.profile?.space;
  const ink = inkLimitIn(document, read.intents);
  const criteria: PreflightCriteria = { standard, intent, ink };
  const { pages, count } = readPages(document);
  const state: PreflightState = {
    document,
    criteria,
    findings: new Findings(criteria),
    shared: createDocumentCache(),
    spots: new Set<string>(),
    inspections: new Map(),
    uninspected: new Set<string>(),
    ink: { most: undefined },
  };
  const unchecked: string[] = [];
  const drawable = document.isEncrypted ? [] : await checkPages(pages, { state, unchecked, onProgress });
  if (!document.isEncrypted) await checkObjects(pages, { state, unchecked });
  if (pages.length < count) unchecked.push(`the first ${pages.length} of ${count} pages were checked`);
  const { findings, spots } = state;
  const facts: DocumentFacts = { ...read, document, pages, pageCount: count, spots, unchecked };
  await checkDocument(facts, state);
  const [first] = pages;
  const { reported, drawings } = await drawPages(findings.sorted(), drawable, state.inspections);
  return {
    kind: 'pdf',
    version: `PDF ${read.version}`,
    claimed: claimed ?? null,
    standard,
    pages: count,
    pagesRead: document.isEncrypted ? 0 : pages.length,
    trimMm: first ? sizeOf(first) : null,
    inks: [...spots],
    ink: { limit: ink, mostPercent: state.ink.most },
    counts: findings.counts,
    findings: reported,
    omitted: findings.total - reported.length,
    rulesRun: RULES.filter((rule) => rule.about !== 'tiff' && appliesTo(rule, criteria)).length,
    drawings,
    engine: PREFLIGHT_ENGINE,
  };
}

interface Stage {
  readonly state: PreflightState;
  /** Checks that were skipped, as clauses that follow "Too complex to check fully: ". */
  readonly unchecked: string[];
}

/** Applies the page and mark rules. Returns the pages worth drawing. */
async function checkPages(
  pages: readonly PdfPage[],
  { state, unchecked, onProgress }: Stage & { readonly onProgress: OnProgress },
): Promise<PageShapes[]> {
  const { document, findings, shared, uninspected } = state;
  const kept: PageShapes[] = [];
  document.work.allow(STAGE_NS.pages);
  let cutAt: PdfPage | undefined;
  for (const page of pages) {
    const before = findings.total;
    const shapes = await preflightPage(page, state);
    const hasFaults = findings.total > before;
    // The first page is drawn if no page has findings.
    if (kept.length === 0 || (hasFaults && kept.length <= DRAWINGS_MAX)) kept.push(shapes);
    if (shapes.checked !== 'all') {
      cutAt = page;
      const rest = pages.slice(page.number - 1 + (shapes.checked === 'content' ? 1 : 0));
      document.work.allow(STAGE_NS.objects);
      await withinBudget(() => {
        for (const one of rest) preflightBoxesOnly(one, state);
      });
      break;
    }
    onProgress(0.1 + (0.8 * page.number) / pages.length, `Page ${page.number} of ${pages.length}`);
  }
  if (cutAt)
    unchecked.push(
      `the first ${shared.operators} operators were checked, up to page ${cutAt.number} of ${pages.length}`,
    );
  if (uninspected.size > 0) unchecked.push(`the pixels of ${uninspected.size} images were not checked`);
  return kept;
}

/** Applies the object rules to every reachable object. */
async function checkObjects(pages: readonly PdfPage[], { state, unchecked }: Stage): Promise<void> {
  const { document, criteria, findings } = state;
  const rules = OBJECT_RULES.filter((rule) => appliesTo(rule, criteria));
  const follower = new ObjectTraversal(document);
  const inspection =
    (page?: PdfPage) => (dictionary: Parameters<(typeof rules)[0]['check']>[0], number?: number) => {
      const object = number === undefined ? undefined : `object ${number}`;
      for (const rule of rules)
        findings.add(rule, rule.check(dictionary, document, criteria), { pageNumber: page?.number, object });
    };
  document.work.allow(STAGE_NS.objects);
  const isWhole = await withinBudget(() => {
    for (const page of pages) follower.visitFrom(page.dictionary, inspection(page), page.object);
    follower.visitFrom(document.trailer.get('Root'), inspection());
  });
  if (!isWhole || follower.remaining <= 0)
    unchecked.push(`the first ${follower.followed} objects were checked`);
}

/** Applies the document rules. A rule that exceeds the work budget is skipped and reported. */
async function checkDocument(facts: DocumentFacts, { criteria, findings }: PreflightState): Promise<void> {
  const { document } = facts;
  const skipped: string[] = [];
  document.work.allow(STAGE_NS.rules);
  const rules = DOCUMENT_RULES.filter(
    (rule) => appliesTo(rule, criteria) && (!document.isEncrypted || rule.id === 'encrypted'),
  );
  for (const rule of rules) {
    const isJudged = await withinBudget(() => findings.add(rule, rule.check(facts, criteria)));
    if (!isJudged) skipped.push(rule.id);
  }
  if (skipped.length === 0) return;
  const unchecked = [...facts.unchecked, `these rules were skipped: ${skipped.join(', ')}`];
  findings.add(INCOMPLETE_CHECK, INCOMPLETE_CHECK.check({ ...facts, unchecked }, criteria));
}

function sizeOf(page: PdfPage): { width: number; height: number } {
  const { left, right, bottom, top } = trimOf(page);
  const [width, height] = [right - left, top - bottom].map(
    (side) => Math.round(Math.min(1e7, side * MM_PER_POINT * page.userUnit) * 100) / 100,
  ) as [number, number];
  return page.rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}
