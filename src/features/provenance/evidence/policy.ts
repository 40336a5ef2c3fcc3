import type { PolicyStatement, Use, Word } from '@atelier/imaging/metadata/rights/policy.ts';
import { quoteStranger } from '../wording.ts';
import type { Policy, Readings } from './types.ts';

const USES: Readonly<Record<Use, string>> = {
  ai_training: 'training AI on it',
  generative_training: 'training generative AI on it',
  mining: 'data mining',
  search: 'indexing it for search',
};

/** Every place that speaks about rights, and which of them contradict each other. */
export function policyIn({ claims, manifest }: Pick<Readings, 'claims' | 'manifest'>): Policy | undefined {
  const statements = [...claims.statements, ...trainingOf(manifest)];
  return statements.length > 0 ? { statements, conflicts: conflictsIn(statements) } : undefined;
}

const CAWG: Readonly<Record<string, Use>> = {
  data_mining: 'mining',
  ai_training: 'ai_training',
  ai_generative_training: 'generative_training',
};
const CAWG_WORDS: Readonly<Record<string, Word>> = {
  allowed: 'allowed',
  notAllowed: 'not_allowed',
  constrained: 'constrained',
};

function trainingOf(manifest: Readings['manifest']): PolicyStatement[] {
  const entries = Object.entries(manifest?.training ?? {});
  if (entries.length === 0) return [];
  const uses = entries.flatMap(([name, use]) => {
    const [what, word] = [CAWG[name.replace(/^(cawg|c2pa)\./, '')], CAWG_WORDS[use]];
    return what && word ? [[what, word] as const] : [];
  });
  return [
    {
      dialect: 'cawg',
      place: 'cawg.training-mining',
      value: entries.map((entry) => entry.join(': ')).join(', '),
      uses: Object.fromEntries(uses),
    },
  ];
}

function conflictsIn(statements: readonly PolicyStatement[]): string[] {
  const pairs = statements.flatMap((one, at) =>
    statements.slice(at + 1).map((other) => [one, other] as const),
  );
  return pairs.flatMap(([one, other]) => [...useConflicts(one, other), ...holderConflicts(one, other)]);
}

const said = ({ place, value }: PolicyStatement): string => `${place} says ${quoteStranger(value)}`;

function useConflicts(one: PolicyStatement, other: PolicyStatement): string[] {
  const uses = (Object.keys(USES) as Use[]).filter((use) => {
    const words = [one.uses[use], other.uses[use]];
    return words.includes('allowed') && words.some((word) => word !== undefined && word !== 'allowed');
  });
  const isReserved = uses.length === 0 && (reservesAgainst(one, other) || reservesAgainst(other, one));
  const about = isReserved ? ['whether anything is reserved'] : uses.map((use) => USES[use]);
  return about.length > 0 ? [`About ${about.join(' and ')}: ${said(one)}, but ${said(other)}.`] : [];
}

/** "Something is reserved" contradicts only who allows all of it. */
function reservesAgainst({ reserves }: PolicyStatement, { uses }: PolicyStatement): boolean {
  const machine = [uses.mining, uses.ai_training, uses.generative_training];
  return reserves === true && machine.every((word) => word === 'allowed');
}

function holderConflicts({ holder: one, place }: PolicyStatement, other: PolicyStatement): string[] {
  if (one === undefined || other.holder === undefined || isSame(one, other.holder)) return [];
  return [
    `About whose rights these are: ${place} says ${quoteStranger(one)}, but ${other.place} says ${quoteStranger(other.holder)}.`,
  ];
}

const isSame = (one: string, other: string): boolean =>
  one.normalize('NFKC').trim().toLowerCase() === other.normalize('NFKC').trim().toLowerCase();
