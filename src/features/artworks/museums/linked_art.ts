import { address, array, object, text } from './clean.ts';
import { readImageService } from './image_service.ts';
import type { Asked, Mapped } from './importer.ts';
import { FREE, rijksRecord } from './rijks_record.ts';

type Entity = Record<string, unknown>;

const DATA = 'https://data.rijksmuseum.nl';
/** A search for a number also finds longer numbers that begin with it; this many candidates are checked. */
const CANDIDATES_MAX = 4;

/** Terms of the Getty Art & Architecture Thesaurus (vocab.getty.edu/aat) that classify parts of a record. */
const AAT = {
  english: '300388277',
  number: '300312355',
  kind: '300435443',
  materials: '300435429',
  dimensions: '300435430',
  credit: '300026687',
  provenance: '300444174',
} as const;

/**
 * Reads a work of the Rijksmuseum as Linked Art: looks up its number, then the object, the visual item it
 * shows (which states the rights), and the file that shows that.
 * @throws MuseumAway; Error if a step is missing
 */
export async function readLinkedArt({ record, number, get }: Asked): Promise<Mapped> {
  const wanted = record.accession_number || number;
  const made = await findObject(wanted, get);
  if (!made) return { leftOut: `the museum has no work with the number ${wanted}` };
  const visual = await follow(get, first(made.shows));
  const shown = visual && (await follow(get, first(visual.digitally_shown_by)));
  const mapped = mapLinkedArt({ made, visual: visual ?? {}, shown: shown ?? {} });
  if ('leftOut' in mapped || mapped.record.image?.kind !== 'iiif') return mapped;
  const { url } = mapped.record.image;
  const { width, height } = await readImageService(get, url);
  return { record: { ...mapped.record, image: { kind: 'iiif', url, width, height } } };
}

async function findObject(number: string, get: Asked['get']): Promise<Entity | undefined> {
  const { orderedItems } = await get(`${DATA}/search/collection?objectNumber=${encodeURIComponent(number)}`);
  if (!Array.isArray(orderedItems)) throw new Error('a response without a list');
  for (const item of orderedItems.slice(0, CANDIDATES_MAX)) {
    const made = await follow(get, item);
    if (made && numberOf(made) === number) return made;
  }
  return undefined;
}

/** The entity that a reference names. Undefined if it is not the museum's own. */
async function follow(get: Asked['get'], reference: unknown): Promise<Entity | undefined> {
  const number = /^https?:\/\/(?:id|data)\.rijksmuseum\.nl\/(\d+)$/.exec(idOf(reference))?.[1];
  return number === undefined ? undefined : get(`${DATA}/${number}?_profile=la-framed`);
}

/** Combines the object, its visual item and the file into one record. */
export function mapLinkedArt({
  made,
  visual,
  shown,
}: {
  made: Entity;
  visual: Entity;
  shown: Entity;
}): Mapped {
  const production = object(made.produced_by);
  const people = [production, ...entities(production.part)].flatMap((part) => entities(part.carried_out_by));
  const said = entities(made.referred_to_by);
  const statement = (term: string, max?: number) =>
    inEnglish(
      said.filter((one) => isA(one, term)),
      max,
    );
  const materials = statement(AAT.materials);
  const shownIn = [
    ...entities(visual.represents),
    ...entities(visual.represents_instance_of_type),
    ...entities(visual.about),
  ];
  return rijksRecord({
    number: numberOf(made),
    rights: rightsOf(visual),
    titles: titlesOf(made),
    creators: people.map((person) => ({ name: labelOf(person), links: many(person.equivalent).map(idOf) })),
    date: inEnglish(entities(object(production.timespan).identified_by)),
    media: materials ? [materials] : entities(made.made_of).map(labelOf),
    type: labelOf(entities(made.classified_as).find((one) => isA(one, AAT.kind)) ?? {}),
    subjects: shownIn.map(labelOf),
    iconclass: shownIn
      .flatMap((one) => [idOf(one), ...many(one.equivalent).map(idOf)])
      .filter((id) => id.includes('iconclass.org/')),
    places: [production, ...entities(production.part)]
      .flatMap((part) => entities(part.took_place_at))
      .map(labelOf),
    description: '',
    page: pageOf(made),
    picture: address(idOf(first(shown.access_point))),
    dimensions: statement(AAT.dimensions),
    credit: statement(AAT.credit),
    provenance: statement(AAT.provenance, 4000),
  });
}

/** Rights statement of the visual item; the object itself has none. */
function rightsOf(visual: Entity): { field: string; value: string } | undefined {
  const marks = entities(visual.subject_to).flatMap((right) => array(right.classified_as).map(idOf));
  const value = marks.find((mark) => FREE.test(mark));
  return value === undefined ? undefined : { field: 'shows.subject_to.classified_as', value };
}

const numberOf = (made: Entity): string =>
  text(
    entities(made.identified_by).find((one) => one.type === 'Identifier' && isA(one, AAT.number))?.content,
    100,
  );

/** English titles first. */
function titlesOf(made: Entity): string[] {
  const names = entities(made.identified_by).filter(({ type }) => type === 'Name');
  return [...names.filter(isEnglish), ...names.filter((name) => !isEnglish(name))].map(({ content }) =>
    text(content),
  );
}

function pageOf(made: Entity): string {
  const points = entities(made.subject_of)
    .flatMap((about) => entities(about.digitally_carried_by))
    .flatMap((carrier) => array(carrier.access_point).map((point) => address(idOf(point))));
  return points.find((point) => point.startsWith('https://www.rijksmuseum.nl/')) ?? address(made.id);
}

/** JSON-LD may contain a single value in place of a list. */
const many = (value: unknown): unknown[] =>
  value === undefined || Array.isArray(value) ? array(value) : [value];
const entities = (value: unknown): Entity[] => many(value).map(object);
const first = (value: unknown): unknown => many(value)[0];

/** References are URLs, or objects with one. */
const idOf = (value: unknown): string => (typeof value === 'string' ? value : text(object(value).id, 2000));

const isA = ({ classified_as: kinds }: Entity, term: string): boolean =>
  many(kinds).some(
    (kind) =>
      idOf(kind).endsWith(`/aat/${term}`) ||
      many(object(kind).classified_as).some((one) => idOf(one).endsWith(`/aat/${term}`)),
  );

const isEnglish = ({ language }: Entity): boolean =>
  many(language).some((one) => idOf(one).endsWith(`/aat/${AAT.english}`));

const inEnglish = (names: readonly Entity[], max?: number): string =>
  text((names.find(isEnglish) ?? names[0])?.content, max);

/** Name of a person, a place or a type: the English one, else the first. */
function labelOf({ notation }: Entity): string {
  const labels = entities(notation);
  return text((labels.find((label) => label['@language'] === 'en') ?? labels[0])?.['@value'], 300);
}
