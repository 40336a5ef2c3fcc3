import { type Dataset, decoderOf, readIim } from './read_iim.ts';

export interface NewTexts {
  /** `2:25` */
  readonly name: string;
  readonly texts: readonly string[];
  /** Maximum length of one text, in bytes of UTF-8. */
  readonly bytesMax: number;
}

/**
 * Replaces texts in IIM datasets by name; all others are kept. The result is declared as UTF-8 (1:90) and sorted as IIM requires. `shortened` lists
 * the truncated texts.
 */
export function writeIim(
  block: Uint8Array | undefined,
  changes: readonly NewTexts[],
): { block: Buffer; shortened: string[] } {
  const before = block ? readIim(block) : [];
  const replaced = new Set(['1:90', '2:00', ...changes.map(({ name }) => name)]);
  const kept = before.filter((dataset) => !replaced.has(nameOf(dataset))).map(toUtf8(decoderOf(before)));
  const version = before.find((dataset) => nameOf(dataset) === '2:00') ?? VERSION;
  const added = changes.flatMap(({ name, texts, bytesMax }) =>
    texts.map((text) => {
      const [record, number] = name.split(':').map(Number) as [number, number];
      return {
        record,
        number,
        data: cutText(cleanText(text), bytesMax),
        isCut: Buffer.byteLength(text) > bytesMax,
      };
    }),
  );
  const all = [UTF8, version, ...kept, ...added].sort(
    (one, other) => one.record - other.record || one.number - other.number,
  );
  const shortened = new Set(added.filter(({ isCut }) => isCut).map(nameOf));
  return { block: encodeIim(all), shortened: [...shortened] };
}

/** Encodes datasets without any changes. */
export const encodeIim = (datasets: readonly Dataset[]): Buffer => Buffer.concat(datasets.map(encodeDataset));

const UTF8: Dataset = { record: 1, number: 90, data: Buffer.from('\x1b%G', 'latin1') };
const VERSION: Dataset = { record: 2, number: 0, data: Buffer.from([0, 4]) };

const nameOf = ({ record, number }: Pick<Dataset, 'record' | 'number'>): string =>
  `${record}:${String(number).padStart(2, '0')}`;

/** Record 2 holds texts, except 2:00, the raster caption in 2:125 and the preview in 2:20x. */
const isText = ({ record, number }: Dataset): boolean =>
  record === 2 && number > 0 && number !== 125 && number < 200;

const toUtf8 =
  (decode: (data: Uint8Array) => string) =>
  (dataset: Dataset): Dataset =>
    isText(dataset) ? { ...dataset, data: Buffer.from(decode(dataset.data)) } : dataset;

const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** Truncates to a number of UTF-8 bytes, at a character boundary. */
function cutText(text: string, bytesMax: number): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return bytes;
  let end = bytesMax;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

const STANDARD_BYTES_MAX = 0x7fff;

function encodeDataset({ record, number, data }: Dataset): Buffer {
  const isLong = data.length > STANDARD_BYTES_MAX;
  const head = Buffer.alloc(isLong ? 9 : 5);
  head.set([0x1c, record, number]);
  head.writeUInt16BE(isLong ? 0x8004 : data.length, 3);
  if (isLong) head.writeUInt32BE(data.length, 5);
  return Buffer.concat([head, data]);
}
