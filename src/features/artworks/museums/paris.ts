import { savedAnswer } from '../readers/json_files.ts';
import { jsonLines } from '../readers/lines.ts';
import type { Source } from '../readers/open_source.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from '../search/fold.ts';
import { address, array, list, object, personName, plain, text, year } from './clean.ts';
import { type Asked, CC0, type Importer, type Mapped, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';
import { yearsIn } from './years.ts';

/** Paris Musées: responses of its GraphQL API, one per file or one work per line. There is no bulk file. */
export const paris: Importer = {
  reads:
    'answers of https://apicollections.parismusees.paris.fr/graphql (free account) saved as .json, or works, one a line (.jsonl)',
  free: 'a `publicUrl` of a picture',
  async *rows(source: Source) {
    for await (const file of source.files()) {
      if (/\.jsonl$/.test(file.name)) yield* jsonLines(file);
      else if (/\.json$/.test(file.name)) yield* savedAnswer(file, worksIn);
    }
  },
  map(row) {
    const number = text(row.fieldLrefAdlib ?? row.nid, 50);
    if (!/^\w+$/.test(number)) return { leftOut: NO_NUMBER };
    // The API returns the full image (publicUrl) only for works without rights, and a thumbnail for others.
    const pictures = array(row.fieldVisuels ?? object(row.queryFieldVisuels).entities).map(
      (visual) => object(visual).entity ?? visual,
    );
    const url = pictures
      .map((picture) => address(publicUrlOf(object(picture))))
      .find((found) => found !== '');
    if (!url) return { leftOut: NOT_PUBLIC_DOMAIN };
    const produced = object(row.fieldDateProduction);
    const date = text(produced.processed, 200) || names(row.fieldOeuvreSiecle)[0] || '';
    const [from, to] = [year(produced.startYear), year(produced.endYear ?? produced.startYear)];
    const isDated = from !== null && to !== null && from <= to;
    return {
      record: {
        id: `paris_${number}`,
        museum: 'paris',
        accession_number: text(row.fieldOeuvreNumInventaire, 200),
        title: plain(row.title) || 'Sans titre',
        other_titles: list([row.fieldTitreDeMediation], 1, 1000),
        artists: authorsOf(row.fieldOeuvreAuteurs),
        date,
        ...(isDated ? { year_from: from, year_to: to } : yearsIn(date)),
        medium: names(row.fieldMateriauxTechnique).join(', ').slice(0, 1000),
        dimensions: dimensionsOf(row.fieldOeuvreDimensions),
        classification: names(row.fieldOeuvreTypesObjet)[0] ?? names(row.fieldDenominations)[0] ?? '',
        department: text(object(object(row.fieldMusee).entity).name, 200),
        culture: names(row.fieldOeuvreStyleMouvement).join(', ').slice(0, 300),
        credit_line: list(
          [entityName(row.fieldModaliteAcquisition), ...names(row.fieldDonateurs)],
          5,
          190,
        ).join(', '),
        description: plain(row.fieldOeuvreDescriptionIcono ?? row.fieldCommentaireHistorique, 4000),
        tags: list([...names(row.fieldOeuvreThemeRepresente), ...names(row.fieldLieuxConcernes)], 50, 100),
        source_url: pageOf(row, number),
        image: { kind: 'file', url },
        rights: {
          status: 'cc0',
          evidence: { field: 'fieldVisuels.entity.publicUrl', value: 'present' },
          url: CC0,
        },
      },
    };
  },
  live: {
    pauseMs: 1000,
    needs: 'PARIS_MUSEES_TOKEN',
    gives: 'record and picture, where one work alone has title and maker',
    read: askParis,
  },
};

const API = 'https://apicollections.parismusees.paris.fr/graphql';

/**
 * Imported works have the museum's number. Those of the starter catalogue have a name instead, so the museum
 * is asked for their title; the response is accepted if exactly one work has that title and maker.
 */
async function askParis({ record, number, key, get }: Asked): Promise<Mapped> {
  const isNumber = /^\d+$/.test(number);
  const title = record.title.replace(/ \(.*\)$/, '');
  const body = isNumber ? parisQuery('field_lref_adlib', number) : parisQuery('title', title);
  const { data } = await get(API, { body, secret: { authorization: `Bearer ${key}` } });
  const { entities } = object(object(data).nodeQuery);
  if (!Array.isArray(entities)) throw new Error('a response without works');
  const works = entities.map(object);
  const found = isNumber ? works : works.filter((work) => isSame(work, title, record));
  const [only, second] = found;
  if (!only || second) return { leftOut: `${found.length} works of the museum match it` };
  const mapped = paris.map(only);
  return 'leftOut' in mapped || isNumber ? mapped : { record: { ...mapped.record, id: record.id } };
}

function isSame(work: Record<string, unknown>, title: string, { artists }: ArtworkRecord): boolean {
  const same = (one: string, other: string) =>
    wordsOf(fold(one)).join(' ') === wordsOf(fold(other)).join(' ');
  const makers = authorsOf(work.fieldOeuvreAuteurs);
  return (
    same(plain(work.title), title) &&
    artists.some(({ name }) => makers.some((maker) => same(maker.name, name)))
  );
}

/** The works in a response, whatever the query was called. Withdrawn works are null. */
const worksIn = (answer: unknown) =>
  Object.values(object(object(answer).data)).flatMap((result) => {
    const works = array(object(result).entities);
    return (works.length > 0 ? works : [result]).filter((work) => work !== null).map(object);
  });

const publicUrlOf = (picture: Record<string, unknown>): unknown =>
  typeof picture.publicUrl === 'string' ? picture.publicUrl : object(picture.publicUrl).path;

const entityName = (value: unknown): string => text(object(object(value).entity).name ?? value, 200);
const names = (values: unknown): string[] => list(array(values).map(entityName), 50, 100);

function authorsOf(value: unknown) {
  return array(value)
    .map((author) => object(object(author).entity))
    .map((author) => {
      const person = object(object(author.fieldAuteurAuteur).entity);
      return {
        name: personName(person.name),
        role: entityName(author.fieldAuteurFonction).slice(0, 100),
        born: year(object(person.fieldPipDateNaissance).startYear ?? null),
        died: year(object(person.fieldPipDateDeces).startYear ?? null),
      };
    })
    .filter(({ name }) => name !== '')
    .slice(0, 20);
}

const dimensionsOf = (value: unknown): string =>
  list(
    array(value)
      .map((one) => object(object(one).entity))
      .map((one) =>
        [
          entityName(one.fieldDimensionType),
          text(one.fieldDimensionValeur, 20),
          entityName(one.fieldDimensionUnite),
        ]
          .filter(Boolean)
          .join(' '),
      ),
    6,
    100,
  ).join('; ');

function pageOf(row: Record<string, unknown>, number: string): string {
  const alias = text(row.fieldUrlAlias, 1000);
  const page = alias ? address(`https://www.parismuseescollections.paris.fr/fr/${alias}`) : '';
  return page || address(row.absolutePath) || `https://www.parismuseescollections.paris.fr/fr/node/${number}`;
}

/**
 * GraphQL query for works with a title, with all fields of a record. Works can be queried by number (Adlib)
 * in the same way.
 */
const parisQuery = (field: 'title' | 'field_lref_adlib', value: string): string =>
  JSON.stringify({
    query: `query Works($value: [String]) {
  nodeQuery(filter: {conditions: [{field: "type", value: "oeuvre"}, {field: "${field}", value: $value}]}, limit: 10) {
    entities { ... on NodeOeuvre {
      nid title absolutePath fieldUrlAlias fieldLrefAdlib fieldTitreDeMediation fieldOeuvreNumInventaire fieldOeuvreDescriptionIcono
      fieldOeuvreAuteurs { entity {
        fieldAuteurAuteur { entity { name fieldPipDateNaissance { startYear } fieldPipDateDeces { startYear } } }
        fieldAuteurFonction { entity { name } }
      } }
      fieldVisuels { entity { name vignette publicUrl } }
      fieldDateProduction { startYear endYear processed }
      fieldOeuvreSiecle { entity { name } }
      fieldOeuvreTypesObjet { entity { name } }
      fieldDenominations { entity { name } }
      fieldMateriauxTechnique { entity { name } }
      fieldOeuvreDimensions { entity {
        fieldDimensionType { entity { name } } fieldDimensionValeur fieldDimensionUnite { entity { name } }
      } }
      fieldOeuvreThemeRepresente { entity { name } }
      fieldLieuxConcernes { entity { name } }
      fieldModaliteAcquisition { entity { name } }
      fieldDonateurs { entity { name } }
      fieldMusee { entity { name } }
    } }
  }
}`,
    variables: { value: [value] },
  });
