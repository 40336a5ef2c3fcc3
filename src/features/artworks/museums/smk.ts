import { jsonFiles } from '../readers/json_files.ts';
import {
  array,
  given,
  idNumber,
  joined,
  lifeYear,
  list,
  namedMakers,
  object,
  objects,
  personName,
  pictureAt,
  plain,
  sides,
  text,
  yearSpan,
} from './clean.ts';
import { type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN, statedRights } from './importer.ts';

const API = 'https://api.smk.dk/api/v1/art';

/**
 * SMK, the National Gallery of Denmark: responses of its search, or its items one per line. There is no bulk
 * file.
 */
export const smk: Importer = {
  reads: `responses of ${API}/search/?keys=*&filters=[public_domain:true]&rows=2000&offset=0 saved as .json, or items, one per line (.jsonl)`,
  free: '`public_domain` and `rights`, both',
  rows: (source) => jsonFiles(source, itemsOf),
  map(row) {
    const id = idNumber(row.object_number);
    if (!id) return { leftOut: NO_NUMBER };
    const rights = row.public_domain === true && statedRights('rights', row.rights);
    if (!rights) return { leftOut: NOT_PUBLIC_DOMAIN };
    const all = objects(row.titles);
    const english = all.find(({ language }) => /^en/i.test(text(language)));
    const titles = list([english?.title, ...all.map(({ title }) => title)], 11, 1000);
    const produced = objects(row.production_date)[0] ?? {};
    const artists = namedMakers(objects(row.production).map(makerOf));
    const picture = pictureAt(row.image_iiif_id, row.image_native, row.image_width, row.image_height);
    const shows = objects(row.exhibitions).map(({ exhibition, venue, date_start: start }) =>
      joined([exhibition, venue, yearOf(start)], 3, 200),
    );
    const media = array(row.techniques).map((one) => object(one).technique ?? one);
    return {
      record: {
        id: `smk_${id}`,
        museum: 'smk',
        accession_number: text(row.object_number, 100),
        title: titles[0] ?? 'Uden titel',
        other_titles: titles.slice(1),
        artists,
        date: text(produced.period, 200) || joined(row.production_dates_notes, 1, 200),
        ...yearSpan(yearOf(produced.start), yearOf(produced.end)),
        medium: joined(media, 10, 90),
        dimensions: dimensionsOf(row.dimensions),
        classification: text(objects(row.object_names)[0]?.name, 200),
        department: text(row.responsible_department, 200),
        culture: artists[0]?.nationality ?? '',
        credit_line: joined(row.credit_line, 2, 400, '; ') || text(row.credit_line),
        description: plain(joined(row.content_description, 10, 4000, ' '), 4000),
        tags: list([...array(row.content_subject), ...array(row.content_person)], 50, 100),
        ...given({
          provenance: joined(row.object_history_note, 10, 4000, ' • ').slice(0, 4000),
          exhibitions: joined(shows, 40, 400, ' • ').slice(0, 4000),
        }),
        source_url: `https://open.smk.dk/artwork/image/${encodeURIComponent(text(row.object_number, 100))}`,
        image: row.has_image === false ? null : picture,
        rights,
      },
    };
  },
  live: {
    pauseMs: 1000,
    read: async ({ record: { accession_number: number }, get }) =>
      smk.map(itemsOf(await get(`${API}/?object_number=${encodeURIComponent(number)}`))[0] ?? {}),
  },
};

const itemsOf = (answer: unknown) => objects(object(answer).items ?? answer);

/** "1478-01-01T00:00:00.000Z" */
const yearOf = (value: unknown): number | null => lifeYear(/^-?\d{4}/.exec(text(value, 30))?.[0]);

const makerOf = (person: Record<string, unknown>) => ({
  name: joined([person.creator_forename, person.creator_surname], 2, 149, ' ') || personName(person.creator),
  role: text(person.creator_role, 100),
  nationality: text(person.creator_nationality, 100),
  born: yearOf(person.creator_date_of_birth),
  died: yearOf(person.creator_date_of_death),
});

const NAMES = [/^h(oe|ø|o)j|^height/i, /^bredde|^width/i, /^dybde|^depth/i];
/** Height and width of each part: "Bladmaal: 64 × 55 mm". */
function dimensionsOf(value: unknown): string {
  const parts = Map.groupBy(objects(value), ({ part }) => text(part, 60));
  const sizes = [...parts].flatMap(([part, all]) => {
    const size = sides(NAMES.map((name) => all.find(({ type }) => name.test(text(type, 30)))?.value));
    return size ? `${part && `${part}: `}${size} ${text(all[0]?.unit, 6)}` : [];
  });
  return sizes.join('; ').slice(0, 1000);
}
