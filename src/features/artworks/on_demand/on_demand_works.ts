import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { createSharedRuns } from '../../../core/shared_runs.ts';
import { LIVE_FAILED_MS, LIVE_FAILED_WORKS_MAX, LIVE_FRESH_MS, LIVE_WORK_TIMEOUT_MS } from '../limits.ts';
import { type Asked, type LiveSource, type Mapped, NO_NUMBER } from '../museums/importer.ts';
import { IMPORTERS } from '../museums/importers.ts';
import { MUSEUMS } from '../museums/museums.ts';
import { recordSha256 } from '../records/canonical.ts';
import { type ArtworkRecord, isWhole, parseRecord } from '../records/record.ts';
import type { StoredRecord } from '../records/record_store.ts';
import { type Museums, MuseumUnavailable } from './museum_client.ts';
import { type KeptAnswers, type LiveRow, readAnswers, readLive, writeLive } from './on_demand_store.ts';

/** Completes works known only by number through their museum's API, on request. */
export interface OnDemandWorks {
  /** Works of an edition with the data stored so far. Sends no request. */
  known<T extends { readonly record: ArtworkRecord }>(
    edition: number,
    works: readonly T[],
  ): Promise<(T & Known)[]>;
  /**
   * A work of an edition, completed as far as possible. Failures of the museum are reported in `live`, never
   * thrown.
   */
  complete(edition: number, work: StoredRecord): Promise<StoredRecord & Known>;
}

/** Result of asking a museum. */
export interface Known {
  /** Absent: the edition is complete, or the museum has not been asked yet. */
  readonly live?: Live;
}

export interface Live {
  /** Date of the museum's last response, ISO 8601; null: none yet. */
  readonly askedOn: string | null;
  /** Why the response could not be imported. */
  readonly leftOut?: string;
  /** Why the museum could not be asked now: a complete sentence. */
  readonly problem?: string;
  /** Set if no response was received: predicate after the museum's name. */
  readonly unreached?: string;
  /** Seconds after which another request may succeed. */
  readonly retryAfterSeconds?: number;
}

interface OnDemandWorksDeps {
  readonly database: Database;
  readonly museums: Museums;
  /** False: no request is sent to museums. */
  readonly isOn: boolean;
  /** API keys of museums, by setting. */
  readonly keys: Readonly<Record<NonNullable<LiveSource['needs']>, string | undefined>>;
  /**
   * Downloads and caches the image of a record.
   * @throws AtelierError if that fails
   */
  bring(record: ArtworkRecord): Promise<unknown>;
  readonly now?: () => Date;
}

export function createOnDemandWorks({
  database,
  museums,
  isOn,
  keys,
  bring,
  now = () => new Date(),
}: OnDemandWorksDeps): OnDemandWorks {
  const shared = createSharedRuns<StoredRecord & Known>();
  const failed = new Map<string, { until: number; live: Live }>();

  const known: OnDemandWorks['known'] = async (edition, works) => {
    const ids = works.filter(({ record }) => !isWhole(record)).map(({ record }) => record.id);
    const rows = ids.length > 0 ? await readLive(database, edition, ids) : new Map<string, never>();
    return works.map((work) => withRow(work, rows.get(work.record.id)));
  };

  const complete: OnDemandWorks['complete'] = async (edition, work) =>
    isWhole(work.record)
      ? work
      : shared(`${edition} ${work.record.id}`, () => completeFromStored(edition, work));

  async function completeFromStored(edition: number, work: StoredRecord): Promise<StoredRecord & Known> {
    const { record } = work;
    const row = (await readLive(database, edition, [record.id])).get(record.id);
    const before = withRow(work, row);
    if (row && now().getTime() - row.askedAt.getTime() < LIVE_FRESH_MS) return before;
    const source = IMPORTERS[record.museum].live;
    if (!source) return before;
    const closed = isOn ? withoutKey(record, source, keys) : SWITCHED_OFF;
    if (closed !== undefined) return { ...before, live: { askedOn: null, ...before.live, problem: closed } };
    const failure = failed.get(record.id);
    if (failure && failure.until > now().getTime())
      return { ...before, live: { ...failure.live, ...before.live } };
    try {
      return withRow(work, await within(record, ask(work, source)));
    } catch (error) {
      if (!(error instanceof NotCompleted)) throw error;
      const { message: problem, retryAfterSeconds, cause } = error;
      const unreached = cause instanceof MuseumUnavailable && cause.isUnreached && { unreached: cause.what };
      const live = { askedOn: null, problem, retryAfterSeconds, ...unreached };
      remember(record.id, live);
      return { ...before, live: { ...live, ...before.live } };
    }
  }

  async function ask(work: StoredRecord, source: LiveSource): Promise<LiveRow> {
    const { id, museum } = work.record;
    const before = await readAnswers(database, id);
    const answers: Record<string, KeptAnswers[string]> = {};
    const get: Asked['get'] = async (url, more = {}) => {
      // The response to a POST request depends on its body, so it is not stored.
      const kept = more.body === undefined ? before[url] : undefined;
      const { value, etag } = await museums.json(museum, url, {
        ...more,
        pauseMs: source.pauseMs,
        etag: kept?.etag,
      });
      const answer = value ?? kept?.value ?? {};
      const tag = value === undefined ? (kept?.etag ?? '') : etag;
      if (tag && more.body === undefined) answers[url] = { etag: tag, value: answer };
      return answer;
    };
    const number = id.slice(museum.length + 1);
    const key = source.needs ? (keys[source.needs] ?? '') : '';
    const record = await read(work.record, () => source.read({ record: work.record, number, key, get }));
    if (typeof record !== 'string' && record.image) await bringTo(record);
    const row: LiveRow = {
      id,
      completes: work.sha256,
      askedAt: now(),
      answers,
      ...(typeof record === 'string'
        ? { record: null, sha256: null, leftOut: record }
        : { record, sha256: recordSha256(record), leftOut: null }),
    };
    await writeLive(database, { ...row, museum });
    failed.delete(id);
    return row;
  }

  /** A work counts as complete once its image has been downloaded. */
  async function bringTo(record: ArtworkRecord): Promise<void> {
    try {
      await bring(record);
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      const { retryAfterSeconds = 60 } = error.details;
      throw new NotCompleted(error.message, retryAfterSeconds, error);
    }
  }

  function remember(id: string, live: Live): void {
    failed.delete(id);
    failed.set(id, { until: now().getTime() + LIVE_FAILED_MS, live });
    for (const oldest of failed.keys()) {
      if (failed.size <= LIVE_FAILED_WORKS_MAX) return;
      failed.delete(oldest);
    }
  }

  return { known, complete };
}

