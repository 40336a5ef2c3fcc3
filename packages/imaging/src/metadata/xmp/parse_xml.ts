import { XML_DEPTH_MAX, XML_ELEMENTS_MAX, XML_NAMESPACES_MAX } from '../limits.ts';

/** An element with its namespace resolved. `text` is its concatenated character data. */
export interface XmlElement {
  readonly uri: string;
  readonly name: string;
  /** As written in the file; may change when written again. */
  readonly prefix: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  readonly text: string;
}

export interface XmlAttribute {
  readonly uri: string;
  readonly name: string;
  readonly prefix: string;
  readonly value: string;
}

export const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';

/** Reason why a packet is unreadable, as a clause. */
export class XmlProblem extends Error {}

type Scope = ReadonlyMap<string, string>;
interface Open {
  readonly tag: string;
  readonly scope: Scope;
  readonly element: { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & { children: XmlElement[] };
}

const TAG = /<([^\s<>/="']+)/y;
const ATTRIBUTE = /\s+([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_END = /\s*(\/?)>/y;
const CLOSING = /<\/([^\s<>/]+)\s*>/y;

/**
 * Parses the XML subset that XMP uses: elements, attributes, namespaces, the five named entities and numeric ones. Rejects document types, so no
 * entity can expand. One pass, no recursion. Unlike saxes, it does not read a bare `&` (`AT&T`) up to the next `;` as one entity, and preserves line
 * ends.
 * @throws XmlProblem for XML that is not well formed, too deeply nested or too large
 */
export function parseXml(text: string): XmlElement {
  const root = open('', '', new Map([['xml', XML_NAMESPACE]]));
  const stack: Open[] = [root];
  let elements = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf('<', at);
    if (next !== at) addText(stack.at(-1)!, unescaped(text.slice(at, next < 0 ? text.length : next)));
    if (next < 0) break;
    const skipped = afterSpecial(text, next, stack.at(-1)!);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    if (text[next + 1] === '/') {
      at = close(text, next, stack);
      continue;
    }
    elements += 1;
    if (elements > XML_ELEMENTS_MAX) throw new XmlProblem(`it has more than ${XML_ELEMENTS_MAX} elements`);
    at = start(text, next, stack);
  }
  if (stack.length > 1) throw new XmlProblem(`<${stack.at(-1)!.tag}> is never closed`);
  const [first] = root.element.children;
  if (!first) throw new XmlProblem('it contains no element');
  return first;
}

/** Skips a comment, processing instruction or CDATA section; undefined for anything else. */
function afterSpecial(text: string, at: number, parent: Open): number | undefined {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4);
  if (text.startsWith('<?', at)) return after(text, '?>', at + 2);
  if (text.startsWith('<![CDATA[', at)) {
    const end = after(text, ']]>', at + 9);
    addText(parent, text.slice(at + 9, end - 3));
    return end;
  }
  if (text[at + 1] === '!') throw new XmlProblem('it declares a document type, which XMP does not allow');
  return undefined;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found < 0) throw new XmlProblem(`it ends before ${mark}`);
  return found + mark.length;
}

function start(text: string, from: number, stack: Open[]): number {
  const tag = matched(TAG, text, from);
  if (!tag) throw new XmlProblem('a tag has no name');
  let at = TAG.lastIndex;
  const raw: [string, string][] = [];
  for (let found = matched(ATTRIBUTE, text, at); found; found = matched(ATTRIBUTE, text, at)) {
    raw.push([found[1]!, unescaped(found[2] ?? found[3]!)]);
    at = ATTRIBUTE.lastIndex;
  }
  const end = matched(TAG_END, text, at);
  if (!end) throw new XmlProblem(`<${tag[1]!.slice(0, 60)}> is not well formed`);
  if (stack.length > XML_DEPTH_MAX) throw new XmlProblem(`it is more than ${XML_DEPTH_MAX} levels deep`);
  const parent = stack.at(-1)!;
  const child = open(tag[1]!, '', scopeWith(parent.scope, raw), raw);
  parent.element.children.push(child.element);
  if (end[1] === '') stack.push(child);
  return TAG_END.lastIndex;
}

function close(text: string, from: number, stack: Open[]): number {
  const found = matched(CLOSING, text, from);
  if (!found || stack.length < 2 || stack.at(-1)!.tag !== found[1])
    throw new XmlProblem('its tags do not match');
  stack.pop();
  return CLOSING.lastIndex;
}

function open(tag: string, text: string, scope: Scope, raw: readonly [string, string][] = []): Open {
  const attributes = raw
    .filter(([name]) => name !== 'xmlns' && !name.startsWith('xmlns:'))
    .map(([name, value]) => ({ ...resolved(name, scope, ''), value }));
  const names = resolved(tag, scope, scope.get('') ?? '');
  return { tag, scope, element: { ...names, attributes, children: [], text } };
}

function resolved(raw: string, scope: Scope, uriWithoutPrefix: string) {
  const colon = raw.indexOf(':');
  if (colon < 0) return { uri: uriWithoutPrefix, name: raw, prefix: '' };
  const prefix = raw.slice(0, colon);
  return { uri: scope.get(prefix) ?? `unknown:${prefix}`, name: raw.slice(colon + 1), prefix };
}

function scopeWith(scope: Scope, raw: readonly [string, string][]): Scope {
  const declared = raw.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
  if (declared.length === 0) return scope;
  if (scope.size + declared.length > XML_NAMESPACES_MAX)
    throw new XmlProblem(`it declares more than ${XML_NAMESPACES_MAX} namespaces`);
  return new Map([...scope, ...declared.map(([name, uri]) => [name.slice(6), uri] as const)]);
}

function matched(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function addText({ element }: Open, text: string): void {
  element.text += text;
}

const NAMED: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Unknown named entities stay unchanged. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi, (written, hex, decimal, name) => {
    if (name) return NAMED[name] ?? written;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  });
}
