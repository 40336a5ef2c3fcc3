import { DATASET_ROW_CHARACTERS_MAX, DATASET_XML_DEPTH_MAX, DATASET_XML_ELEMENTS_MAX } from '../limits.ts';
import type { SourceFile } from './open_source.ts';
import { SourceProblem } from './source_problem.ts';

/** An element: name with prefix, attributes, own text and children. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  readonly children: XmlElement[];
}

/**
 * Streams each element of that name as a tree. Custom entities are not expanded, only the five of XML, so the
 * content cannot grow.
 * @throws SourceProblem if the XML is damaged or truncated
 */
export async function* xmlRecords(file: SourceFile, name: string): AsyncGenerator<XmlElement> {
  // Loaded on demand: a server that imports nothing does not need the parser.
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false });
  const open: XmlElement[] = [];
  const done: XmlElement[] = [];
  let elements = 0;
  /** Characters since the end of the last record, including names, attributes and text between records. */
  let size = 0;
  const endless = () => new SourceProblem(`${file.name} has a record above the maximum size`);
  parser.on('error', (error) => {
    throw new SourceProblem(`${file.name} is damaged or truncated (${error.message})`);
  });
  parser.on('opentag', (tag) => {
    if (open.length === 0 && tag.name !== name) return;
    elements += 1;
    if (elements > DATASET_XML_ELEMENTS_MAX || open.length >= DATASET_XML_DEPTH_MAX) throw endless();
    const element = { name: tag.name, attributes: tag.attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element || open.length > 0) return;
    size = 0;
    elements = 0;
    done.push(element);
  });
  const decoder = new TextDecoder();
  for await (const chunk of file.bytes) {
    const part = decoder.decode(chunk, { stream: true });
    size += part.length;
    parser.write(part);
    // The rest of a chunk after the end of a record is not counted; no chunk is as large as the limit.
    if (size > DATASET_ROW_CHARACTERS_MAX) throw endless();
    yield* done.splice(0);
  }
  parser.write(decoder.decode()).close();
  yield* done.splice(0);
}

/** The elements at a path of names without prefixes: `elementsAt(record, 'recordWrap/recordID')`. */
export const elementsAt = (element: XmlElement, path: string): XmlElement[] =>
  path
    .split('/')
    .reduce<XmlElement[]>(
      (found, name) =>
        found.flatMap(({ children }) =>
          children.filter((child) => child.name.slice(child.name.indexOf(':') + 1) === name),
        ),
      [element],
    );
