import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../../core/database/types.ts';
import { type FieldWords, languageOf, wordsOfRecord } from './fields.ts';
import { insertIndex, insertPostings, insertSegment, readWorks } from './index_store.ts';
import { createSegmentBuilder, INDEX_VERSION, type Word } from './segment_builder.ts';
import { createStems } from './stems.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordWriter } from './word_index_types.ts';

/** Works that are turned round in memory at a time; each takes about a kilobyte there. */
const SEGMENT_WORKS_MAX = 131_072;
const WORKS_A_PAGE = 250;
/** Works that are cut into words, or turned round, at a time: one or two milliseconds. */
const WORKS_A_TURN = 100;
/** A larger statement would keep everybody waiting on the embedded database. */
const STATEMENT_WORDS_MAX = 500;
const STATEMENT_BYTES_MAX = 250_000;

/**
 * Segments of a museum's works as these come, a full one written at once. Nobody reads them before an index names them.
 * @param vocabulary gets the words that may be mistyped; absent: they are counted already
 */
export function createSegments(database: Queryable, museum: string, vocabulary?: Vocabulary): WordWriter {
  const stems = createStems(database);
  const language = languageOf(museum);
  const written: number[] = [];
  let builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
  let first = Number.POSITIVE_INFINITY;
  const write = async () => {
    if (builder.works > 0) written.push(await writeSegment(database, museum, builder));
    builder = createSegmentBuilder(SEGMENT_WORKS_MAX);
  };
  return {
    get first() {
      return first;
    },
    async add(works) {
      if (builder.works + works.length > SEGMENT_WORKS_MAX) await write();
      const cut = [];
      for await (const some of inTurns(works))
        cut.push(...some.map((work) => ({ ...work, fields: wordsOfRecord(work.record) })));
      const stem = await stems.of(language, stemmedWords(cut));
      for await (const some of inTurns(cut)) {
        for (const { number, record, fields } of some) {
          first = Math.min(first, number);
          builder.add(number, record, stem, fields);
          vocabulary?.add(fields);
        }
      }
    },
    async finish() {
      await write();
      return written;
    },
  };
}

/** Some at a time: the statements of the import, and whoever else is served, have their turn in between. */
async function* inTurns<T>(works: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < works.length; at += WORKS_A_TURN) {
    if (at > 0) await setImmediate();
    yield works.slice(at, at + WORKS_A_TURN);
  }
}

/** Names are looked up as they are written. */
function* stemmedWords(works: readonly { readonly fields: readonly FieldWords[] }[]): Generator<string> {
  for (const { fields } of works)
    for (const { parts, areNames } of fields) if (!areNames) for (const words of parts) yield* words;
}

/**
 * Makes the index of a museum's works in an edition. Nobody reads it before the last statement, so it can be cut short at
 * any moment and made again.
 * @param fresh segments of the works that were written last, which need not be read again
 */
export async function indexMuseum(
  database: Queryable,
  museum: string,
  edition: number,
  { fresh, vocabulary }: { fresh?: WordWriter | undefined; vocabulary?: Vocabulary } = {},
): Promise<void> {
  const others = createSegments(database, museum);
  const before = fresh?.first ?? Number.POSITIVE_INFINITY;
  for (let after = 0; after < before; ) {
    const page = await readWorks(database, { edition, museum, after, limit: WORKS_A_PAGE });
    const older = page.filter(({ number }) => number < before);
    await others.add(older);
    // Of an import that was cut short and goes on: nobody has counted them.
    for (const { record } of older.filter(({ isNew }) => isNew)) vocabulary?.add(wordsOfRecord(record));
    if (older.length < WORKS_A_PAGE) break;
    after = older.at(-1)!.number;
  }
  const segments = [...(await others.finish()), ...((await fresh?.finish()) ?? [])];
  await insertIndex(database, { museum, edition, version: INDEX_VERSION, segments });
}

async function writeSegment(
  database: Queryable,
  museum: string,
  builder: ReturnType<typeof createSegmentBuilder>,
): Promise<number> {
  const segment = await insertSegment(database, museum, builder.columns());
  // The next words are turned round while the database writes those before.
  let before: Promise<void> = Promise.resolve();
  for (const words of statements(builder.words())) {
    const after = insertPostings(database, segment, words);
    after.catch(() => {});
    await before;
    before = after;
  }
  await before;
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
