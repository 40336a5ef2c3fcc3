import { jsonArray } from './json_array.ts';
import { jsonLines } from './lines.ts';
import type { Source } from './open_source.ts';
import { peek } from './peek.ts';
import type { Row } from './row.ts';
import { savedAnswer } from './whole_file.ts';

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
