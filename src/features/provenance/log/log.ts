import {
  consistencyQuestion,
  edgeOf,
  grow,
  inclusionQuestion,
  leafHash,
  type NodeHash,
  type NodePlace,
  type Question,
  rootQuestion,
} from '@atelier/imaging/provenance/merkle/tree.ts';
import { noTimeStamp, type TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import type { TimeStamps } from '../timestamps/timestamps.ts';
import * as store from './store.ts';
import type { Log, TreeHead } from './types.ts';

/** Minimum time between two stamps of the log: 10 minutes, so at most 144 requests a day. */
export const LOG_STAMP_INTERVAL_MS = 600_000;
/** Delay after a failed request, doubled with each further failure. */
export const LOG_STAMP_RETRY_MS = 60_000;
/** Maximum delay after failures: 1 hour. */
const LOG_STAMP_RETRY_MS_MAX = 3_600_000;

interface Deps {
  readonly database: Queryable;
  readonly timeStamps: TimeStamps;
  readonly head: () => Promise<TreeHead>;
  readonly answer: (question: Question) => Promise<Buffer[]>;
}

/** Cached results. A stamp never changes, and neither does the trust list of a running process. */
const RESULTS_MAX = 256;

/** Time stamps of log heads: requested in the background, and returned with the heads they cover. */
function createLogStamps({
  database,
  timeStamps,
  head,
  answer,
}: Deps): Pick<Log, 'latestStamp' | 'stampCovering' | 'stamp'> {
  const results = new Map<number, TimeStampResult>();
  const checked = ({ treeSize, treeHead, token }: store.StoredStamp): TimeStampResult => {
    const known = results.get(treeSize);
    if (known) return known;
    if (results.size >= RESULTS_MAX) results.clear();
    const result = timeStamps.check(token, Buffer.from(treeHead));
    results.set(treeSize, result);
    return result;
  };
  const missing = async (): Promise<TimeStampResult> => {
    if (!timeStamps.isConfigured)
      return noTimeStamp('This server has no time-stamping authority: TSA_URL is not set.');
    const attempt = await store.selectAttempt(database);
    return noTimeStamp(attempt?.reason ?? 'Not time-stamped yet: log heads are stamped every 10 minutes.');
  };
  return {
    async latestStamp() {
      const stamp = await store.selectLatestStamp(database);
      return stamp ? { result: checked(stamp), stamp } : { result: await missing() };
    },
    async stampCovering(index) {
      const stamp = await store.selectStampCovering(database, index);
      if (!stamp) return { result: await missing() };
      const path = await answer(inclusionQuestion(index, stamp.treeSize));
      return { result: checked(stamp), stamp, path };
    },
    async stamp(now) {
      if (!timeStamps.isConfigured) return false;
      const attempt = await store.selectAttempt(database);
      if (attempt && now < attempt.nextAt) return false;
      const [{ size, jws }, latest] = await Promise.all([head(), store.selectLatestStamp(database)]);
      if (size === 0 || size === latest?.treeSize) return false;
      const { token, result } = await timeStamps.stamp(Buffer.from(jws));
      const failures = token ? 0 : (attempt?.failures ?? 0) + 1;
      if (token)
        await store.insertStamp(database, { treeSize: size, treeHead: jws, token: Buffer.from(token) }, now);
      const reason = token ? null : (result.reason ?? null);
      await store.upsertAttempt(database, {
        nextAt: new Date(now.getTime() + waitMs(failures)),
        failures,
        reason,
      });
      return token !== undefined;
    },
  };
}

/**
 * Delay until the next request.
 * @param failures consecutive failures, 0 after a stamp
 */
const waitMs = (failures: number): number =>
  failures === 0
    ? LOG_STAMP_INTERVAL_MS
    : Math.min(LOG_STAMP_RETRY_MS * 2 ** (failures - 1), LOG_STAMP_RETRY_MS_MAX);

/** Entries added to the log per transaction. */
const LOG_BATCH_MAX = 1000;

interface LogDeps {
  readonly database: Database;
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly timeStamps: TimeStamps;
  readonly clock?: () => Date;
}

export function createLog({
  database,
  signer,
  publicUrl,
  timeStamps,
  clock = () => new Date(),
}: LogDeps): Log {
  const head = async (): Promise<TreeHead> => {
    const size = await store.selectSize(database);
    const [root] = await answerQuestion(database, rootQuestion(size));
    const claims = {
      iss: publicUrl,
      iat: Math.floor(clock().getTime() / 1000),
      tree_size: size,
      root_hash: root!.toString('hex'),
    };
    return { size, root: root!, jws: signer.sign('tree-head+jwt', claims) };
  };
  const answer = (question: Question) => answerQuestion(database, question);
  return {
    head,
    ...createLogStamps({ database, timeStamps, head, answer }),
    async inclusion(entry) {
      const leaf = await store.selectLeaf(database, leafHash(Buffer.from(entry)));
      if (!leaf) return undefined;
      const now = await head();
      return {
        entry: leaf,
        head: now,
        path: await answerQuestion(database, inclusionQuestion(leaf.index, now.size)),
      };
    },
    consistency: (first, second) => answerQuestion(database, consistencyQuestion(first, second)),
    entries: (start, count) => store.selectLeaves(database, start, count),
    async sequence(now) {
      let added = 0;
      for (;;) {
        const batch = await database.transaction((transaction) => append(transaction, now));
        added += batch.added;
        if (batch.taken < LOG_BATCH_MAX) return added;
      }
    },
  };
}

async function append(transaction: Queryable, now: Date): Promise<{ taken: number; added: number }> {
  const size = await store.lockSize(transaction);
  const pending = await store.takePending(transaction, LOG_BATCH_MAX);
  if (pending.length === 0) return { taken: 0, added: 0 };
  const fresh = await selectFresh(transaction, pending);
  const hashOf = await hashesOf(transaction, edgeOf(size));
  const nodes = grow(
    size,
    fresh.map(({ hash }) => hash),
    hashOf,
  );
  const leaves = fresh.map((leaf, offset) => ({ ...leaf, index: size + offset }));
  await store.insertLeaves(transaction, leaves, now);
  await store.insertNodes(transaction, nodes);
  await store.updateSize(transaction, size + leaves.length);
  return { taken: pending.length, added: leaves.length };
}

/** Hashes the entries and drops duplicates and those already in the tree. */
async function selectFresh(transaction: Queryable, pending: readonly { entry: string }[]) {
  const all = pending.map(({ entry }) => ({ entry, hash: leafHash(Buffer.from(entry)) }));
  const seen = await store.selectKnown(
    transaction,
    all.map(({ hash }) => hash),
  );
  return all.filter(({ hash }) => {
    const name = hash.toString('hex');
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

const answerQuestion = async (database: Queryable, question: Question): Promise<Buffer[]> =>
  question.answer(await hashesOf(database, question.places));

const keyOf = ({ level, index }: NodePlace): string => `${level}/${index}`;

async function hashesOf(database: Queryable, places: readonly NodePlace[]): Promise<NodeHash> {
  const rows = places.length > 0 ? await store.selectNodes(database, places) : [];
  const hashes = new Map(rows.map((row) => [keyOf(row), Buffer.from(row.hash, 'hex')]));
  return (place) => {
    const hash = hashes.get(keyOf(place));
    if (!hash) throw new Error(`the log has no node ${keyOf(place)}`);
    return hash;
  };
}
