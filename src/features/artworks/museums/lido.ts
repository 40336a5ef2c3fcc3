import type { PLACE_KINDS } from '../limits.ts';
import { elementsAt, type XmlElement } from '../readers/xml_records.ts';
import { lifeYear, personName, text } from './clean.ts';

/** Content of a LIDO 1.0 record (lido-schema.org), in the museum's own words. */
export interface Lido {
  readonly recordId: string;
  readonly inventoryNumber: string;
  readonly titles: readonly string[];
  readonly makers: readonly Maker[];
  readonly date: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly media: readonly string[];
  readonly dimensions: string;
  readonly kind: string;
  readonly collection: string;
  readonly places: readonly string[];
  /** Places with coordinates: where the work was made or found, or what it shows. */
  readonly points: readonly Point[];
  /** Publications of the work. */
  readonly references: readonly string[];
  /** Owners and acquisitions, as events or notes. */
  readonly provenance: readonly string[];
  readonly exhibitions: readonly string[];
  readonly credit: string;
  readonly description: string;
  /** Concepts, persons and places shown. */
  readonly subjects: readonly string[];
  /** As written: "25F36(SWAN)", "http://www.iconclass.org/rkd/47G543/". */
  readonly iconclass: readonly string[];
  readonly page: string;
  /** Digital copies: URL, and rights statements as URLs and terms. */
  readonly copies: readonly { readonly url: string; readonly rights: readonly string[] }[];
}

interface Maker {
  readonly name: string;
  readonly role: string;
  readonly born: number | null;
  readonly died: number | null;
}

/**
 * Events of creation in German, Dutch and English catalogues; other events are about finds and exhibitions.
 */
const MAKING =
  /^(herstellung|ausführung|entwurf|geistige schöpfung|vervaardiging|ontwerp|production|creation|design|expression creation)/i;

const FINDING = /^(fund|auffindung|ausgrabung|finding|excavation|vondst|opgraving)/i;
const SHOWING = /^(ausstellung|exhibition|tentoonstelling)/i;
const OWNING =
  /^(provenienz|erwerb|besitz|eigentum|schenkung|ankauf|provenance|acquisition|ownership|verwerving|collecting)/i;
const PUBLISHED = /^(literatur|publi|bibliogra|references?$|erwähn)/i;

/** A place with coordinates (WGS 84, degrees). */
export interface Point {
  readonly name: string;
  readonly kind: (typeof PLACE_KINDS)[number];
  readonly latitude: number;
  readonly longitude: number;
}

function kindOfEvent(types: readonly string[]): Point['kind'] | undefined {
  if (types.some((type) => MAKING.test(type))) return 'made';
  return types.some((type) => FINDING.test(type)) ? 'found' : undefined;
}

/** @param place an element with `displayPlace` and `place`, whose point is written as GML: latitude, longitude */
function pointAt(place: XmlElement, kind: Point['kind']): Point[] {
  const name = textsAt(place, 'displayPlace')[0] ?? textsAt(place, 'place/namePlaceSet/appellationValue')[0];
  const [position] = elementsAt(place, 'place/gml/Point/pos');
  return pointOf(name, position?.text ?? '', kind);
}

/**
 * A place with coordinates, as a list of one; empty without a name or valid coordinates.
 * @param position latitude and longitude in degrees
 */
export function pointOf(name: string | undefined, position: string, kind: Point['kind']): Point[] {
  const match = /^(-?\d{1,2}(?:\.\d{1,15})?)[\s,]+(-?\d{1,3}(?:\.\d{1,15})?)$/.exec(position.trim());
  if (!name || !match) return [];
  const [latitude, longitude] = [Number(match[1]), Number(match[2])];
  // 0, 0 is commonly written for unknown coordinates.
  const isPoint =
    Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0);
  return isPoint ? [{ name: text(name, 100), kind, latitude, longitude }] : [];
}

/** Places of events and of what is shown that have coordinates. */
const pointsIn = (events: readonly XmlElement[], shown: readonly XmlElement[]): Point[] => [
  ...events.flatMap((event) => {
    const kind = kindOfEvent(textsAt(event, 'eventType/term'));
    return kind ? elementsAt(event, 'eventPlace').flatMap((place) => pointAt(place, kind)) : [];
  }),
  ...shown.flatMap((subject) =>
    elementsAt(subject, 'subjectPlace').flatMap((place) => pointAt(place, 'shown')),
  ),
];

/** A picture with its rights. */
const copyOf = (copy: XmlElement): Lido['copies'][number] => ({
  url: textsAt(copy, 'resourceRepresentation/linkResource')[0] ?? '',
  rights: [
    ...textsAt(copy, 'rightsResource/rightsType/conceptID'),
    ...textsAt(copy, 'rightsResource/rightsType/term'),
  ],
});

