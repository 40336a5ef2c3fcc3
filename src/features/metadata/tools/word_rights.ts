import type { RightsPolicy, RslLicence } from '@atelier/imaging/metadata/rights/policy.ts';
import type { TrainingEntry } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import type { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { rightsField } from '../../definitions/rights_fields.ts';

export type Rights = NonNullable<z.output<typeof rightsField>>;

/** One policy in the words of each language. */
export interface WordedRights {
  /** By the names of `metadata`. */
  readonly fields: Readonly<Record<string, string>>;
  readonly policy: RightsPolicy;
  /** CAWG, for a C2PA manifest. */
  readonly training: Readonly<Record<string, TrainingEntry>>;
  /** What a language has no words for, in a sentence each. */
  readonly unsaid: readonly string[];
}

const isAddress = (text: string | undefined): boolean => /^https?:\/\//i.test(text ?? '');

/**
 * Each language says no more than was said: where it has no word that means just this, it is silent, and `unsaid` tells.
 * @throws AtelierError invalid_input where the policy contradicts itself
 */
export function wordRights(rights: Rights): WordedRights {
  refuseContradiction(rights);
  const { holder, licence, contact, ai_training, ai_mining } = rights;
  const says = ai_training !== undefined || ai_mining !== undefined;
  const unsaid: string[] = [];
  const term = says ? plusTerm(rights) : undefined;
  const tdm = says ? reservation(rights) : undefined;
  const rsl = says ? licenceOf(rights, unsaid) : undefined;
  if (says && term === undefined) unsaid.push('PLUS has no term for training alone being allowed.');
  if (says && tdm === undefined) unsaid.push('TDMRep reserves nothing and frees nothing by training alone.');
  const licensor = licensorOf(holder, contact);
  return {
    fields: definedIn({
      copyright_holder: holder,
      usage_terms: isAddress(licence) ? undefined : licence,
      rights_url: isAddress(licence) ? licence : undefined,
      data_mining: term,
      data_mining_constraints: term?.endsWith('SEECONSTRAINT') ? constraintOf(rights) : undefined,
    }),
    policy: { ...(licensor && { licensor }), ...(tdm && { tdm }), ...(rsl && { rsl }), replacesUse: says },
    training: says ? trainingOf(rights) : {},
    unsaid,
  };
}

const definedIn = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

function refuseContradiction(rights: Rights): void {
  const { ai_training: training, ai_mining: mining, policy_url, terms, contact, licence } = rights;
  if (Object.keys(rights).length === 0)
    throw invalidField('rights', 'rights holds nothing. Send at least a holder.');
  const isClosed = mining === 'not_allowed' || mining === 'search_only';
  if (isClosed && training !== undefined && training !== 'not_allowed') {
    throw invalidField(
      'rights.ai_training',
      `rights.ai_mining is ${mining}, and training is mining, so rights.ai_training can only be not_allowed. Leave it out, or send ai_mining: "constrained".`,
    );
  }
  const isConstrained = training === 'constrained' || mining === 'constrained';
  if (isConstrained && !terms && !contact && !licence && !policy_url) {
    throw invalidField(
      'rights.terms',
      'constrained asks for what there is to do first: send rights.terms, licence, contact or policy_url.',
    );
  }
  const isReserved = isClosed || isConstrained || training === 'not_allowed' || training === 'no_generative';
  if (policy_url && !isReserved) {
    throw invalidField(
      'rights.policy_url',
      'TDMRep names a policy only where something is reserved. Send rights.ai_training or ai_mining, or leave policy_url out.',
    );
  }
}

/** Term of PLUS LDF 2.0.1 without its `DMI-`. */
function plusTerm({ ai_training: training, ai_mining: mining }: Rights): string | undefined {
  if (mining === 'not_allowed') return 'PROHIBITED';
  if (mining === 'search_only') return 'PROHIBITED-EXCEPTSEARCHENGINEINDEXING';
  if (mining === 'constrained' || training === 'constrained') return 'PROHIBITED-SEECONSTRAINT';
  if (training === 'not_allowed') return 'PROHIBITED-AIMLTRAINING';
  if (training === 'no_generative') return 'PROHIBITED-GENAIMLTRAINING';
  return mining === 'allowed' ? 'ALLOWED' : undefined;
}

function reservation({ ai_training: training, ai_mining: mining, policy_url }: Rights): RightsPolicy['tdm'] {
  const isFree = (training ?? 'allowed') === 'allowed';
  if (mining === 'allowed' && isFree) return { reservation: 0 };
  if (mining === undefined && isFree) return undefined;
  return { reservation: 1, ...(policy_url && { policy: policy_url }) };
}

/** RSL 1.0 knows no mining by itself, and no training that is only generative. */
function licenceOf(rights: Rights, unsaid: string[]): RslLicence | undefined {
  const { url, holder, licence, policy_url, ai_training: training, ai_mining: mining } = rights;
  const permits = [
    ...(mining === 'search_only' ? ['search'] : []),
    ...(training === 'allowed' ? ['ai-train'] : []),
  ];
  const prohibits = [
    ...(mining === 'not_allowed' ? ['all'] : []),
    ...(mining === 'search_only' ? ['ai-all'] : []),
    ...(isAgainstTraining(rights) ? ['ai-train'] : []),
  ];
  if (training === 'no_generative') unsaid.push('RSL has no word for generative training alone.');
  if (permits.length + prohibits.length === 0) {
    unsaid.push('RSL has no word for what was said about mining.');
    return undefined;
  }
  if (url === undefined) {
    unsaid.push('RSL names the address of the picture: send rights.url to have it written.');
    return undefined;
  }
  const terms = policy_url ?? (isAddress(licence) ? licence : undefined);
  return { url, permits, prohibits, ...(holder && { holder }), ...(terms && { terms }) };
}

/** Constrained is prohibited until somebody asks. */
const isAgainstTraining = ({ ai_training: training, ai_mining: mining }: Rights): boolean =>
  (training === 'not_allowed' && mining !== 'not_allowed' && mining !== 'search_only') ||
  training === 'constrained' ||
  (mining === 'constrained' && training === undefined);

function trainingOf(rights: Rights): Record<string, TrainingEntry> {
  const { ai_training: training, ai_mining: mining } = rights;
  const entry = (word: string | undefined): TrainingEntry | undefined => {
    if (word === 'allowed') return { use: 'allowed' };
    if (word === 'constrained') return { use: 'constrained', constraint_info: constraintOf(rights) };
    return word === undefined ? undefined : { use: 'notAllowed' };
  };
  const isClosed = mining === 'not_allowed' || mining === 'search_only';
  const own = training ?? (isClosed || mining === 'constrained' ? mining : undefined);
  const entries = {
    data_mining: entry(mining),
    ai_training: own === 'no_generative' ? undefined : entry(own),
    ai_generative_training: entry(own),
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) => (value ? [[`cawg.${name}`, value]] : [])),
  );
}

const constraintOf = ({ terms, licence, policy_url, contact }: Rights): string =>
  terms ?? policy_url ?? licence ?? `Ask ${contact}`;

function licensorOf(name: string | undefined, contact: string | undefined): RightsPolicy['licensor'] {
  if (contact === undefined) return undefined;
  return { ...(name && { name }), ...(isAddress(contact) ? { url: contact } : { email: contact }) };
}
