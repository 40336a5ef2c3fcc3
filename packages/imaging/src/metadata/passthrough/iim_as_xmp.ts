import { PLACES } from '../fields.ts';
import { iimTexts, readIim } from '../iim/read_iim.ts';
import { listProperty, textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';

/** XMP names of texts that `PLACES` has no field for. IPTC Photo Metadata Standard 2025.1; those of categories are Photoshop's. */
const NAMES: Readonly<Record<string, readonly [xmp: string, isList?: true]>> = {
  '2:04': ['Iptc4xmpCore:IntellectualGenre'],
  '2:10': ['photoshop:Urgency'],
  '2:12': ['Iptc4xmpCore:SubjectCode', true],
  '2:15': ['photoshop:Category'],
  '2:20': ['photoshop:SupplementalCategories', true],
  '2:40': ['photoshop:Instructions'],
  '2:85': ['photoshop:AuthorsPosition'],
  '2:90': ['photoshop:City'],
  '2:92': ['Iptc4xmpCore:Location'],
  '2:95': ['photoshop:State'],
  '2:100': ['Iptc4xmpCore:CountryCode'],
  '2:101': ['photoshop:Country'],
  '2:103': ['photoshop:TransmissionReference'],
  '2:105': ['photoshop:Headline'],
  '2:115': ['photoshop:Source'],
  '2:122': ['photoshop:CaptionWriter'],
};
const OWN_FIELDS = new Set(Object.values(PLACES).flatMap(({ iim }) => (iim ? [iim[0]] : [])));

/**
 * Texts of an IPTC-IIM block as XMP properties, but for those our fields have; and the names of what XMP has no property for.
 * @param has names of properties that are there already: those stand
 */
export function iimAsXmp(
  iim: Uint8Array,
  has: ReadonlySet<string>,
): { properties: XmlElement[]; nameless: string[] } {
  const texts = Object.entries(iimTexts(readIim(iim)));
  const properties = texts.flatMap(([number, values]) => {
    const [xmp, isList] = NAMES[number] ?? [];
    if (!xmp || has.has(xmp)) return [];
    return [isList ? listProperty(xmp, 'rdf:Bag', values) : textProperty(xmp, values[0]!)];
  });
  const nameless = texts
    .map(([number]) => number)
    .filter((number) => !NAMES[number] && !OWN_FIELDS.has(number));
  return { properties, nameless };
}
