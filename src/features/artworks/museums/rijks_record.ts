import { authorities, entries, given, iconclass, list, personName, text } from './clean.ts';
import { CC0, type Mapped, NO_NUMBER, NOT_PUBLIC_DOMAIN, PUBLIC_DOMAIN_MARK } from './importer.ts';
import type { Point } from './lido.ts';
import { yearsIn } from './years.ts';

/** URLs of marks that state that a work is free. */
export const FREE = /^https?:\/\/creativecommons\.org\/publicdomain\/(mark|zero)\/1\.0\/?/;
const UNKNOWN_MAKER = /^(anoniem|anonymous|onbekend)/i;

/** Fields of a work from one of the museum's formats. */
interface Fields {
  readonly number: string | undefined;
  readonly rights: { field: string; value: string } | undefined;
  readonly titles: readonly string[];
  readonly creators: readonly Creator[];
  readonly date: string;
  readonly media: readonly string[];
  readonly type: string | undefined;
  readonly subjects: readonly string[];
  readonly places: readonly string[];
  readonly description: string;
  readonly page: string | undefined;
  readonly picture: string | undefined;
  readonly dimensions?: string;
  readonly credit?: string;
  /** Owners, earliest first. */
  readonly provenance?: string;
  /** Places with coordinates. */
  readonly points?: readonly Point[];
  /** Iconclass notations or URLs, mixed with other values. */
  readonly iconclass?: readonly string[];
}

/** A maker with links to authority files, mixed with other links. */
export interface Creator {
  readonly name: string;
  readonly links?: readonly string[];
}

/** The first entry of each known maker. */
function makersOf(creators: readonly Creator[]) {
  const names = list(
    creators.map(({ name }) => name),
    20,
    300,
  );
  return names
    .filter((name) => !UNKNOWN_MAKER.test(name))
    .map((name) => {
      const links = creators.find((one) => text(one.name, 300) === name)?.links ?? [];
      return { name: personName(name), ...given({ same_as: authorities(...links) }) };
    });
}

/** Builds the same record from Dublin Core, EDM and Linked Art. */
export function rijksRecord(fields: Fields): Mapped {
  const number = text(fields.number, 100);
  if (!number) return { leftOut: NO_NUMBER };
  if (!fields.rights) return { leftOut: NOT_PUBLIC_DOMAIN };
  const titles = list([...fields.titles], 11, 1000);
  const isCc0 = fields.rights.value.includes('/zero/');
  const date = text(fields.date, 200);
  const iiif = /^(https:\/\/iiif\.micr\.io\/\w+)\//.exec(fields.picture ?? '')?.[1];
  return {
    record: {
      id: `rijks_${number.replace(/[^0-9A-Za-z._:()-]/g, '-')}`,
      museum: 'rijks',
      accession_number: number,
      title: titles[0] ?? 'Zonder titel',
      other_titles: titles.slice(1),
      artists: makersOf(fields.creators),
      date,
      ...yearsIn(date),
      medium: list([...fields.media], 20, 100)
        .join(', ')
        .slice(0, 1000),
      dimensions: text(fields.dimensions),
      classification: text(fields.type, 200),
      culture: list([...fields.places], 5, 55).join(', '),
      credit_line: text(fields.credit),
      description: text(fields.description, 4000),
      tags: list([...fields.subjects], 50, 100),
      ...given({
        provenance: entries(fields.provenance),
        places: fields.points?.length ? fields.points.slice(0, 8).map((point) => ({ ...point })) : undefined,
        iconclass: iconclass(fields.iconclass ?? []),
      }),
      source_url: fields.page || `https://www.rijksmuseum.nl/nl/collectie/${encodeURIComponent(number)}`,
      image: iiif
        ? { kind: 'iiif', url: iiif }
        : fields.picture
          ? { kind: 'file', url: fields.picture }
          : null,
      rights: {
        status: isCc0 ? 'cc0' : 'public_domain',
        evidence: { field: fields.rights.field, value: text(fields.rights.value, 300) },
        url: isCc0 ? CC0 : PUBLIC_DOMAIN_MARK,
      },
    },
  };
}
