import { LOOK_COLORS_MAX, type Look } from '@atelier/engines/look/look.ts';
import { HASH_QUALITY_MIN } from '../../../limits.ts';
import type { Reserve } from '../../../services/visits/contract.ts';
import type { Away } from '../../search/contract.ts';
import type { IndexParts } from '../../search/in_database/ask_parts.ts';
import { PARTS } from '../../search/in_database/parts.ts';
import type { LookAsked } from '../rank_looks.ts';
import type { ListsState } from './block_store.ts';
import { POSTING_BYTES } from './color_lists.ts';
import { type AskedLists, estimateLooks } from './estimate_looks.ts';
import { type ListToRead, listsToRead } from './lists_to_read.ts';
import { type LookQuestion, questionsOf } from './look_questions.ts';
import { type BlockRow, readCopies, readLists } from './read_lists.ts';

/** Colours of looks read for a search, of all parts together: 6 bytes each. Among more looks more of them are as near. */
const POSTINGS_READ = { min: 600_000, aLook: 1.5, max: 3_000_000 };
/** Numbers kept of the looks that were read: one for each colour asked for, nine for a palette. */
const NUMBERS_KEPT_MAX = 12_000_000;
const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT;
/** Part of the colours read that may be read for one colour asked for, also where it is the only one. */
const COLOR_SHARE_MAX = 0.5;
/** Among more looks than this, hashes that have no band in common are not taken for copies: their bands one bit off are too many. */
const THOROUGH_LOOKS_MAX = 2_000_000;

interface Lists {
  readonly parts: IndexParts;
  readonly state: ListsState;
}

interface Where extends Lists {
  readonly reserve: Reserve;
}

/** Looks that may be what is asked for, by their numbers. */
interface Candidates {
  readonly numbers: readonly number[];
  readonly away?: Away;
}

/**
 * Chooses looks in lists that are to be compared exactly. @param limit of those chosen by their colours, and of copies, in each part
 * @throws AtelierError busy where there is no memory for what is read
 */
export async function findCandidates(
  { parts, state, reserve }: Where,
  asked: LookAsked,
  limit: number,
): Promise<Candidates> {
  const questions = questionsOf(asked);
  const together = postingsFor(questions, state.looks);
  const postings = Math.min(together, LOOK_COLORS_MAX * state.looks);
  await reserve(postings * (POSTING_BYTES + NUMBER_BYTES * numbersOf(questions)));
  const [byColors, copies] = await Promise.all([
    Promise.all(
      questions.map((question) =>
        readFor({ parts, state }, question, shareOf(question, questions) * together),
      ),
    ),
    asked.like && asked.like.quality >= HASH_QUALITY_MIN
      ? copiesOf({ parts, state }, asked.like, limit)
      : undefined,
  ]);
  const blocks = new Map(byColors.flatMap(({ rows }) => rows.map((row) => [`${row.part} ${row.id}`, row])));
  const numbers = await estimateLooks(byColors, [...blocks.values()], limit);
  const away = [...byColors, ...(copies ? [copies] : [])].flatMap((answer) => answer.away ?? []);
  const found = new Set([...(copies?.rows.map(({ number }) => number) ?? []), ...numbers]);
  const most = away.sort((one, other) => other.parts - one.parts)[0];
  return { numbers: [...found], ...(most && { away: most }) };
}

function postingsFor(questions: readonly LookQuestion[], looks: number): number {
  const { min, aLook, max } = POSTINGS_READ;
  return Math.max(min, Math.min(aLook * looks, max, NUMBERS_KEPT_MAX / numbersOf(questions)));
}

const numbersOf = (questions: readonly LookQuestion[]): number =>
  questions.reduce((sum, { columns }) => sum + columns.length, 0);

/** Part of what is read that a question may have. */
const shareOf = ({ kind }: LookQuestion, { length }: readonly LookQuestion[]): number =>
  kind === 'color' ? Math.min(COLOR_SHARE_MAX, 1 / length) : 1 / length;

const copiesOf = ({ parts, state }: Lists, { hashes }: Look, limit: number) =>
  readCopies(parts, {
    ...{ generation: state.generation, hashes, limit },
    isThorough: state.looks <= THOROUGH_LOOKS_MAX,
  });

interface Read extends AskedLists {
  readonly rows: readonly BlockRow[];
  readonly away?: Away;
}

/** @param together as many are read of all parts */
async function readFor({ parts, state }: Lists, question: LookQuestion, together: number): Promise<Read> {
  const postings = Math.ceil(together / PARTS);
  const lists = listsToRead(question);
  const { rows, away } = await readLists(parts, {
    ...{ generation: state.generation, postings },
    lists: lists.map(({ list }) => list),
  });
  return { question, rows, unread: unreadOf(lists, rows, postings), ...(away && { away }) };
}

/** What the first list counts that was not read to its end in every part. */
function unreadOf(lists: readonly ListToRead[], rows: readonly BlockRow[], postings: number): number {
  const cut = [...Map.groupBy(rows, ({ part }) => part).values()].flatMap((of) => {
    const read = of.reduce((sum, { packed }) => sum + packed.length / POSTING_BYTES, 0);
    return read < postings ? [] : Math.max(...of.map(({ place }) => place));
  });
  return cut.length === 0 ? 0 : lists[Math.min(...cut) - 1]!.worth;
}
