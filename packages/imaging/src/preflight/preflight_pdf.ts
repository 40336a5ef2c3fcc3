import { EngineError } from '../errors/engine_error.ts';
import { applies, Findings } from './collect_findings.ts';
import { newShared } from './content/interpret.ts';
import { MM_PER_POINT } from './content/matrix.ts';
import { drawPages } from './draw/draw_pages.ts';
import { DRAWINGS_MAX, STAGE_NS } from './limits.ts';
import { PdfDocument } from './pdf/document.ts';
import { Follower } from './pdf/follow_objects.ts';
import { PdfProblem } from './pdf/lexer.ts';
import { type PdfPage, readPages, trimOf } from './pdf/pages.ts';
import {
  type Looking,
  type PageShapes,
  preflightBoxesAlone,
  preflightPage,
  whileAffordable,
} from './preflight_page.ts';
import { DOCUMENT_RULES, NOT_ALL_LOOKED_AT } from './rules/document_rules.ts';
import type { DocumentFacts } from './rules/facts.ts';
import { OBJECT_RULES } from './rules/object_rules.ts';
import { claimOf, inkLimitIn, readFacts, standardOf } from './rules/read_facts.ts';
import type { Judged } from './rules/rule.ts';
import { RULES } from './rules/rules.ts';
import type { PreflightReport, PreflightRequest } from './types.ts';
import { WorkBudget, WorkSpent } from './work_budget.ts';

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
    return await lookAt(document, request, onProgress);
  } catch (error) {
    if (error instanceof WorkSpent)
      throw new EngineError(
        'undecodable_image',
        'This PDF is too complex to check: finding its objects and pages takes too long. Export it again from the program that created it, or split it.',
      );
    if (!(error instanceof PdfProblem)) throw error;
    throw new EngineError(
      'undecodable_image',
      `This PDF cannot be read: ${error.message}. Export it again, or send it as TIFF.`,
    );
  }
}

async function lookAt(
  document: PdfDocument,
  { standard: asked }: PreflightRequest,
  onProgress: OnProgress,
): Promise<PreflightReport> {
  const read = readFacts(document);
  const claimed = claimOf(read);
  const standard = asked === 'claimed' ? standardOf(claimed) : asked;
  const intent = read.intents.find(({ subtype }) => subtype === 'GTS_PDFX')?.profile?.space;
  const ink = inkLimitIn(document, read.intents);
  const judged: Judged = { standard, intent, ink };
  const { pages, count } = readPages(document);
  const looking: Looking = {
    document,
    judged,
    findings: new Findings(judged),
    shared: newShared(),
    spots: new Set<string>(),
    looks: new Map(),
    unread: new Set<string>(),
    ink: { most: undefined },
  };
  const unchecked: string[] = [];
  const kept = document.isEncrypted ? [] : await lookAtPages(pages, { looking, unchecked, onProgress });
  if (!document.isEncrypted) await lookAtObjects(pages, { looking, unchecked });
  if (pages.length < count) unchecked.push(`the first ${pages.length} of ${count} pages were checked`);
  const { findings, spots } = looking;
  const facts: DocumentFacts = { ...read, document, pages, pageCount: count, spots, unchecked };
  await judgeDocument(facts, looking);
  const [first] = pages;
  const { told, drawings } = await drawPages(findings.sorted(), kept, looking.looks);
  return {
    kind: 'pdf',
    version: `PDF ${read.version}`,
    claimed: claimed ?? null,
    standard,
    pages: count,
    pagesRead: document.isEncrypted ? 0 : pages.length,
    trimMm: first ? sizeOf(first) : null,
    inks: [...spots],
    ink: { limit: ink, mostPercent: looking.ink.most },
    counts: findings.counts,
    findings: told,
    untold: findings.total - told.length,
    rulesRun: RULES.filter((rule) => rule.about !== 'tiff' && applies(rule, judged)).length,
    drawings,
    engine: PREFLIGHT_ENGINE,
  };
}

