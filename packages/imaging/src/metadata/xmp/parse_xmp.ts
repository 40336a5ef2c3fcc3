import { NAMESPACES, qualifiedName } from './namespaces.ts';
import { parseXml, type XmlElement, XmlProblem } from './parse_xml.ts';

/** Text, a list, a structure by qualified names, or texts by language (`x-default`, `de`). */
export type XmpValue = string | readonly XmpValue[] | { readonly [name: string]: XmpValue };

const isRdf = ({ uri }: { uri: string }, element: { name: string }, name: string): boolean =>
  uri === NAMESPACES.rdf && element.name === name;
const is = (element: XmlElement, name: string): boolean => isRdf(element, element, name);

/**
 * The properties of an XMP packet, each as one element; those written as attributes are turned into elements. An RSL
 * licence counts as one, also where it stands beside the RDF (see `isLicence`).
 * @throws XmlProblem for a packet that cannot be read
 */
export function parseXmp(packet: Uint8Array): XmlElement[] {
  const root = parseXml(decoded(packet));
  const rdf = find(root, (element) => is(element, 'RDF'));
  if (!rdf) throw new XmlProblem('there is no rdf:RDF in it');
  const properties = rdf.children.filter((child) => is(child, 'Description')).flatMap(propertiesOf);
  return root === rdf ? properties : [...properties, ...root.children.filter(isLicence)];
}

/**
 * Whether an element is an RSL licence. RSL shows it inside `rdf:Description`, where it is no RDF, and Adobe's XMP toolkit then
 * refuses the whole packet (measured with Exiv2 0.27 and Exempi 2.6); so it is written beside the RDF, which all of them read past.
 */
export const isLicence = ({ uri, name }: { uri: string; name: string }): boolean =>
  uri === NAMESPACES.rsl && name === 'rsl';

/** XMP in files is UTF-8; some writers use UTF-16, which a mark or the zero byte beside the first "<" tells. */
function decoded(packet: Uint8Array): string {
  const start = Buffer.from(packet.subarray(0, 2)).toString('hex');
  // Padding of zero bytes after the packet is common.
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

/** Of a description or structure: its attributes as elements, then its children. */
function propertiesOf(description: XmlElement): XmlElement[] {
  return [...attributesAsElements(description), ...description.children];
}

const attributesAsElements = ({ attributes }: XmlElement): XmlElement[] =>
  attributes
    .filter(({ uri }) => uri !== NAMESPACES.rdf && uri !== NAMESPACES.xml && uri !== '')
    .map(({ value, ...names }) => ({ ...names, attributes: [], children: [], text: value }));

/** All properties by qualified name; of one that is there twice the first counts. */
export function valuesIn(properties: readonly XmlElement[]): Record<string, XmpValue> {
  const values: Record<string, XmpValue> = Object.create(null);
  for (const property of properties) values[qualifiedName(property)] ??= valueIn(property);
  return values;
}

/** RDF/XML as XMP part 1 (7.3 to 7.9) allows it, and the shorter forms real writers use. */
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

/** A structure with rdf:value is that value; what is beside it only qualifies it. */
function structure(element: XmlElement): XmpValue {
  const properties = propertiesOf(element);
  const value = properties.find((property) => is(property, 'value'));
  return value ? valueIn(value) : valuesIn(properties);
}

const attribute = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.find((found) => isRdf(found, found, name))?.value;

const languageOf = ({ attributes }: XmlElement): string | undefined =>
  attributes.find(({ uri, name }) => uri === NAMESPACES.xml && name === 'lang')?.value;
