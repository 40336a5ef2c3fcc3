import { NAMESPACES, prefixOf } from './namespaces.ts';
import type { XmlElement } from './parse_xml.ts';
import { isLicence } from './parse_xmp.ts';

/**
 * Serialises properties as an XMP packet in UTF-8, without padding: each namespace is declared once, with its conventional prefix or that of the
 * file. RSL licences follow the RDF.
 */
export const writeXmp = (properties: readonly XmlElement[]): Buffer =>
  Buffer.from(
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${xmpElement(properties)}\n<?xpacket end="w"?>`,
  );

/** The same without the packet wrapper, for documents that are XML. */
export const xmpElement = (properties: readonly XmlElement[]): string =>
  `<x:xmpmeta xmlns:x="${NAMESPACES.x}">\n <rdf:RDF xmlns:rdf="${NAMESPACES.rdf}">\n${xmpDescription(properties)}\n </rdf:RDF>\n${xmpLicences(properties)}</x:xmpmeta>`;

/** One rdf:Description with the properties, except RSL licences. */
export function xmpDescription(all: readonly XmlElement[]): string {
  const properties = all.filter((property) => !isLicence(property));
  const prefixes = prefixesOf(properties);
  const declared = declarations(prefixes).map((text) => `\n    ${text}`);
  const body = properties.map((property) => `   ${elementText(property, prefixes)}\n`);
  return `  <rdf:Description rdf:about=""${declared.join('')}>\n${body.join('')}  </rdf:Description>`;
}

/** The RSL licences among the properties, which follow the RDF. */
export const xmpLicences = (properties: readonly XmlElement[]): string =>
  properties
    .filter(isLicence)
    .map((licence) => ` ${licenceText(licence)}\n`)
    .join('');

const declarations = (prefixes: ReadonlyMap<string, string>): string[] =>
  [...prefixes]
    .filter(([uri]) => uri !== NAMESPACES.xml && uri !== NAMESPACES.rdf)
    .map(([uri, prefix]) => `xmlns:${prefix}="${escaped(uri)}"`);

/** Outside the description, so it declares its own namespaces. */
function licenceText(licence: XmlElement): string {
  const prefixes = prefixesOf([licence]);
  const text = elementText(licence, prefixes);
  const tag = `<${qualified(licence, prefixes)}`;
  return `${[tag, ...declarations(prefixes)].join(' ')}${text.slice(tag.length)}`;
}

function prefixesOf(properties: readonly XmlElement[]): Map<string, string> {
  const prefixes = new Map<string, string>();
  const taken = new Set<string>(Object.keys(NAMESPACES));
  const add = ({ uri, prefix }: { uri: string; prefix: string }) => {
    if (uri === '' || prefixes.has(uri)) return;
    const known = prefixOf(uri);
    const isFree = /^[A-Za-z_][\w.-]*$/.test(prefix) && !/^xml/i.test(prefix) && !taken.has(prefix);
    const chosen = known ?? (isFree ? prefix : `ns${prefixes.size + 1}`);
    taken.add(chosen);
    prefixes.set(uri, chosen);
  };
  const visit = (element: XmlElement): void => {
    add(element);
    element.attributes.forEach(add);
    element.children.forEach(visit);
  };
  properties.forEach(visit);
  return prefixes;
}

function elementText(element: XmlElement, prefixes: ReadonlyMap<string, string>): string {
  const tag = qualified(element, prefixes);
  const attributes = element.attributes.map(
    (attribute) => ` ${qualified(attribute, prefixes)}="${escaped(attribute.value)}"`,
  );
  // Text between elements is formatting.
  const inside =
    element.children.length > 0
      ? element.children.map((child) => elementText(child, prefixes)).join('')
      : escaped(element.text);
  return `<${tag}${attributes.join('')}>${inside}</${tag}>`;
}

const qualified = (
  { uri, name }: { uri: string; name: string },
  prefixes: ReadonlyMap<string, string>,
): string => (uri === '' ? name : `${prefixes.get(uri)}:${name}`);

const ESCAPES: Record<string, string> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Removes characters that XML 1.0 does not allow even escaped: other control characters, and lone surrogates. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[<>&"\r]/g, (character) => ESCAPES[character]!);
