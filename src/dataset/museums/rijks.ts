import type { Source } from '../reading/open_source.ts';
import { peek } from '../reading/peek.ts';
import type { Row } from '../reading/row.ts';
import { SourceProblem } from '../reading/source_problem.ts';
import { type XmlElement, xmlRecords } from '../reading/xml_records.ts';
import { address, list, personName, text } from './clean.ts';
import {
  CC0,
  type Importer,
  type Mapped,
  NO_NUMBER,
  NOT_PUBLIC_DOMAIN,
  PUBLIC_DOMAIN_MARK,
} from './importer.ts';
import { yearsIn } from './years.ts';

const FREE = /^https?:\/\/creativecommons\.org\/publicdomain\/(mark|zero)\/1\.0\/?/;
const UNKNOWN_MAKER = /^(anoniem|anonymous|onbekend)/i;

/** Rijksmuseum: pages of its OAI-PMH harvest, as Dublin Core (no picture address) or EDM (with one). */
export const rijks: Importer = {
  published: { repository: 'https://data.rijksmuseum.nl/oai?verb=ListRecords&metadataPrefix=edm' },
  reads:
    'pages of https://data.rijksmuseum.nl/oai?verb=ListRecords&metadataPrefix=edm (or oai_dc) as .xml, a folder of them, or .tar.gz',
  async *rows(source: Source): AsyncGenerator<Row> {
    for await (const unread of source.files()) {
      const { beginning, file } = await peek(unread);
      refuseOtherFormats(file.name, beginning);
      let number = 0;
      for await (const element of xmlRecords(file, 'record')) {
        number += 1;
        yield { where: `${file.name} record ${number}`, value: { element } };
      }
    }
  },
  map(row) {
    const record = row.element as XmlElement;
    const header = child(record, 'header');
    if (header?.attributes.status === 'deleted') return { leftOut: 'withdrawn by the museum' };
    const metadata = child(record, 'metadata');
    const dublinCore = metadata && child(metadata, 'oai_dc:dc');
    if (dublinCore) return fromDublinCore(dublinCore);
    const edm = metadata && child(metadata, 'rdf:RDF');
    if (edm) return fromEdm(edm);
    throw new Error('neither oai_dc:dc nor rdf:RDF inside');
  },
};

/** What else the museum has published over the years, by how it begins, and why nothing can be taken from it. */
const OTHER_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^"?(recordnummer|objectnummer)"?;/i, 'an Adlib export (CSV). It says nothing of rights'],
  [/^[[{][\s\S]*"artObjects?"\s*:/, 'answers of the former interface (JSON). They say nothing of rights'],
  [/^[[{][\s\S]*linked\.art/, 'Linked Art (JSON). The rights stand in other objects, which it only names'],
  [/^@prefix/, 'a dump of Linked Art (Turtle), which this importer does not read'],
];

/** @throws SourceProblem naming the format, where it is no XML */
function refuseOtherFormats(name: string, beginning: string): void {
  if (beginning.startsWith('<')) return;
  const known = OTHER_FORMATS.find(([shape]) => shape.test(beginning))?.[1];
  const what = known ? `${known}, so no work can be taken from it` : 'no XML';
  throw new SourceProblem(`${name} is ${what}. Needed: ${rijks.reads}.`);
}

function fromDublinCore(dc: XmlElement): Mapped {
  const all = (name: string) => children(dc, `dc:${name}`).map((element) => element.text);
  const number = all('identifier').find((identifier) => !identifier.includes('://'));
  const rights = all('rights').find((value) => FREE.test(value));
  const handle = all('identifier')
    .map(address)
    .find((url) => url !== '');
  return asRecord({
    number,
    rights: rights === undefined ? undefined : { field: 'dc:rights', value: rights },
    titles: all('title'),
    creators: [...all('creator'), ...all('contributor')],
    date: all('date').join(' - '),
    media: all('format'),
    type: all('type')[0],
    subjects: all('subject'),
    places: all('coverage'),
    description: all('description').join(' '),
    page: handle,
    picture: undefined,
  });
}

/** Literals and references side by side; what a reference means is said elsewhere in the same record. */
function fromEdm(rdf: XmlElement): Mapped {
  const labels = new Map(
    rdf.children.flatMap((element) => {
      const about = element.attributes['rdf:about'];
      const label = preferEnglish(children(element, 'skos:prefLabel'));
      return about && label ? [[about, label] as const] : [];
    }),
  );
  const object = child(rdf, 'edm:ProvidedCHO') ?? rdf;
  const aggregation = child(rdf, 'ore:Aggregation') ?? rdf;
  const all = (...names: string[]) =>
    names
      .flatMap((name) => children(object, name))
      .map((element) => labels.get(resource(element)) ?? element.text);
  const link = (name: string) => resource(child(aggregation, name));
  const rights = link('edm:rights');
  return asRecord({
    number: all('dc:identifier').find((identifier) => !identifier.includes('://')),
    rights: FREE.test(rights) ? { field: 'edm:rights', value: rights } : undefined,
    titles: [preferEnglish(children(object, 'dc:title')), ...all('dc:title', 'dcterms:alternative')],
    creators: all('dc:creator', 'dc:contributor'),
    date: all('dcterms:created', 'dc:date')[0] ?? '',
    media: all('dcterms:medium'),
    type: all('dc:type')[0],
    subjects: all('dc:subject'),
    places: all('dcterms:spatial', 'dc:coverage'),
    description: preferEnglish(children(object, 'dc:description')),
    page: address(link('edm:isShownAt')) || address(object.attributes['rdf:about']),
    picture: address(link('edm:isShownBy')),
  });
}

interface Fields {
  readonly number: string | undefined;
  readonly rights: { field: string; value: string } | undefined;
  readonly titles: readonly string[];
  readonly creators: readonly string[];
  readonly date: string;
  readonly media: readonly string[];
  readonly type: string | undefined;
  readonly subjects: readonly string[];
  readonly places: readonly string[];
  readonly description: string;
  readonly page: string | undefined;
  readonly picture: string | undefined;
}

function asRecord(fields: Fields): Mapped {
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
      artists: list([...fields.creators], 20, 300)
        .filter((name) => !UNKNOWN_MAKER.test(name))
        .map((name) => ({ name: personName(name) })),
      date,
      ...yearsIn(date),
      medium: list([...fields.media], 20, 100)
        .join(', ')
        .slice(0, 1000),
      classification: text(fields.type, 200),
      culture: list([...fields.places], 5, 55).join(', '),
      description: text(fields.description, 4000),
      tags: list([...fields.subjects], 50, 100),
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

const children = (element: XmlElement, name: string) => element.children.filter((one) => one.name === name);
const child = (element: XmlElement, name: string) => element.children.find((one) => one.name === name);
const resource = (element: XmlElement | undefined): string => element?.attributes['rdf:resource'] ?? '';

/** The English text where there is one, else the first. */
const preferEnglish = (elements: readonly XmlElement[]): string =>
  (elements.find((element) => element.attributes['xml:lang'] === 'en') ?? elements[0])?.text ?? '';
