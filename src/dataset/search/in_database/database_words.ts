import type { Database, Queryable } from '../../../database/contract.ts';
import { wordsOfRecord } from '../fields.ts';
import { inTime } from '../open_index.ts';
import { createStems } from '../stems.ts';
import type { Vocabulary } from '../vocabulary.ts';
import type { WordIndex } from '../word_index.ts';
import type { IndexParts } from './ask_parts.ts';
import { createAnswerFollower, createTextWriter } from './follow_texts.ts';
import { lookUpIn } from './look_up_in.ts';
import { type Counts, planQuery, type ReadCounts } from './plan_query.ts';
import {
  markComplete,
  readCounts,
  readEarlier,
  readIncomplete,
  readMissing,
  readNumbers,
  updateAnswered,
} from './text_store.ts';

const WORKS_A_PAGE = 500;

/**
 * Words kept in the database alone: nothing a work in the memory of any process. Ranking and counting is SQL, part by part.
 * @param parts where the parts are asked; they are written in `database`
 */
export function createDatabaseWords(database: Database, parts: IndexParts): WordIndex {
  const stems = createStems(database);
  const followAnswers = createAnswerFollower(database, (rows) => updateAnswered(database, rows));
  const counted = countsFrom(database);
  const complete = async (museum: string, edition: number, since: number) => {
    const writer = createTextWriter(database, stems, museum);
    const numbers = await readNumbers(database, { since, edition });
    // Stretches of numbers, not so many works: the database needs no guess of how to find these.
    for (let after = numbers.first - 1; after < numbers.last; after += WORKS_A_PAGE) {
      await writer.add(
        await readMissing(database, { edition, museum, since, after, upTo: after + WORKS_A_PAGE }),
      );
    }
    await writer.finish();
    await markComplete(database, museum, edition);
  };
  const completeAll = async (edition: number) => {
    for (const { museum, since } of await readIncomplete(database, edition))
      await complete(museum, edition, since);
  };
  let ready: { edition: number; done: Promise<void> } | undefined;
  const makeReady = (edition: number): Promise<void> => {
    if (ready?.edition !== edition) {
      const making = { edition, done: completeAll(edition) };
      ready = making;
      making.done.catch(() => {
        if (ready === making) ready = undefined;
      });
    }
    return inTime(ready!.done);
  };
  return {
    async lookUp(edition, asked, among) {
      await makeReady(edition);
      if (among.filters) await followAnswers(edition);
      return lookUpIn(parts, edition, await planQuery(asked, among, { stems, readCounts: counted }), among);
    },
    write: (museum, vocabulary) => createTextWriter(database, stems, museum, vocabulary),
    async complete(museum, edition, { writer, vocabulary }) {
      await writer?.finish();
      await countEarlier(database, { museum, edition, before: writer?.first }, vocabulary);
      const incomplete = await readIncomplete(database, edition);
      const since = incomplete.find((one) => one.museum === museum)?.since;
      if (since !== undefined) await complete(museum, edition, since);
    },
  };
}

/** Works of an import that was cut short and goes on: nobody has counted the words that may be mistyped. */
async function countEarlier(
  database: Queryable,
  {
    museum,
    edition,
    before = Number.MAX_SAFE_INTEGER,
  }: { museum: string; edition: number; before: number | undefined },
  vocabulary: Vocabulary,
): Promise<void> {
  const most = Math.min(before, Number.MAX_SAFE_INTEGER);
  for (let after = 0; ; ) {
    const page = await readEarlier(database, { edition, museum, before: most, after, limit: WORKS_A_PAGE });
    for (const { record } of page) vocabulary.add(wordsOfRecord(record));
    if (page.length < WORKS_A_PAGE) return;
    after = page.at(-1)!.number;
  }
}

const countsFrom =
  (database: Queryable): ReadCounts =>
  async (languages, words): Promise<Counts> => {
    const rows = await readCounts(database, languages, words);
    const works = new Map(rows.map((row) => [`${row.language} ${row.word}`, row.works]));
    return (language, word) => works.get(`${language} ${word}`) ?? 0;
  };
