import { DATASET_ANSWER_BYTES_MAX } from '../limits.ts';
import type { SourceFile } from './open_source.ts';
import { quoteValue, type Row } from './row.ts';
import { SourceProblem } from './source_problem.ts';

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
