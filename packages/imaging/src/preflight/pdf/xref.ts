import { PDF_OBJECTS_MAX, PDF_SECTIONS_MAX, STREAM_BYTES_MAX } from '../limits.ts';
import { COST, type WorkBudget } from '../work_budget.ts';
import { isGeneral, unpack } from './filters.ts';
import { Lexer, latin1, PdfProblem } from './lexer.ts';
import { isDictionary, nameOf, numbersIn, Operator, type PdfDictionary } from './values.ts';

/** Where an object is: at a byte of the file, or in a stream of objects. */
export interface Places {
  /** 0 not there, 1 at byte `where`, 2 in the object stream `where`. By number. */
  readonly kind: Uint8Array;
  readonly where: Uint32Array;
  readonly trailer: PdfDictionary;
  /** Whether tables are streams (PDF 1.5), which older standards do not allow. */
  readonly hasXrefStreams: boolean;
  /** The tables were missing or wrong, and the objects were looked for one by one. */
  readonly wasRebuilt: boolean;
  /** Times it was saved on top of itself. */
  readonly updates: number;
}

interface Gathered {
  kind: Uint8Array;
  where: Uint32Array;
  trailer: PdfDictionary | undefined;
  hasXrefStreams: boolean;
  updates: number;
}

/** @throws PdfProblem where there are too many objects, or none; WorkSpent */
export function readPlaces(bytes: Uint8Array, work: WorkBudget): Places {
  try {
    const found = followTables(bytes, work);
    if (found) return { ...found, wasRebuilt: false };
  } catch (error) {
    if (!(error instanceof PdfProblem) || error instanceof TooManyObjects) throw error;
  }
  return rebuild(bytes, work);
}

class TooManyObjects extends PdfProblem {}

/** From the last table to the first; what a later one says counts. */
function followTables(bytes: Uint8Array, work: WorkBudget): Omit<Places, 'wasRebuilt'> | undefined {
  const tail = latin1(bytes.subarray(Math.max(0, bytes.length - 2048)));
  const [, start] = /startxref\s+(\d{1,10})(?![\s\S]*startxref)/.exec(tail) ?? [];
  if (start === undefined) return undefined;
  const gathered = emptyGathering();
  const waiting = [Number(start)];
  const seen = new Set<number>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (seen.has(at) || at >= bytes.length) continue;
    seen.add(at);
    if (seen.size > PDF_SECTIONS_MAX)
      throw new PdfProblem(`it was saved on top of itself more than ${PDF_SECTIONS_MAX} times`);
    const dictionary = readSection(bytes, { work, at }, gathered);
    if (!dictionary) return undefined;
    gathered.trailer ??= dictionary;
    for (const key of ['Prev', 'XRefStm']) {
      const value = dictionary.get(key);
      if (typeof value === 'number') waiting.push(value);
    }
    if (typeof dictionary.get('Prev') === 'number') gathered.updates += 1;
  }
  const { trailer } = gathered;
  return trailer?.has('Root') ? { ...gathered, trailer } : undefined;
}

const emptyGathering = (): Gathered => ({
  kind: new Uint8Array(1024),
  where: new Uint32Array(1024),
  trailer: undefined,
  hasXrefStreams: false,
  updates: 0,
});

/** What an earlier (that is, later saved) table has said stays. */
function put(gathered: Gathered, number: number, [kind, where]: readonly [number, number]): void {
  if (number >= PDF_OBJECTS_MAX) throw new TooManyObjects(`it numbers more than ${PDF_OBJECTS_MAX} objects`);
  if (number >= gathered.kind.length) {
    const size = Math.min(PDF_OBJECTS_MAX, Math.max(number + 1, 2 * gathered.kind.length));
    const [kinds, wheres] = [new Uint8Array(size), new Uint32Array(size)];
    kinds.set(gathered.kind);
    wheres.set(gathered.where);
    [gathered.kind, gathered.where] = [kinds, wheres];
  }
  if (gathered.kind[number] !== 0) return;
  gathered.kind[number] = kind;
  gathered.where[number] = where;
}

/** Freed: nothing of an earlier table shows through. */
const FREE = 3;

/** A place in the file, and what reading there spends. */
interface Start {
  readonly work: WorkBudget;
  readonly at: number;
}

