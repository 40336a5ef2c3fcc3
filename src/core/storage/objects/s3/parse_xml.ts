import { SaxesParser } from 'saxes';

/** An element with its own text and its children. */
export interface XmlNode {
  readonly name: string;
  text: string;
  readonly children: XmlNode[];
}

const DEPTH_MAX = 16;

/**
 * A small document of a store as a tree; undefined where it is none. Entities of a document type are not expanded: the parser
 * knows the five of XML only.
 */
export function parseXml(text: string): XmlNode | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const root: XmlNode = { name: '', text: '', children: [] };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => {
    if (open.length > DEPTH_MAX) throw new Error('too deep');
    const node: XmlNode = { name: name.replace(/^.*:/, ''), text: '', children: [] };
    open.at(-1)!.children.push(node);
    open.push(node);
  });
  const addText = (more: string) => {
    open.at(-1)!.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => open.pop());
  try {
    parser.write(text).close();
  } catch {
    return undefined;
  }
  return root.children[0];
}

/** The text of the child of that name, or of its first. */
export const textOf = (node: XmlNode | undefined, name: string): string | undefined =>
  node?.children.find((child) => child.name === name)?.text.trim();

export const childrenOf = (node: XmlNode | undefined, name: string): XmlNode[] =>
  node?.children.filter((child) => child.name === name) ?? [];
