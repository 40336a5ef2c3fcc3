import type { DocumentFacts, OutputIntent } from './facts.ts';
import { type DocumentRule, WITHOUT_TRANSPARENCY } from './rule.ts';

const X = 'GTS_PDFX';
const intentsOf = ({ intents }: DocumentFacts): readonly OutputIntent[] =>
  intents.filter(({ subtype }) => subtype === X);
function profileFault(intent: OutputIntent, isX1a: boolean): string | undefined {
  const { profile, components } = intent;
  if (!profile) return 'The output intent profile is too short to be valid.';
  if (!profile.isWhole) return 'The output intent profile is truncated or invalid.';
  if (profile.kind !== 'prtr')
    return `The output intent profile is of class "${profile.kind}", not an output profile (prtr).`;
  if (profile.channels !== undefined && components !== undefined && profile.channels !== components)
    return `The output intent profile has ${profile.channels} channels (${profile.space}), but N is ${components}.`;
  return isX1a && profile.space !== 'CMYK'
    ? `PDF/X-1a requires a CMYK profile, but this one is for ${profile.space}.`
    : undefined;
}

/** Rules for the output intent. */
export const INTENT_RULES: readonly DocumentRule[] = [
  {
    id: 'output_intent_missing',
    about: 'document',
    severity: 'error',
    severityWithoutStandard: 'warning',
    basis: 'ISO 15930: one output intent GTS_PDFX; ISO 32000-1, 14.11.5',
    check: (facts) =>
      intentsOf(facts).length === 0 &&
      'It has no output intent, so the intended printing condition is unknown.',
    remedy: 'Export it with the profile of the press as output intent, such as FOGRA51 or GRACoL.',
  },
  {
    id: 'output_intents_many',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930: exactly one output intent GTS_PDFX',
    check: (facts) =>
      intentsOf(facts).length > 1 && `It has ${intentsOf(facts).length} output intents for PDF/X.`,
    remedy: 'Keep only the output intent of the press.',
  },
  {
    id: 'output_condition_unnamed',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930: OutputConditionIdentifier',
    check: (facts) =>
      intentsOf(facts).some(({ identifier }) => !identifier?.trim()) &&
      'The output intent has no OutputConditionIdentifier.',
    remedy: 'Name the printing condition, such as FOGRA39, or Custom with a profile.',
  },
  {
    id: 'output_profile_missing',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930: a profile, unless the condition is registered (X-1a, X-3)',
    check: (facts, { standard }) =>
      intentsOf(facts).some(
        ({ hasProfile, registry, identifier }) =>
          !hasProfile &&
          (standard === 'pdfx4' || !/color\.org/i.test(registry ?? '') || /^custom$/i.test(identifier ?? '')),
      ) && 'The output intent has neither a profile nor a registered printing condition.',
    remedy: 'Embed the ICC profile of the press in the output intent.',
  },
  {
    id: 'output_profile_wrong',
    about: 'document',
    severity: 'error',
    basis: 'ISO 15930 and ICC.1: an output profile with N channels',
    check: (facts, { standard }) =>
      intentsOf(facts)
        .filter(({ hasProfile, profile, components }) => hasProfile && (profile || components !== undefined))
        .flatMap((intent) => profileFault(intent, standard === 'pdfx1a') ?? [])[0],
    remedy: 'Use the output profile (class "prtr") that the printer specifies.',
  },
  {
    id: 'output_profile_too_new',
    about: 'document',
    severity: 'error',
    standards: WITHOUT_TRANSPARENCY,
    basis: 'ISO 32000-1, table 67: ICC version 4 from PDF 1.5 on',
    check: (facts) =>
      intentsOf(facts).some(({ profile }) => (profile?.version ?? 0) >= 4) &&
      'The output intent profile is ICC version 4; PDF 1.4 supports version 2.',
    remedy: 'Use the version 2 profile of the same condition, or export as PDF/X-4.',
  },
];