function readSection(bytes: Uint8Array, { work, at }: Start, gathered: Gathered): PdfDictionary | undefined {
  const lexer = new Lexer(bytes, work, at);
  const first = lexer.value();
  if (first instanceof Operator && first.text === 'xref') return readTable(lexer, gathered);
  if (typeof first !== 'number') return undefined;
  return readXrefStream(bytes, { work, at }, gathered);
}

/** ISO 32000-1, 7.5.4: rows of an offset, a generation and `n` or `f`. */
function readTable(lexer: Lexer, gathered: Gathered): PdfDictionary | undefined {
  for (;;) {
    const start = lexer.value();
    if (start instanceof Operator && start.text === 'trailer') {
      const dictionary = lexer.value();
      return isDictionary(dictionary) ? dictionary : undefined;
    }
    const count = lexer.value();
    if (!isCount(start) || !isCount(count)) return undefined;
    for (let index = 0; index < count; index += 1) {
      const [offset, , used] = [lexer.value(), lexer.value(), lexer.value()];
      if (typeof offset !== 'number' || !(used instanceof Operator)) return undefined;
      const isUsed = used.text === 'n' && offset > 0 && offset < lexer.bytes.length;
      put(gathered, start + index, isUsed ? [1, offset] : [FREE, 0]);
    }
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** ISO 32000-1, 7.5.8: the same as rows of bytes. */
function readXrefStream(bytes: Uint8Array, start: Start, gathered: Gathered): PdfDictionary | undefined {
  const stream = streamAt(bytes, start);
  if (!stream || nameOf(stream.dictionary.get('Type')) !== 'XRef') return undefined;
  const { dictionary } = stream;
  const data = unpackPlainly(stream, start.work);
  const widths = numbersIn(dictionary.get('W'));
  if (!data || widths.length < 3 || !widths.every((width) => isCount(width) && width <= 8)) return undefined;
  const [kindBytes, whereBytes, lastBytes] = widths as [number, number, number];
  const rowBytes = kindBytes + whereBytes + lastBytes;
  if (rowBytes === 0) return undefined;
  gathered.hasXrefStreams = true;
  const size = dictionary.get('Size');
  const index = dictionary.has('Index') ? numbersIn(dictionary.get('Index')) : [0, Number(size) || 0];
  let row = 0;
  for (let pair = 0; pair + 1 < index.length; pair += 2)
    for (let one = 0; one < index[pair + 1]! && (row + 1) * rowBytes <= data.length; one += 1, row += 1) {
      start.work.spend(COST.row);
      const from = row * rowBytes;
      const kind = kindBytes === 0 ? 1 : bigEndian(data, from, kindBytes);
      const where = bigEndian(data, from + kindBytes, whereBytes);
      const isThere = kind === 2 || (kind === 1 && where < bytes.length);
      put(gathered, index[pair]! + one, isThere ? [kind, where] : [FREE, 0]);
    }
  return dictionary;
}

function bigEndian(data: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let index = 0; index < count; index += 1) value = value * 256 + data[at + index]!;
  return value;
}

/** A stream whose length stands in its dictionary; tables of objects must be readable without tables. */
function streamAt(bytes: Uint8Array, { work, at }: Start) {
  const lexer = new Lexer(bytes, work, at);
  for (let skipped = 0; skipped < 3; skipped += 1) lexer.value();
  const dictionary = lexer.value();
  if (!isDictionary(dictionary)) return undefined;
  lexer.skipWhite();
  if (latin1(bytes.subarray(lexer.at, lexer.at + 6)) !== 'stream') return undefined;
  const start = startOfStream(bytes, lexer.at);
  const length = dictionary.get('Length');
  const end = isCount(length) ? start + length : endOfStream(bytes, start);
  work.spend(COST.byteSearched * Math.min(bytes.length, end - start));
  return { dictionary, raw: bytes.subarray(start, end) };
}

/** After the word `stream` and its line end. */
export function startOfStream(bytes: Uint8Array, word: number): number {
  const at = word + 6;
  if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1;
  return bytes[at] === 0x0a ? at + 1 : at;
}

/** Where `endstream` comes next, or the file ends. */
export function endOfStream(bytes: Uint8Array, start: number): number {
  const end = bufferOf(bytes).indexOf('endstream', start, 'latin1');
  return end < 0 ? bytes.length : end;
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function unpackPlainly(
  { dictionary, raw }: { dictionary: PdfDictionary; raw: Uint8Array },
  work: WorkBudget,
) {
  const filter = nameOf([dictionary.get('Filter')].flat()[0]);
  if (filter === undefined) return raw;
  if (!isGeneral(filter)) return undefined;
  const [parameters] = [dictionary.get('DecodeParms')].flat();
  const known = isDictionary(parameters) ? parameters : undefined;
  return unpack(filter, raw, { parameters: known, max: STREAM_BYTES_MAX, work }).data;
}

/**
 * Looks for every `12 0 obj` of the file; of two of one number the later counts. The trailer is the last with a Root, or that of
 * a table that is a stream; without any, whatever says it is a catalogue.
 */
function rebuild(bytes: Uint8Array, work: WorkBudget): Places {
  const buffer = bufferOf(bytes);
  const gathered = emptyGathering();
  let found = 0;
  for (let at = buffer.indexOf('obj', 0, 'latin1'); at >= 0; at = buffer.indexOf('obj', at + 3, 'latin1')) {
    work.spend(COST.search);
    const head = /(?:^|[^\d])(\d{1,7})\s+\d{1,5}\s+$/.exec(latin1(bytes.subarray(Math.max(0, at - 24), at)));
    if (!head) continue;
    const number = Number(head[1]);
    if (number < PDF_OBJECTS_MAX && gathered.kind[number]) gathered.kind[number] = 0;
    const back = head[0].length - head[0].search(/\d/);
    put(gathered, number, [1, at - back]);
    found += 1;
  }
  if (found === 0) throw new PdfProblem('there are no objects in it');
  const trailer = lastTrailer(buffer, work) ?? trailerOfObjects(bytes, gathered, work);
  return { ...gathered, trailer, wasRebuilt: true };
}

function lastTrailer(buffer: Buffer, work: WorkBudget): PdfDictionary | undefined {
  let tries = 0;
  for (
    let at = buffer.lastIndexOf('trailer', undefined, 'latin1');
    at >= 0 && tries < 20;
    at = at === 0 ? -1 : buffer.lastIndexOf('trailer', at - 1, 'latin1'), tries += 1
  ) {
    const dictionary = new Lexer(buffer, work, at + 7).value();
    if (isDictionary(dictionary) && dictionary.has('Root')) return dictionary;
  }
  return undefined;
}

/** Streams of objects are opened as well, for what is in them has no place of its own. */
function trailerOfObjects(bytes: Uint8Array, gathered: Gathered, work: WorkBudget): PdfDictionary {
  const trailer: PdfDictionary = new Map();
  for (let number = 0; number < gathered.kind.length; number += 1) {
    if (gathered.kind[number] !== 1) continue;
    const lexer = new Lexer(bytes, work, gathered.where[number]!);
    for (let skipped = 0; skipped < 3; skipped += 1) lexer.value();
    lexer.skipWhite();
    if (bytes[lexer.at] !== 0x3c || bytes[lexer.at + 1] !== 0x3c) continue;
    const dictionary = lexer.value();
    if (!isDictionary(dictionary)) continue;
    const type = nameOf(dictionary.get('Type'));
    if (type === 'XRef')
      for (const [key, value] of dictionary)
        if (/^(Root|Info|ID|Encrypt)$/.test(key)) trailer.set(key, value);
    if (type === 'ObjStm') putStreamed(bytes, gathered, { work, number });
  }
  if (!trailer.has('Root')) throw new PdfProblem('nothing says where its pages begin');
  return trailer;
}

function putStreamed(
  bytes: Uint8Array,
  gathered: Gathered,
  { work, number }: { readonly work: WorkBudget; readonly number: number },
): void {
  const stream = streamAt(bytes, { work, at: gathered.where[number]! });
  const data = stream && unpackPlainly(stream, work);
  const count = stream?.dictionary.get('N');
  if (!data || !isCount(count)) return;
  const lexer = new Lexer(data, work);
  for (let index = 0; index < count; index += 1) {
    const [inside, offset] = [lexer.value(), lexer.value()];
    if (typeof offset !== 'number' || !isCount(inside)) return;
    put(gathered, inside, [2, number]);
  }
}
