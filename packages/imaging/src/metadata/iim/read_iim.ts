/** One dataset of IPTC-IIM: record 2, number 5 is `2:05`. */
export interface Dataset {
  readonly record: number;
  readonly number: number;
  readonly data: Uint8Array;
}

const MARKER = 0x1c;
const ESC_UTF8 = '\x1b%G';

/** The datasets in order (IIM 4.2, chapter 1); truncated or invalid data ends the list. */
export function readIim(block: Uint8Array): Dataset[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const datasets: Dataset[] = [];
  let at = 0;
  while (at + 5 <= bytes.length && bytes[at] === MARKER) {
    const [record, number] = [bytes[at + 1]!, bytes[at + 2]!];
    let length = bytes.readUInt16BE(at + 3);
    at += 5;
    if (length & 0x8000) {
      const digits = length & 0x7fff;
      if (digits > 4 || digits === 0 || at + digits > bytes.length) break;
      length = bytes.readUIntBE(at, digits);
      at += digits;
    }
    if (at + length > bytes.length) break;
    datasets.push({ record, number, data: bytes.subarray(at, at + length) });
    at += length;
  }
  return datasets;
}

/** Texts of record 2 by dataset (`2:25`), in file order. */
export function iimTexts(datasets: readonly Dataset[]): Record<string, string[]> {
  const decode = decoderOf(datasets);
  const texts: Record<string, string[]> = {};
  for (const { record, number, data } of datasets) {
    // 2:00 is a binary version number.
    if (record !== 2 || number === 0) continue;
    const name = `${record}:${String(number).padStart(2, '0')}`;
    texts[name] ??= [];
    texts[name].push(decode(data));
  }
  return texts;
}

/** Decoder for the character set in 1:90. Without it, many writers still use UTF-8; invalid UTF-8 is read as Latin 1. */
export function decoderOf(datasets: readonly Dataset[]): (data: Uint8Array) => string {
  const named = datasets.find(({ record, number }) => record === 1 && number === 90);
  const isUtf8 = named !== undefined && Buffer.from(named.data).toString('latin1') === ESC_UTF8;
  const strict = new TextDecoder('utf-8', { fatal: true });
  const latin = new TextDecoder('windows-1252');
  return (data) => {
    try {
      return strict.decode(data);
    } catch {
      return isUtf8 ? new TextDecoder().decode(data) : latin.decode(data);
    }
  };
}
