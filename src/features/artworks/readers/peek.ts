import type { SourceFile } from './open_source.ts';

/** Sufficient to distinguish the formats. */
const BYTES = 4096;

/** The beginning of a file as text, and the file with its bytes still unread. */
export async function peek(file: SourceFile): Promise<{ beginning: string; file: SourceFile }> {
  const rest = file.bytes[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < BYTES; ) {
    const { done, value } = await rest.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const beginning = Buffer.concat(chunks).subarray(0, BYTES).toString('utf8');
  async function* whole() {
    yield* chunks;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { beginning: beginning.replace(/^[\ufeff\s]+/, ''), file: { name: file.name, bytes: whole() } };
}
