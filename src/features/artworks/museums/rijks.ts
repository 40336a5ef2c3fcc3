import { peek } from '../readers/json_files.ts';
import type { Source } from '../readers/open_source.ts';
import type { Row } from '../readers/row.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { type XmlElement, xmlRecords } from '../readers/xml_records.ts';
import { address } from './clean.ts';
import type { Importer, Mapped } from './importer.ts';
import { type Point, pointOf } from './lido.ts';
import { readLinkedArt } from './linked_art.ts';
import { FREE, rijksRecord } from './rijks_record.ts';

/** Rijksmuseum: pages of its OAI-PMH harvest, as Dublin Core (no image URL) or EDM (with one). */
export const rijks: Importer = {
  published: { repository: 'https://data.rijksmuseum.nl/oai?verb=ListRecords&metadataPrefix=edm' },
  reads:
    'pages of https://data.rijksmuseum.nl/oai?verb=ListRecords&metadataPrefix=edm (or oai_dc) as .xml, a folder of them, or .tar.gz',
  free: '`dc:rights` or `edm:rights`',
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
    throw new Error('it contains neither oai_dc:dc nor rdf:RDF');
  },
  // The museum publishes no rate limit.
  live: { pauseMs: 300, read: readLinkedArt },
};

/** Other formats that the museum has published, by their beginning, and why they cannot be imported. */
const OTHER_FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^"?(recordnummer|objectnummer)"?;/i, 'an Adlib export (CSV), which states no rights'],
  [/^[[{][\s\S]*"artObjects?"\s*:/, 'a response of the former API (JSON), which states no rights'],
  [/^[[{][\s\S]*linked\.art/, 'Linked Art (JSON), which states the rights in other objects'],
  [/^@prefix/, 'a dump of Linked Art (Turtle), which this importer does not support'],
];

/** @throws SourceProblem naming the format, unless the file is XML */
function refuseOtherFormats(name: string, beginning: string): void {
  if (beginning.startsWith('<')) return;
  const known = OTHER_FORMATS.find(([shape]) => shape.test(beginning))?.[1];
  const what = known ? `${known}, so no work can be imported from it` : 'not XML';
  throw new SourceProblem(`${name} is ${what}. Required: ${rijks.reads}.`);
}

function fromDublinCore(dc: XmlElement): Mapped {
  const all = (name: string) => children(dc, `dc:${name}`).map((element) => element.text);
  const number = all('identifier').find((identifier) => !identifier.includes('://'));
  const rights = all('rights').find((value) => FREE.test(value));
  const handle = all('identifier')
    .map(address)
    .find((url) => url !== '');
  return rijksRecord({
    number,
    rights: rights === undefined ? undefined : { field: 'dc:rights', value: rights },
    titles: all('title'),
    creators: [...all('creator'), ...all('contributor')].map((name) => ({ name })),
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

/** Literals and references occur side by side; the meaning of a reference is elsewhere in the same record. */
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
  return rijksRecord({
    number: all('dc:identifier').find((identifier) => !identifier.includes('://')),
    rights: FREE.test(rights) ? { field: 'edm:rights', value: rights } : undefined,
    titles: [preferEnglish(children(object, 'dc:title')), ...all('dc:title', 'dcterms:alternative')],
    creators: ['dc:creator', 'dc:contributor'].flatMap((name) =>
      children(object, name).map((element) => ({
        name: labels.get(resource(element)) ?? element.text,
        links: linksOf(rdf, resource(element)),
      })),
    ),
    date: all('dcterms:created', 'dc:date')[0] ?? '',
    media: all('dcterms:medium'),
    type: all('dc:type')[0],
    subjects: all('dc:subject').filter((subject) => !OF_ICONCLASS.test(subject)),
    iconclass: children(object, 'dc:subject')
      .map(resource)
      .filter((url) => OF_ICONCLASS.test(url)),
    places: all('dcterms:spatial', 'dc:coverage'),
    points: [
      ...pointsOf(rdf, object, ['dcterms:spatial', 'dc:coverage'], 'made'),
      ...pointsOf(rdf, object, ['dc:subject'], 'shown'),
    ],
    dimensions: all('dcterms:extent').join('; '),
    provenance: all('dcterms:provenance').join('\n'),
    description: preferEnglish(children(object, 'dc:description')),
    page: address(link('edm:isShownAt')) || address(object.attributes['rdf:about']),
    picture: address(link('edm:isShownBy')),
  });
}

/** The element of a record that describes a reference. */
const described = (rdf: XmlElement, about: string): XmlElement | undefined =>
  about === '' ? undefined : rdf.children.find(({ attributes }) => attributes['rdf:about'] === about);

/** Links of a maker to authority files: the reference itself, and what its description calls the same. */
function linksOf(rdf: XmlElement, about: string): string[] {
  const agent = described(rdf, about);
  const same = agent ? ['owl:sameAs', 'skos:exactMatch'].flatMap((name) => children(agent, name)) : [];
  return [about, ...same.map(resource)];
}

/** Places (`edm:Place`) with coordinates that fields of the object refer to. */
const pointsOf = (
  rdf: XmlElement,
  object: XmlElement,
  names: readonly string[],
  kind: Point['kind'],
): Point[] =>
  names
    .flatMap((name) => children(object, name))
    .flatMap((element) => {
      const place = described(rdf, resource(element));
      if (!place) return [];
      const degrees = (name: string) => child(place, name)?.text ?? '';
      const name = preferEnglish(children(place, 'skos:prefLabel'));
      return pointOf(name, `${degrees('wgs84_pos:lat')} ${degrees('wgs84_pos:long')}`, kind);
    });

const OF_ICONCLASS = /^https?:\/\/(?:www\.)?iconclass\.org\//;

const children = (element: XmlElement, name: string) => element.children.filter((one) => one.name === name);
const child = (element: XmlElement, name: string) => element.children.find((one) => one.name === name);
const resource = (element: XmlElement | undefined): string => element?.attributes['rdf:resource'] ?? '';

/** The English text, else the first. */
const preferEnglish = (elements: readonly XmlElement[]): string =>
  (elements.find((element) => element.attributes['xml:lang'] === 'en') ?? elements[0])?.text ?? '';
