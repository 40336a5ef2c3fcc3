import { jsonLines } from '../readers/lines.ts';
import type { Source } from '../readers/open_source.ts';
import { address, array, given, list, object, objects, plain, text } from './clean.ts';
import { CC0, type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN } from './importer.ts';
import { pointOf } from './lido.ts';
import { yearsIn } from './years.ts';

/** Units that collect art. Others hold plants, aircraft and archives. */
const ART_UNITS = new Set(['SAAM', 'NPG', 'HMSG', 'FSG', 'NMAA', 'CHNDM', 'NMAFA', 'ACM', 'NMAI']);
/** Roles of makers; the National Portrait Gallery lists its sitters first. */
const MAKERS =
  /^(artist|maker|artist\/maker|attribution|attributed to|copy after|creator|designer|lithographer|manufacturer|publisher|author|printer|engraver|photographer|sculptor|painter|culture\/people)/i;

const API = 'https://api.si.edu/openaccess/api/v1.0/content';
const BUCKET = 'https://smithsonian-open-access.s3-us-west-2.amazonaws.com/metadata/edan';

/** Smithsonian Institution: lines of its open-access records, from any number of units. */
export const smithsonian: Importer = {
  published: {
    files: ['saam', 'npg', 'hmsg', 'fsg', 'chndm', 'nmafa'].flatMap((unit) =>
      Array.from({ length: 256 }, (_, at) => `${BUCKET}/${unit}/${at.toString(16).padStart(2, '0')}.txt`),
    ),
  },
  reads:
    'record files (00.txt to ff.txt, or .txt.bz2) from https://github.com/Smithsonian/OpenAccess, or a folder of them',
  free: '`metadata_usage` and `usage` of the picture, both',
  async *rows(source: Source) {
    for await (const file of source.files()) yield* jsonLines(file);
  },
  map(row) {
    const content = object(row.content);
    const about = object(content.descriptiveNonRepeating);
    const number = text(about.record_ID, 100);
    if (!number) return { leftOut: NO_NUMBER };
    const unit = text(row.unitCode ?? about.unit_code, 20);
    if (!ART_UNITS.has(unit.toUpperCase())) return { leftOut: 'a unit that does not collect art' };
    // The first statement is about the record, the second about the image: both are required.
    if (object(about.metadata_usage).access !== 'CC0') return { leftOut: NOT_PUBLIC_DOMAIN };
    const media = array(object(about.online_media).media).map(object);
    const picture = media.find((one) => one.type === 'Images' && object(one.usage).access === 'CC0');
    if (!picture) return { leftOut: 'no CC0 image' };
    const freetext = object(content.freetext);
    const indexed = object(content.indexedStructured);
    const date = parseEntries(freetext.date)[0]?.content ?? '';
    const physical = parseEntries(freetext.physicalDescription);
    return {
      record: {
        id: `smithsonian_${number}`,
        museum: 'smithsonian',
        accession_number: text(parseEntries(freetext.identifier)[0]?.content, 200),
        title: plain(row.title) || 'Untitled',
        artists: parseEntries(freetext.name)
          .filter(({ label, content }) => MAKERS.test(label) && content !== '')
          .slice(0, 20)
          .map(artistOf),
        date: text(date, 200),
        ...yearsIn(date),
        medium: findContent(physical, /medium|material/i) || text(physical[0]?.content),
        dimensions: findContent(physical, /dimension|size/i),
        classification: text(parseEntries(freetext.objectType)[0]?.content, 200),
        department: text(about.data_source, 200),
        culture: list([...array(indexed.culture), ...array(indexed.place)], 5, 55).join(', '),
        credit_line: text(parseEntries(freetext.creditLine)[0]?.content),
        description: plain(
          parseEntries(freetext.notes).find(({ label }) => /description|label/i.test(label))?.content,
          4000,
        ),
        ...given({
          provenance: saidOf(freetext.notes, /^(provenance|collection history)$/i),
          exhibitions: saidOf(freetext.notes, /^exhibition history$/i),
          references: saidOf(freetext.notes, /^published references$/i),
          places: pointsOf(indexed.geoLocation),
        }),
        tags: list([...array(indexed.topic), ...array(indexed.object_type)], 50, 100),
        source_url:
          address(about.record_link) ||
          address(about.guid) ||
          `https://www.si.edu/object/${encodeURIComponent(number)}`,
        image: pictureOf(picture),
        rights: {
          status: 'cc0',
          evidence: { field: 'online_media.media[].usage.access', value: 'CC0' },
          url: CC0,
        },
      },
    };
  },
  live: {
    // An API key allows about a thousand requests an hour.
    pauseMs: 3600,
    needs: 'SMITHSONIAN_API_KEY',
    async read({ number, key, get }) {
      const url = `${API}/edanmdm:${encodeURIComponent(number)}`;
      return smithsonian.map(object((await get(url, { secret: { 'x-api-key': key } })).response));
    },
  },
};

const parseEntries = (value: unknown): { label: string; content: string }[] =>
  array(value)
    .map(object)
    .map(({ label, content }) => ({ label: text(label, 100), content: text(content, 4000) }));

/**
 * All notes with this label: one owner, exhibition or book each, as written by the Hirshhorn and the National
 * Museum of African Art.
 */
const saidOf = (notes: unknown, label: RegExp): string =>
  parseEntries(notes)
    .filter((entry) => label.test(entry.label))
    .map(({ content }) => plain(content, 4000))
    .join(' • ')
    .slice(0, 4000);

/** Parts of a place from the narrowest to the broadest, as in the metadata model of the museum's API. */
const PLACE_PARTS = ['Other', 'L5', 'L4', 'L3', 'L2', 'L1'];

/** Places of a work with coordinates; undefined without any. */
function pointsOf(geoLocation: unknown) {
  const points = objects(geoLocation).flatMap((location) => {
    const content = (part: unknown) => text(object(part).content, 100);
    const { latitude, longitude } = object(object(location.points).point);
    const name = PLACE_PARTS.map((part) => content(location[part])).find((part) => part !== '');
    return pointOf(name, `${content(latitude)} ${content(longitude)}`, 'named');
  });
  return points.length > 0 ? points.slice(0, 8).map((point) => ({ ...point })) : undefined;
}

const findContent = (entries: { label: string; content: string }[], label: RegExp): string =>
  text(entries.find((entry) => label.test(entry.label))?.content);

/** "Ezra Ames, 1768 - 1836", "Georgia O'Keeffe, American, b. Sun Prairie, Wisconsin, 1887–1986". */
function artistOf({ label, content }: { label: string; content: string }) {
  const [name = '', ...about] = content.split(', ');
  const life = /(\d{4})\s*[–-]\s*(?:\d{1,2} \w{3} )?(\d{4})/.exec(about.join(', '));
  const isNation = /^[A-Z][a-z]+$/.test(about[0] ?? '');
  return {
    name: text(name.replace(/^born .*/, ''), 300) || text(content, 300),
    role: label,
    ...(isNation && { nationality: about[0]! }),
    ...(life && { born: Number(life[1]), died: Number(life[2]) }),
  };
}

function pictureOf(media: Record<string, unknown>) {
  const url = address(media.content).replace(/^http:/, 'https:');
  const size = array(media.resources)
    .map((resource) => /JPEG \((\d+)x(\d+)\)/.exec(text(object(resource).label, 100)))
    .find((match) => match !== null);
  return url
    ? {
        kind: 'file' as const,
        url,
        width: size ? Number(size[1]) : null,
        height: size ? Number(size[2]) : null,
      }
    : null;
}
