import { DATA_MINING_URL } from '../vocabularies.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { valueIn, type XmpValue } from '../xmp/parse_xmp.ts';
import type { PolicyStatement, Word } from './policy.ts';

type Uses = PolicyStatement['uses'];

/** Maximum characters shown of untrusted text. */
const CHARACTERS_MAX = 300;
const TERMS_MAX = 50;

const everything = (word: Word): Uses => ({ mining: word, ai_training: word, generative_training: word });

/** Meaning of the terms of PLUS LDF 2.0.1, without their `DMI-`. */
const MINING_TERMS: Readonly<Record<string, Pick<PolicyStatement, 'uses' | 'reserves'>>> = {
  ALLOWED: { uses: { ...everything('allowed'), search: 'allowed' } },
  'PROHIBITED-AIMLTRAINING': { uses: { ai_training: 'not_allowed', generative_training: 'not_allowed' } },
  'PROHIBITED-GENAIMLTRAINING': { uses: { generative_training: 'not_allowed' } },
  'PROHIBITED-EXCEPTSEARCHENGINEINDEXING': { uses: { ...everything('not_allowed'), search: 'allowed' } },
  PROHIBITED: { uses: { ...everything('not_allowed'), search: 'not_allowed' } },
  'PROHIBITED-SEECONSTRAINT': { uses: {}, reserves: true },
  'PROHIBITED-SEEEMBEDDEDRIGHTSEXPR': { uses: {}, reserves: true },
  'PROHIBITED-SEELINKEDRIGHTSEXPR': { uses: {}, reserves: true },
};

/** RSL 1.0: uses covered by a usage term. */
const RSL_TERMS: Readonly<Record<string, (word: Word) => Uses>> = {
  all: (word) => ({ ...everything(word), search: word }),
  'ai-all': (word) => ({ ai_training: word, generative_training: word }),
  'ai-train': (word) => ({ ai_training: word, generative_training: word }),
  search: (word) => ({ search: word }),
};

/** Rights statements in XMP properties, per location; of duplicates, the first counts. */
export function readPolicy(properties: readonly XmlElement[]): PolicyStatement[] {
  const seen = new Set<string>();
  return properties.flatMap((property) => {
    const place = qualifiedName(property);
    const read = READERS[place];
    if (!read || seen.has(place)) return [];
    seen.add(place);
    return read(property, place);
  });
}

type Read = (property: XmlElement, place: string) => PolicyStatement[];

const READERS: Readonly<Record<string, Read>> = {
  'plus:DataMining': (property, place) => {
    const address = textIn(valueIn(property)).replace(/^https:/, 'http:');
    const term = address.startsWith(DATA_MINING_URL) ? address.slice(DATA_MINING_URL.length) : undefined;
    const meaning = (term !== undefined && MINING_TERMS[term]) || { uses: {} };
    return statement('plus', place, term === undefined ? address : `DMI-${term}`, meaning);
  },
  'plus:OtherConstraints': saying('plus'),
  'plus:CopyrightOwner': (property, place) => {
    const holder = partsIn(valueIn(property), 'plus:CopyrightOwnerName').join('; ');
    return statement('plus', place, holder, { uses: {}, ...(holder && { holder: cut(holder) }) });
  },
  'plus:Licensor': (property, place) => {
    const value = valueIn(property);
    const parts = ['plus:LicensorName', 'plus:LicensorEmail', 'plus:LicensorURL'];
    return statement('plus', place, parts.flatMap((part) => partsIn(value, part)).join(', '));
  },
  'dc:rights': saying('iptc'),
  'xmpRights:UsageTerms': saying('iptc'),
  'xmpRights:WebStatement': saying('iptc'),
  'tdm:reservation': (property, place) => {
    const value = textIn(valueIn(property)).trim();
    const meaning: Record<string, Pick<PolicyStatement, 'uses' | 'reserves'>> = {
      '0': { uses: everything('allowed') },
      '1': { uses: {}, reserves: true },
    };
    return statement('tdmrep', place, value, meaning[value]);
  },
  'tdm:policy': saying('tdmrep'),
  'rsl:rsl': readLicence,
};

function saying(dialect: PolicyStatement['dialect']): Read {
  return (property, place) => statement(dialect, place, textIn(valueIn(property)));
}

function statement(
  dialect: PolicyStatement['dialect'],
  place: string,
  value: string,
  meaning: Omit<PolicyStatement, 'dialect' | 'place' | 'value'> = { uses: {} },
): PolicyStatement[] {
  return value.trim() === '' ? [] : [{ dialect, place, value: cut(value), ...meaning }];
}

/** Reads all contained licences as one: an image has one URL, whatever its licence states. */
function readLicence(licence: XmlElement, place: string): PolicyStatement[] {
  const inside = descendants(licence).slice(0, TERMS_MAX);
  const terms = (name: string) =>
    inside
      .filter((element) => isRsl(element, name))
      .filter(({ attributes }) => attributes.some((one) => one.name === 'type' && one.value === 'usage'))
      .flatMap(({ text }) => text.split(/[\s,]+/).filter(Boolean));
  const [permits, prohibits] = [terms('permits'), terms('prohibits')];
  const said = (list: readonly string[], word: Word): Uses =>
    Object.assign({}, ...list.map((term) => RSL_TERMS[term]?.(word) ?? {}));
  const holder = inside.find((element) => isRsl(element, 'copyright'))?.text.trim();
  const value = [
    ...permits.map((term) => `permits ${term}`),
    ...prohibits.map((term) => `prohibits ${term}`),
    ...inside
      .filter((element) => isRsl(element, 'terms') && element.text.trim())
      .map(({ text }) => `terms ${text.trim()}`),
  ].join(', ');
  // Explicit terms take precedence over `all`.
  const general = [...permits, ...prohibits].some((term) => term === 'all');
  const uses = general
    ? { ...said(only(permits, 'all'), 'allowed'), ...said(only(prohibits, 'all'), 'not_allowed') }
    : {};
  return statement('rsl', place, value || 'a licence', {
    uses: {
      ...uses,
      ...said(without(permits, 'all'), 'allowed'),
      ...said(without(prohibits, 'all'), 'not_allowed'),
    },
    ...(holder && { holder: cut(holder) }),
  });
}

const only = (terms: readonly string[], term: string) => terms.filter((one) => one === term);
const without = (terms: readonly string[], term: string) => terms.filter((one) => one !== term);

const isRsl = (element: XmlElement, name: string): boolean => qualifiedName(element) === `rsl:${name}`;

const descendants = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((child) => [child, ...descendants(child)]);

const cut = (text: string): string =>
  text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX).toWellFormed()}…` : text;

/** The first text, in the default language if there are several. */
function textIn(value: XmpValue | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return textIn(value[0]);
  const parts = value as Record<string, XmpValue>;
  return textIn(parts['x-default'] ?? Object.values(parts)[0]);
}

/** One field of every structure in a list. */
function partsIn(value: XmpValue, part: string): string[] {
  const list = Array.isArray(value) ? (value as readonly XmpValue[]) : [value];
  return list.flatMap((one) => {
    if (typeof one === 'string') return part.endsWith('Name') && one ? [one] : [];
    const found = (one as Record<string, XmpValue>)[part];
    return typeof found === 'string' && found ? [found] : [];
  });
}
