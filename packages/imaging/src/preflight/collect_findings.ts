import { type Box, boxAround, corners } from './content/matrix.ts';
import { FINDINGS_MAX, FINDINGS_OF_A_RULE_MAX } from './limits.ts';
import { type PdfPage, toMillimetres } from './pdf/pages.ts';
import type { CheckResult, PreflightCriteria, Rule, Violation } from './rules/rule.ts';
import type { BoxMm, Finding, Severity } from './types.ts';

/** Default location of a finding, if the rule does not name one. */
interface FindingLocation {
  readonly page?: PdfPage | undefined;
  readonly pageNumber?: number | undefined;
  readonly object?: string | undefined;
  readonly box?: Box | undefined;
  /** Deduplication key: findings of a rule with the same key are reported once per file. */
  readonly deduplicationKey?: string | undefined;
}

const SEVERITY_ORDER: readonly Severity[] = ['error', 'warning', 'info'];
const TEXT_MAX = 300;

/** Tests whether a rule applies under the chosen standard. */
export const appliesTo = ({ standards }: Rule, { standard }: PreflightCriteria): boolean =>
  !standards || standards.includes(standard);

/** Keeps the first findings of each rule and counts all of them. */
export class Findings {
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  readonly #criteria: PreflightCriteria;
  readonly #kept = new Map<string, Finding[]>();
  readonly #told = new Set<string>();

  constructor(criteria: PreflightCriteria) {
    this.#criteria = criteria;
  }

  add(rule: Rule, verdict: CheckResult, subject: FindingLocation = {}): void {
    if (!verdict) return;
    const places = typeof verdict === 'string' ? [{ message: verdict }] : [verdict].flat();
    for (const place of places) this.#addPlace(rule, place as Violation, subject);
  }

  /** Returns the findings by severity, then by page, up to FINDINGS_MAX. */
  sorted(): Finding[] {
    const all = [...this.#kept.values()].flat();
    const rank = ({ severity, page = 0 }: Finding) => SEVERITY_ORDER.indexOf(severity) * 1e6 + page;
    return all.sort((one, other) => rank(one) - rank(other)).slice(0, FINDINGS_MAX);
  }

  get total(): number {
    return this.counts.error + this.counts.warning + this.counts.info;
  }

  #addPlace(rule: Rule, place: Violation, subject: FindingLocation): void {
    if (subject.deduplicationKey !== undefined) {
      const key = `${rule.id} ${subject.deduplicationKey}`;
      if (this.#told.has(key)) return;
      this.#told.add(key);
    }
    const severity =
      (this.#criteria.standard === 'none' ? rule.severityWithoutStandard : undefined) ?? rule.severity;
    this.counts[severity] += 1;
    const kept = this.#kept.get(rule.id) ?? [];
    this.#kept.set(rule.id, kept);
    if (kept.length >= FINDINGS_OF_A_RULE_MAX) return;
    const page = place.page ?? subject.page?.number ?? subject.pageNumber;
    const object = place.object ?? subject.object;
    const box = place.box ?? subject.box;
    kept.push({
      rule: rule.id,
      severity,
      ...(page !== undefined && { page }),
      ...(object !== undefined && { object: clean(object) }),
      ...(box && subject.page && { box_mm: boxInMillimetres(subject.page, box) }),
      message: clean(place.message),
      remedy: rule.remedy,
    });
  }
}

/** Names in a file may contain any bytes. Replaces unreadable characters in the response. */
const clean = (text: string): string =>
  text.replace(/[^\x20-\x7e\u00a0-\u024f…×°–]/g, '?').slice(0, TEXT_MAX);

function boxInMillimetres(page: PdfPage, box: Box): BoxMm | undefined {
  const turned = boxAround(corners(toMillimetres(page), box));
  if (!turned) return undefined;
  const round = (value: number) => Math.round(Math.min(1e6, Math.max(-1e6, value)) * 100) / 100;
  return {
    left: round(turned.left),
    top: round(turned.bottom),
    width: round(turned.right - turned.left),
    height: round(turned.top - turned.bottom),
  };
}
