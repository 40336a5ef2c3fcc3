import { DATASET_ANSWER_BYTES_MAX } from '../limits.ts';
import { jsonArray } from './json_array.ts';
import { jsonLines } from './lines.ts';
import type { Source, SourceFile } from './open_source.ts';
import { quoteValue, type Row } from './row.ts';
import { SourceProblem } from './source_problem.ts';

/**
 * The works in the JSON files of a source: one object per line (.jsonl), a list of objects, or one API
 * response per file.
 * @param worksIn the works of a response, in order
 * @param named skips files with other names
 */
export async function* jsonFiles(
  source: Source,
  worksIn: (answer: unknown) => readonly Record<string, unknown>[],
  named = /\.jsonl?$/,
): AsyncGenerator<Row> {
  for await (const unread of source.files()) {
    if (/\.jsonl$/.test(unread.name)) yield* jsonLines(unread);
    else if (named.test(unread.name)) {
      const { beginning, file } = await peek(unread);
      yield* beginning.startsWith('[') ? jsonArray(file) : savedAnswer(file, worksIn);
    }
  }
}

/**
 * The works of an API response that was saved as a file; one invalid row if it is not JSON.
 * @param worksIn the works of a response, in order
 * @throws SourceProblem for a file too large for a response, because it is read as a whole
 */
export async function* savedAnswer(
  file: SourceFile,
  worksIn: (answer: unknown) => readonly Record<string, unknown>[],
): AsyncGenerator<Row> {
  const body = await textOf(file);
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    yield { where: file.name, problem: 'not JSON', quote: quoteValue(body) };
    return;
  }
  for (const [at, value] of worksIn(answer).entries()) yield { where: `${file.name} work ${at + 1}`, value };
}

async function textOf({ name, bytes }: SourceFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > DATASET_ANSWER_BYTES_MAX)
      throw new SourceProblem(
        `${name} has more than ${DATASET_ANSWER_BYTES_MAX / 1024 ** 2} MiB. Save fewer works per response, or one work per line (.jsonl).`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

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