const SWITCHED_OFF = 'On-demand requests to museums are disabled on this server (LIVE_WORKS).';

function withoutKey(
  { museum }: ArtworkRecord,
  { needs }: LiveSource,
  keys: OnDemandWorksDeps['keys'],
): string | undefined {
  if (!needs || keys[needs]) return undefined;
  return `${MUSEUMS[museum].name} requires an API key, which is not set on this server (${needs}).`;
}

/** Applies a museum's response to a work. */
function withRow<T extends { readonly record: ArtworkRecord }>(
  work: T,
  row: Omit<LiveRow, 'answers'> | undefined,
): T & Known {
  if (!row) return work;
  const askedOn = row.askedAt.toISOString().slice(0, 10);
  const { record, sha256, leftOut } = row;
  if (!record) return { ...work, live: { askedOn, leftOut: leftOut ?? '' } };
  const seenOn = record.rights.evidence ? askedOn : null;
  return { ...work, record, sha256, seenOn, live: { askedOn } };
}

/** Why a work stays incomplete, as a sentence for the client. */
class NotCompleted extends Error {
  readonly retryAfterSeconds: number;

  constructor(sentence: string, retryAfterSeconds: number, cause?: unknown) {
    super(sentence, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * The record, or why it cannot be imported.
 * @throws NotCompleted if the museum's response is invalid
 */
async function read(base: ArtworkRecord, ask: () => Promise<Mapped>): Promise<ArtworkRecord | string> {
  try {
    const mapped = await ask();
    // A response without a number is a different kind of message.
    if ('leftOut' in mapped && mapped.leftOut === NO_NUMBER) throw new Error('no work');
    if ('leftOut' in mapped) return mapped.leftOut;
    const record = parseRecord(mapped.record);
    if (record.id !== base.id) throw new MuseumUnavailable(`returned another work (${record.id})`);
    // A highlight of the stored record stays one, whatever the museum says.
    return { ...record, highlight: record.highlight || base.highlight };
  } catch (error) {
    throw notCompleted(base, error);
  }
}

function notCompleted({ id, museum }: ArtworkRecord, error: unknown): NotCompleted {
  const away =
    error instanceof MuseumUnavailable
      ? error
      : new MuseumUnavailable('returned a response in an unknown format', { cause: error });
  return new NotCompleted(
    `${MUSEUMS[museum].name} was asked for ${id} and ${away.what}.`,
    away.retryAfterSeconds,
    away,
  );
}

async function within<T>(record: ArtworkRecord, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () =>
      late.reject(
        notCompleted(record, new MuseumUnavailable('did not respond in time', { isUnreached: true })),
      ),
    LIVE_WORK_TIMEOUT_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
