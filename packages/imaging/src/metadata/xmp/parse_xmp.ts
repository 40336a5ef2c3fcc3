import { NAMESPACES, qualifiedName } from './namespaces.ts';
import { parseXml, type XmlElement, XmlProblem } from './parse_xml.ts';

/** Text, a list, a structure by qualified names, or texts by language (`x-default`, `de`). */
export type XmpValue = string | readonly XmpValue[] | { readonly [name: string]: XmpValue };

const isRdf = ({ uri }: { uri: string }, element: { name: string }, name: string): boolean =>
  uri === NAMESPACES.rdf && element.name === name;
const is = (element: XmlElement, name: string): boolean => isRdf(element, element, name);

/**
 * The properties of an XMP packet, each as one element; attributes are converted to elements. An RSL licence counts as one, even outside the RDF (see
 * `isLicence`).
 * @throws XmlProblem for an unreadable packet
 */
export function parseXmp(packet: Uint8Array): XmlElement[] {
  const root = parseXml(decoded(packet));
  const rdf = find(root, (element) => is(element, 'RDF'));
  if (!rdf) throw new XmlProblem('it contains no rdf:RDF');
  const properties = rdf.children.filter((child) => is(child, 'Description')).flatMap(propertiesOf);
  return root === rdf ? properties : [...properties, ...root.children.filter(isLicence)];
}

/**
 * Whether an element is an RSL licence. RSL places it inside `rdf:Description`, where it is not valid RDF and Adobe's XMP toolkit rejects the whole
 * packet (measured with Exiv2 0.27 and Exempi 2.6); it is therefore written outside the RDF, which all of them ignore.
 */
export const isLicence = ({ uri, name }: { uri: string; name: string }): boolean =>
  uri === NAMESPACES.rsl && name === 'rsl';

/** XMP in files is UTF-8; some writers use UTF-16, detected by its byte order mark or the zero byte next to the first "<". */
function decoded(packet: Uint8Array): string {
  const start = Buffer.from(packet.subarray(0, 2)).toString('hex');
  // Zero padding after the packet is common.
  return new TextDecoder(ENCODINGS[start] ?? 'utf-8').decode(packet).replace(/\0+$/, '');
}

const ENCODINGS: Record<string, string> = {
  feff: 'utf-16be',
  '003c': 'utf-16be',
  fffe: 'utf-16le',
  '3c00': 'utf-16le',
};

function find(element: XmlElement, wanted: (element: XmlElement) => boolean): XmlElement | undefined {
  if (wanted(element)) return element;
  for (const child of element.children) {
    const found = find(child, wanted);
    if (found) return found;
  }
  return undefined;
}

/** The attributes of a description or structure as elements, then its children. */
function propertiesOf(description: XmlElement): XmlElement[] {
  return [...attributesAsElements(description), ...description.children];
}

const attributesAsElements = ({ attributes }: XmlElement): XmlElement[] =>
  attributes
    .filter(({ uri }) => uri !== NAMESPACES.rdf && uri !== NAMESPACES.xml && uri !== '')
    .map(({ value, ...names }) => ({ ...names, attributes: [], children: [], text: value }));

/** Properties by qualified name; of duplicates, the first counts. */
export function valuesIn(properties: readonly XmlElement[]): Record<string, XmpValue> {
  const values: Record<string, XmpValue> = Object.create(null);
  for (const property of properties) values[qualifiedName(property)] ??= valueIn(property);
  return values;
}

/** Value of a property: RDF/XML as in XMP part 1 (7.3 to 7.9), and the abbreviated forms that writers use. */
export function valueIn(property: XmlElement): XmpValue {
  const resource = attribute(property, 'resource');
  if (resource !== undefined && property.children.length === 0) return resource;
  if (attribute(property, 'parseType') === 'Resource') return structure(property);
  const [child] = property.children;
  if (!child) {
    return attributesAsElements(property).length > 0 ? structure(property) : property.text;
  }
  if (is(child, 'Alt')) return alternatives(child);
  if (is(child, 'Bag') || is(child, 'Seq')) return items(child).map(valueIn);
  return is(child, 'Description') ? structure(child) : structure(property);
}

const items = (list: XmlElement): XmlElement[] => list.children.filter((child) => is(child, 'li'));

function alternatives(alt: XmlElement): XmpValue {
  const languages = items(alt).map((item) => [languageOf(item), valueIn(item)] as const);
  if (languages.some(([language]) => language === undefined)) return languages.map(([, value]) => value);
  const values: Record<string, XmpValue> = Object.create(null);
  for (const [language, value] of languages) values[language!] ??= value;
  return values;
}

/** A structure with rdf:value is that value; its other fields are qualifiers. */
function structure(element: XmlElement): XmpValue {
  const properties = propertiesOf(element);
  const value = properties.find((property) => is(property, 'value'));
  return value ? valueIn(value) : valuesIn(properties);
}

const attribute = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.find((found) => isRdf(found, found, name))?.value;

const languageOf = ({ attributes }: XmlElement): string | undefined =>
  attributes.find(({ uri, name }) => uri === NAMESPACES.xml && name === 'lang')?.value;
