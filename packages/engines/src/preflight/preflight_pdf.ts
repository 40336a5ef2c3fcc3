import { EngineError } from '../errors/engine_error.ts';
import { applies, Findings } from './collect_findings.ts';
import { newBudget } from './content/interpret.ts';
import { MM_PER_POINT } from './content/matrix.ts';
import type { PreflightReport, PreflightRequest } from './contract.ts';
import { drawPages } from './draw/draw_pages.ts';
import { PREFLIGHT_ENGINE } from './engine.ts';
import { DRAWINGS_MAX } from './limits.ts';
import { PdfDocument } from './pdf/document.ts';
import { Follower } from './pdf/follow_objects.ts';
import { PdfProblem } from './pdf/lexer.ts';
import { type PdfPage, readPages, trimOf } from './pdf/pages.ts';
import { type Looking, type PageShapes, preflightPage } from './preflight_page.ts';
import { DOCUMENT_RULES } from './rules/document_rules.ts';
import type { DocumentFacts } from './rules/facts.ts';
import { OBJECT_RULES } from './rules/object_rules.ts';
import { claimOf, readFacts, standardOf } from './rules/read_facts.ts';
import type { Judged } from './rules/rule.ts';
import { RULES } from './rules/rules.ts';

type OnProgress = (fraction: number, message: string) => void;

/** @throws EngineError undecodable_image for what is no PDF that can be read */
export async function preflightPdf(
  request: PreflightRequest,
  onProgress: OnProgress,
): Promise<PreflightReport> {
  try {
    return await lookAt(new PdfDocument(request.bytes), request, onProgress);
  } catch (error) {
    if (!(error instanceof PdfProblem)) throw error;
    throw new EngineError(
      'undecodable_image',
      `This PDF cannot be read: ${error.message}. Export it anew, or send it as TIFF.`,
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
  const judged: Judged = { standard, intent };
  const { pages, count } = readPages(document);
  const looking: Looking = {
    ...{ document, judged, findings: new Findings(judged), budget: newBudget() },
    ...{ spots: new Set<string>(), looks: new Map() },
  };
  const kept = document.isEncrypted ? [] : await lookAtPages(pages, looking, onProgress);
  const { findings, spots, budget } = looking;
  const facts: DocumentFacts = {
    ...read,
    document,
    pages,
    pageCount: count,
    spots,
    wasCutShort: budget.operators < 0,
  };
  for (const rule of DOCUMENT_RULES)
    if (applies(rule, judged) && (!document.isEncrypted || rule.id === 'encrypted'))
      findings.add(rule, rule.check(facts, judged));
  const [first] = pages;
  const { told, drawings } = await drawPages(findings.sorted(), kept, looking.looks);
  return {
    ...{ kind: 'pdf', version: `PDF ${read.version}`, claimed: claimed ?? null, standard, pages: count },
    pagesRead: document.isEncrypted ? 0 : pages.length,
    trimMm: first ? sizeOf(first) : null,
    inks: [...spots],
    counts: findings.counts,
    findings: told,
    untold: findings.total - told.length,
    rulesRun: RULES.filter((rule) => rule.about !== 'tiff' && applies(rule, judged)).length,
    ...{ drawings, engine: PREFLIGHT_ENGINE },
  };
}

/** The rules of pages and of what they paint, then those of every object; gives back pages worth drawing. */
async function lookAtPages(
  pages: readonly PdfPage[],
  looking: Looking,
  onProgress: OnProgress,
): Promise<PageShapes[]> {
  const { document, judged, findings } = looking;
  const kept: PageShapes[] = [];
  for (const page of pages) {
    if (looking.budget.operators < 0) break;
    const before = findings.total;
    const shapes = await preflightPage(page, looking);
    const hasFaults = findings.total > before;
    // The first page is drawn where none has a fault.
    if (kept.length === 0 || (hasFaults && kept.length <= DRAWINGS_MAX)) kept.push(shapes);
    onProgress(0.1 + (0.8 * page.number) / pages.length, `Page ${page.number} of ${pages.length}`);
  }
  const rules = OBJECT_RULES.filter((rule) => applies(rule, judged));
  const follower = new Follower(document);
  const look =
    (page?: PdfPage) => (dictionary: Parameters<(typeof rules)[0]['check']>[0], number?: number) => {
      const object = number === undefined ? undefined : `object ${number}`;
      for (const rule of rules)
        findings.add(rule, rule.check(dictionary, document, judged), { pageNumber: page?.number, object });
    };
  for (const page of pages) follower.follow(page.dictionary, look(page), page.object);
  follower.follow(document.trailer.get('Root'), look());
  return kept;
}

function sizeOf(page: PdfPage): { width: number; height: number } {
  const { left, right, bottom, top } = trimOf(page);
  const [width, height] = [right - left, top - bottom].map(
    (side) => Math.round(Math.min(1e7, side * MM_PER_POINT * page.userUnit) * 100) / 100,
  ) as [number, number];
  return page.rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}
