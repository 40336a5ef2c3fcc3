import { inclusionQuestion, type Question } from '@atelier/imaging/provenance/merkle/tree.ts';
import { noTimeStamp, type TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { Queryable } from '../../../core/database/types.ts';
import type { TimeStamps } from '../timestamps/types.ts';
import { LOG_STAMP_INTERVAL_MS, LOG_STAMP_RETRY_MS, LOG_STAMP_RETRY_MS_MAX } from './limits.ts';
import * as store from './store.ts';
import type { Log, TreeHead } from './types.ts';

interface Deps {
  readonly database: Queryable;
  readonly timeStamps: TimeStamps;
  readonly head: () => Promise<TreeHead>;
  readonly answer: (question: Question) => Promise<Buffer[]>;
}

/** Results in memory: a stamp never changes, and the trust list does not while a process runs. */
const RESULTS_MAX = 256;

/** Time stamps of heads of the log: requested in the background, and shown with the heads they are of. */
export function createLogStamps({
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
    return noTimeStamp(
      attempt?.reason ?? 'It is not stamped yet: heads of the log are stamped every 10 minutes.',
    );
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

/** Until the next request. @param failures in a row, 0 after a stamp */
const waitMs = (failures: number): number =>
  failures === 0
    ? LOG_STAMP_INTERVAL_MS
    : Math.min(LOG_STAMP_RETRY_MS * 2 ** (failures - 1), LOG_STAMP_RETRY_MS_MAX);
