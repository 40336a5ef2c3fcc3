import type { SeenSubject } from './seen.ts';

export type Kind = SeenSubject['kind'];

/** An object, scene or genre, in the words of a caption. */
export interface Term {
  readonly term: string;
  readonly kind: Kind;
  /** Broader terms, nearest first. */
  readonly broader: readonly string[];
  /** Line numbers of its classes in the ImageNet list, 1 to 1000. */
  readonly classes: readonly number[];
  /** Input of the text encoder. */
  readonly prompt: string;
  readonly ids?: NonNullable<SeenSubject['ids']>;
}

const KINDS: readonly string[] = ['thing', 'scene', 'genre'] satisfies Kind[];
/** Splits at commas, except within quotation marks. */
const TERMS = /(?:[^,"]|"[^"]*")+/g;
const PARTS = /^\s*(?<term>.+?)(?<codes>(?: (?:\d+|aat\d+|Q\d+))*)(?: "(?<prompt>[^"]+)")?\s*$/;

/** A term as written in the table. */
interface Entry {
  readonly parents: string[];
  classes: readonly number[];
  prompt: string;
  ids?: Term['ids'];
}

/**
 * Reads a table of terms with their narrower terms; `subject_terms.ts` describes the format.
 * @throws Error of the table's author: a cycle, an undefined parent, a term twice on a line or of two kinds, a class with two terms
 */
export function readVocabulary(table: string): ReadonlyMap<string, Term> {
  const entries = new Map<string, Entry>();
  for (const line of table.replaceAll(/\n +/g, ' ').split('\n').filter(Boolean)) {
    const [, parent, narrower] = /^([^:]+): (.+)$/.exec(line) ?? [];
    if (!parent || !narrower) throw new Error(`"${line}" is not a term with narrower terms.`);
    for (const words of narrower.match(TERMS)!) addEntry(entries, parent, words);
  }
  const terms = new Map([...entries].map(([term, entry]) => [term, termOf(term, entry, entries)] as const));
  checkClasses(terms);
  return terms;
}

function addEntry(entries: Map<string, Entry>, parent: string, words: string): void {
  const { term, codes, prompt } = PARTS.exec(words)!.groups as {
    term: string;
    codes: string;
    prompt?: string;
  };
  const entry = entries.get(term) ?? { parents: [], classes: [], prompt: `a picture of ${term}` };
  if (entry.parents.includes(parent)) throw new Error(`"${term}" appears twice under "${parent}".`);
  entry.parents.push(parent);
  const all = codes.split(' ').filter(Boolean);
  const classes = all.filter((code) => /^\d/.test(code)).map(Number);
  const [aat, wikidata] = [/^aat\d/, /^Q/].map((form) => all.find((code) => form.test(code)));
  if (classes.length > 0) entry.classes = classes;
  if (prompt) entry.prompt = prompt;
  if (aat || wikidata) entry.ids = { ...(aat && { aat: aat.slice(3) }), ...(wikidata && { wikidata }) };
  entries.set(term, entry);
}

function termOf(term: string, { classes, prompt, ids }: Entry, entries: ReadonlyMap<string, Entry>): Term {
  const broader: string[] = [];
  const kinds = new Set<string>();
  let level = [term];
  while (level.length > 0) {
    const parents = level.flatMap((child) => {
      const entry = entries.get(child);
      if (!entry) throw new Error(`"${child}" has narrower terms but no broader term or kind.`);
      return entry.parents;
    });
    for (const parent of parents) if (KINDS.includes(parent)) kinds.add(parent);
    level = [...new Set(parents)].filter((parent) => !KINDS.includes(parent) && !broader.includes(parent));
    broader.push(...level);
    if (broader.includes(term)) throw new Error(`"${term}" is broader than itself.`);
  }
  const [kind] = kinds;
  if (kinds.size !== 1) throw new Error(`"${term}" has ${kinds.size} kinds.`);
  return { term, kind: kind as Kind, broader, classes, prompt, ...(ids && { ids }) };
}

function checkClasses(terms: ReadonlyMap<string, Term>): void {
  const known = new Map<number, string>();
  for (const { term, classes } of terms.values())
    for (const line of classes) {
      if (known.has(line)) throw new Error(`Class ${line} is "${known.get(line)}" and "${term}".`);
      known.set(line, term);
    }
}

/** Drops terms that are broader than another term of the same image; they remain in its `broader`. */
export function narrowest<T extends Pick<Term, 'term' | 'broader'>>(terms: readonly T[]): T[] {
  const broader = new Set(terms.flatMap((one) => one.broader));
  return terms.filter(({ term }) => !broader.has(term));
}

/**
 * Adds up scores along broader terms: a model that is unsure among ten dog breeds is sure of a dog.
 * @param own score of each term alone
 */
export function sumUp(own: ReadonlyMap<Term, number>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [{ term, broader }, share] of own)
    for (const name of [term, ...broader]) sums.set(name, (sums.get(name) ?? 0) + share);
  return sums;
}
