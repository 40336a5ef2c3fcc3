import { NAMESPACES, type Prefix } from './namespaces.ts';
import type { XmlAttribute, XmlElement } from './parse_xml.ts';

interface Content {
  readonly attributes?: readonly XmlAttribute[];
  readonly children?: readonly XmlElement[];
  readonly text?: string;
}

/** An element by its qualified name, such as `dc:title`. */
export function element(
  qualified: string,
  { attributes = [], children = [], text = '' }: Content,
): XmlElement {
  return { ...named(qualified), attributes, children, text };
}

export const textProperty = (name: string, text: string): XmlElement => element(name, { text });

/** A text in the default language (XMP part 1, 8.2.2.4). */
export const languageProperty = (name: string, text: string): XmlElement =>
  element(name, {
    children: [
      element('rdf:Alt', {
        children: [element('rdf:li', { text, attributes: [{ ...named('xml:lang'), value: 'x-default' }] })],
      }),
    ],
  });

export const listProperty = (
  name: string,
  list: 'rdf:Bag' | 'rdf:Seq',
  texts: readonly string[],
): XmlElement =>
  element(name, {
    children: [element(list, { children: texts.map((text) => element('rdf:li', { text })) })],
  });

/** A list of structures with one text each. */
export const structuresProperty = (name: string, part: string, texts: readonly string[]): XmlElement =>
  element(name, {
    children: [
      element('rdf:Seq', {
        children: texts.map((text) =>
          element('rdf:li', {
            attributes: [{ ...named('rdf:parseType'), value: 'Resource' }],
            children: [textProperty(part, text)],
          }),
        ),
      }),
    ],
  });

/** A list with one structure of several texts, by qualified name. */
export const structureProperty = (name: string, parts: Readonly<Record<string, string>>): XmlElement =>
  element(name, {
    children: [
      element('rdf:Seq', {
        children: [
          element('rdf:li', {
            attributes: [{ ...named('rdf:parseType'), value: 'Resource' }],
            children: Object.entries(parts).map(([part, text]) => textProperty(part, text)),
          }),
        ],
      }),
    ],
  });

/** An unordered list of structures with several properties each. */
export const structureBag = (name: string, structures: readonly (readonly XmlElement[])[]): XmlElement =>
  element(name, {
    children: [
      element('rdf:Bag', {
        children: structures.map((children) =>
          element('rdf:li', {
            attributes: [{ ...named('rdf:parseType'), value: 'Resource' }],
            children: [...children],
          }),
        ),
      }),
    ],
  });

function named(qualified: string) {
  const [prefix, name] = qualified.split(':') as [Prefix, string];
  return { uri: NAMESPACES[prefix], name, prefix };
}
