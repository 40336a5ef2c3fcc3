import type { Queryable } from '../../database/contract.ts';
import { fieldsOf, languageOf } from './fields.ts';
import { wordsOf } from './fold.ts';
import { insertIndex, insertPostings, insertSegment, readWorks } from './index_store.ts';
import { createSegmentBuilder, INDEX_VERSION, type Word } from './segment_builder.ts';
import { createStems } from './stems.ts';

/** Works that are turned round in memory at a time; each takes about a kilobyte there. */
const SEGMENT_WORKS_MAX = 131_072;
const WORKS_A_PAGE = 250;
/** A larger statement would keep everybody waiting on the embedded database. */
const STATEMENT_WORDS_MAX = 500;
const STATEMENT_BYTES_MAX = 250_000;

/**
 * Makes the index of a museum's works in an edition. Nobody reads it before the last statement, so it can be cut short at
 * any moment and made again.
 */
export async function indexMuseum(database: Queryable, museum: string, edition: number): Promise<void> {
  const stems = createStems(database);
  const language = languageOf(museum);
  const segments: number[] = [];
  let builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
  for (let after = 0; ; ) {
    const page = await readWorks(database, { edition, museum, after, limit: WORKS_A_PAGE });
    const raw = page.flatMap(({ record }) => fieldsOf(record).flatMap(({ parts }) => parts.flatMap(wordsOf)));
    const stem = await stems.of(language, raw);
    for (const { number, record } of page) builder.add(number, record, stem);
    const isLast = page.length < WORKS_A_PAGE;
    if (isLast || builder.works + WORKS_A_PAGE > SEGMENT_WORKS_MAX) {
      segments.push(await writeSegment(database, museum, builder));
      builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
    }
    if (isLast) break;
    after = page.at(-1)!.number;
  }
  await insertIndex(database, { museum, edition, version: INDEX_VERSION, segments });
}

async function writeSegment(
  database: Queryable,
  museum: string,
  builder: ReturnType<typeof createSegmentBuilder>,
): Promise<number> {
  const segment = await insertSegment(database, museum, builder.columns());
  for (const words of statements(builder.words())) await insertPostings(database, segment, words);
  return segment;
}

/** Words in groups that one statement takes. */
function* statements(words: Iterable<Word>): Generator<Word[]> {
  let some: Word[] = [];
  let bytes = 0;
  for (const word of words) {
    some.push(word);
    bytes += word.postings.length + word.positions.length;
    if (some.length === STATEMENT_WORDS_MAX || bytes > STATEMENT_BYTES_MAX) {
      yield some;
      some = [];
      bytes = 0;
    }
  }
  if (some.length > 0) yield some;
}
