/**
 * Checks a record in JSON form against version 4.6 of the DataCite Metadata Schema, as far as it applies to
 * datasets: mandatory properties, controlled lists, forms of dates and identifiers. Source:
 * schema.datacite.org/meta/kernel-4.6.
 * @returns problems, as text
 */
export function dataciteProblems(record: Record<string, unknown>): string[] {
  const problems = Object.entries(PROPERTIES).flatMap(([name, check]) => {
    const value = record[name];
    if (value === undefined) return MANDATORY.includes(name) ? [`${name} is missing`] : [];
    return check(value) ? [] : [`${name}: ${JSON.stringify(value)}`];
  });
  const unknown = Object.keys(record).filter((name) => !(name in PROPERTIES));
  return [...problems, ...unknown.map((name) => `${name} is no property`)];
}

const MANDATORY = ['creators', 'titles', 'publisher', 'publicationYear', 'types', 'schemaVersion'];

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string' && value.trim() !== '';
const form =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const oneOf =
  (...names: readonly string[]): Check =>
  (value) =>
    names.includes(String(value));
const address: Check = (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value);
const object =
  (members: Readonly<Record<string, Check>>, needed: readonly string[]): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    needed.every((name) => name in value) &&
    Object.entries(value).every(([name, member]) => members[name]?.(member) ?? false);
/** Several distinct values of one kind. */
const several =
  (check: Check, least = 0): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every(check) &&
    new Set(value.map((one) => JSON.stringify(one))).size === value.length;

const day = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?$/;
const date: Check = (value) =>
  typeof value === 'string' &&
  value.split('/').length <= 2 &&
  value.split('/').every((part) => day.test(part) && !Number.isNaN(Date.parse(part)));

const person = { name: text, nameType: oneOf('Organizational', 'Personal'), lang: text };

const PROPERTIES: Readonly<Record<string, Check>> = {
  doi: form(/^10\.\d{4,9}\/\S+$/),
  url: address,
  types: object({ resourceType: text, resourceTypeGeneral: oneOf('Dataset') }, ['resourceTypeGeneral']),
  creators: several(object(person, ['name']), 1),
  titles: several(object({ title: text, lang: text }, ['title']), 1),
  publisher: object({ name: text, lang: text }, ['name']),
  publicationYear: form(/^\d{4}$/),
  subjects: several(object({ subject: text, lang: text }, ['subject'])),
  contributors: several(
    object({ ...person, contributorType: oneOf('DataCurator', 'Distributor', 'HostingInstitution') }, [
      'name',
      'contributorType',
    ]),
  ),
  dates: several(
    object(
      {
        date,
        dateType: oneOf('Available', 'Collected', 'Created', 'Issued', 'Updated', 'Withdrawn'),
        dateInformation: text,
      },
      ['date', 'dateType'],
    ),
  ),
  language: form(/^[a-z]{2}(-[A-Z]{2})?$/),
  alternateIdentifiers: several(
    object({ alternateIdentifier: text, alternateIdentifierType: text }, [
      'alternateIdentifier',
      'alternateIdentifierType',
    ]),
  ),
  relatedIdentifiers: several(
    object(
      {
        relatedIdentifier: address,
        relatedIdentifierType: oneOf('URL'),
        relationType: oneOf('IsDerivedFrom', 'IsNewVersionOf', 'IsPreviousVersionOf', 'HasMetadata'),
      },
      ['relatedIdentifier', 'relatedIdentifierType', 'relationType'],
    ),
  ),
  sizes: several(text),
  formats: several(text),
  version: text,
  rightsList: several(
    object(
      {
        rights: text,
        rightsUri: address,
        rightsIdentifier: text,
        rightsIdentifierScheme: text,
        schemeUri: address,
        lang: text,
      },
      [],
    ),
  ),
  descriptions: several(
    object({ description: text, descriptionType: oneOf('Abstract', 'Methods', 'Other'), lang: text }, [
      'description',
      'descriptionType',
    ]),
  ),
  schemaVersion: oneOf('http://datacite.org/schema/kernel-4'),
};