interface Stage {
  readonly looking: Looking;
  /** Checks that were skipped, as clauses that follow "Too complex to check fully: ". */
  readonly unchecked: string[];
}

/** Applies the page and mark rules. Returns the pages worth drawing. */
async function lookAtPages(
  pages: readonly PdfPage[],
  { looking, unchecked, onProgress }: Stage & { readonly onProgress: OnProgress },
): Promise<PageShapes[]> {
  const { document, findings, shared, unread } = looking;
  const kept: PageShapes[] = [];
  document.work.allow(STAGE_NS.pages);
  let cutAt: PdfPage | undefined;
  for (const page of pages) {
    const before = findings.total;
    const shapes = await preflightPage(page, looking);
    const hasFaults = findings.total > before;
    // The first page is drawn if no page has findings.
    if (kept.length === 0 || (hasFaults && kept.length <= DRAWINGS_MAX)) kept.push(shapes);
    if (shapes.checked !== 'all') {
      cutAt = page;
      const rest = pages.slice(page.number - 1 + (shapes.checked === 'content' ? 1 : 0));
      document.work.allow(STAGE_NS.objects);
      await whileAffordable(() => {
        for (const one of rest) preflightBoxesAlone(one, looking);
      });
      break;
    }
    onProgress(0.1 + (0.8 * page.number) / pages.length, `Page ${page.number} of ${pages.length}`);
  }
  if (cutAt)
    unchecked.push(
      `the first ${shared.operators} operators were checked, up to page ${cutAt.number} of ${pages.length}`,
    );
  if (unread.size > 0) unchecked.push(`the pixels of ${unread.size} images were not checked`);
  return kept;
}

/** Applies the object rules to every reachable object. */
async function lookAtObjects(pages: readonly PdfPage[], { looking, unchecked }: Stage): Promise<void> {
  const { document, judged, findings } = looking;
  const rules = OBJECT_RULES.filter((rule) => applies(rule, judged));
  const follower = new Follower(document);
  const look =
    (page?: PdfPage) => (dictionary: Parameters<(typeof rules)[0]['check']>[0], number?: number) => {
      const object = number === undefined ? undefined : `object ${number}`;
      for (const rule of rules)
        findings.add(rule, rule.check(dictionary, document, judged), { pageNumber: page?.number, object });
    };
  document.work.allow(STAGE_NS.objects);
  const isWhole = await whileAffordable(() => {
    for (const page of pages) follower.follow(page.dictionary, look(page), page.object);
    follower.follow(document.trailer.get('Root'), look());
  });
  if (!isWhole || follower.left <= 0) unchecked.push(`the first ${follower.followed} objects were checked`);
}

/** Applies the document rules. A rule that exceeds the work budget is skipped and reported. */
async function judgeDocument(facts: DocumentFacts, { judged, findings }: Looking): Promise<void> {
  const { document } = facts;
  const leftOut: string[] = [];
  document.work.allow(STAGE_NS.rules);
  const rules = DOCUMENT_RULES.filter(
    (rule) => applies(rule, judged) && (!document.isEncrypted || rule.id === 'encrypted'),
  );
  for (const rule of rules) {
    const isJudged = await whileAffordable(() => findings.add(rule, rule.check(facts, judged)));
    if (!isJudged) leftOut.push(rule.id);
  }
  if (leftOut.length === 0) return;
  const unchecked = [...facts.unchecked, `these rules were skipped: ${leftOut.join(', ')}`];
  findings.add(NOT_ALL_LOOKED_AT, NOT_ALL_LOOKED_AT.check({ ...facts, unchecked }, judged));
}

function sizeOf(page: PdfPage): { width: number; height: number } {
  const { left, right, bottom, top } = trimOf(page);
  const [width, height] = [right - left, top - bottom].map(
    (side) => Math.round(Math.min(1e7, side * MM_PER_POINT * page.userUnit) * 100) / 100,
  ) as [number, number];
  return page.rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}