/** @param lido an element `lido:lido` */
export function readLido(lido: XmlElement): Lido {
  const [of = lido] = elementsAt(lido, 'descriptiveMetadata');
  const [by = lido] = elementsAt(lido, 'administrativeMetadata');
  const work = (path: string) => textsAt(of, `objectIdentificationWrap/${path}`);
  const allEvents = elementsAt(of, 'eventWrap/eventSet/event');
  const events = allEvents.filter((event) =>
    textsAt(event, 'eventType/term').some((term) => MAKING.test(term)),
  );
  const notes = elementsAt(of, 'objectIdentificationWrap/objectDescriptionWrap/objectDescriptionSet');
  const isOwning = ({ attributes }: XmlElement) => OWNING.test(attributes['lido:type'] ?? '');
  const noteOf = (note: XmlElement) => textsAt(note, 'descriptiveNoteValue');
  const made = (path: string) => events.flatMap((event) => textsAt(event, path));
  const shown = elementsAt(of, 'objectRelationWrap/subjectWrap/subjectSet/subject');
  const [collection] = elementsAt(of, 'objectClassificationWrap/classificationWrap/classification').filter(
    ({ attributes }) => attributes['lido:type'] === 'Sammlung',
  );
  return {
    recordId: textsAt(by, 'recordWrap/recordID')[0] ?? '',
    inventoryNumber: work('repositoryWrap/repositorySet/workID')[0] ?? '',
    titles: work('titleWrap/titleSet/appellationValue'),
    makers: events.flatMap((event) => elementsAt(event, 'eventActor/actorInRole').map(makerOf)),
    date: made('eventDate/displayDate')[0] ?? '',
    from: yearOf(made('eventDate/date/earliestDate')[0]),
    to: yearOf(made('eventDate/date/latestDate')[0]),
    media: made('eventMaterialsTech/displayMaterialsTech'),
    dimensions: work('objectMeasurementsWrap/objectMeasurementsSet/displayObjectMeasurements').join('; '),
    kind: textsAt(of, 'objectClassificationWrap/objectWorkTypeWrap/objectWorkType/term')[0] ?? '',
    collection: (collection && textsAt(collection, 'term')[0]) ?? '',
    places: made('eventPlace/displayPlace'),
    points: pointsIn(allEvents, shown),
    references: elementsAt(of, 'objectRelationWrap/relatedWorksWrap/relatedWorkSet')
      .filter((related) => textsAt(related, 'relatedWorkRelType/term').some((term) => PUBLISHED.test(term)))
      .flatMap((related) => textsAt(related, 'relatedWork/displayObject')),
    credit: textsAt(by, 'rightsWorkWrap/rightsWorkSet/creditLine')[0] ?? '',
    provenance: [
      ...notes.filter(isOwning).flatMap(noteOf),
      ...allEvents.flatMap((event) => eventOf(event, OWNING)),
    ],
    exhibitions: allEvents.flatMap((event) => eventOf(event, SHOWING)),
    description: notes
      .filter((note) => !isOwning(note))
      .flatMap(noteOf)
      .join(' '),
    subjects: shown.flatMap((subject) => [
      ...textsAt(subject, 'subjectConcept/term'),
      ...textsAt(subject, 'subjectActor/displayActor'),
      ...textsAt(subject, 'subjectPlace/displayPlace'),
    ]),
    iconclass: shown
      .flatMap((subject) => elementsAt(subject, 'subjectConcept/conceptID'))
      .filter(({ attributes }) => /^iconclass/i.test(attributes['lido:source'] ?? ''))
      .map((concept) => concept.text.trim()),
    page: textsAt(by, 'recordWrap/recordInfoSet/recordInfoLink')[0] ?? '',
    copies: elementsAt(by, 'resourceWrap/resourceSet').map(copyOf),
  };
}

/** An event of a type in words, as a list of one: what it is called, who took part, where and when. */
function eventOf(event: XmlElement, type: RegExp): string[] {
  if (!textsAt(event, 'eventType/term').some((term) => type.test(term))) return [];
  const parts = [
    'eventName/appellationValue',
    'eventDescriptionSet/descriptiveNoteValue',
    'eventActor/displayActorInRole',
    'eventPlace/displayPlace',
    'eventDate/displayDate',
  ].flatMap((path) => textsAt(event, path));
  return parts.length > 0 ? [[...new Set(parts)].join(', ')] : [];
}

/** Preferred terms, without synonyms and broader terms, which are added for searches. */
const textsAt = (element: XmlElement, path: string): string[] =>
  elementsAt(element, path)
    .filter(
      ({ attributes }) =>
        attributes['lido:pref'] !== 'alternative' && attributes['lido:addedSearchTerm'] !== 'yes',
    )
    .map((found) => found.text.trim())
    .filter((found) => found !== '');

function makerOf(inRole: XmlElement): Maker {
  const one = (path: string) => textsAt(inRole, path)[0];
  const doubt = one('attributionQualifierActor');
  const role = one('roleActor/term') ?? '';
  return {
    name: personName(one('actor/nameActorSet/appellationValue')),
    role: text(doubt ? `${role} (${doubt})` : role, 100),
    born: yearOf(one('actor/vitalDatesActor/earliestDate')),
    died: yearOf(one('actor/vitalDatesActor/latestDate')),
  };
}

/** "1907", "1859-03-01" */
const yearOf = (date: string | undefined): number | null => lifeYear(/^-?\d{1,4}/.exec(date ?? '')?.[0]);
