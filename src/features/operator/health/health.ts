import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CLOCK_SKEW_MS_MAX } from '../../../core/cluster/members/members.ts';
import type { Queryable } from '../../../core/database/types.ts';
import type { Disk } from '../../../core/storage/blobs/disk.ts';
import type { RemoteStore } from '../../../core/storage/objects/types.ts';

const HEALTH_CHECK_TIMEOUT_MS = 5_000;
const HEALTH_FILE_BYTES = 64 * 1024;
/** Cache lifetime of a health check. */
const HEALTH_REMEMBERED_MS = 2_000;

interface HealthDeps {
  readonly database: Queryable;
  /** Folder that must be writable. */
  readonly dataDir: string;
  readonly disk: Pick<Disk, 'hasRoom'>;
  /** Where blobs are in a bucket, it must accept a write too. */
  readonly store?: { readonly remote?: Pick<RemoteStore, 'check'> };
  readonly now?: () => number;
}

/** Each check writes, because a full disk can still be read. Results are cached for `HEALTH_REMEMBERED_MS`. */
export function createHealth({
  database,
  dataDir,
  disk,
  store,
  now = () => performance.now(),
}: HealthDeps): OwnHealth {
  let isLeaving = false;
  let last: { at: number; checks: Promise<Checks> } | undefined;
  const look = async (): Promise<Checks> => {
    const [clock, writesFile, writesObject, room] = await Promise.all([
      writeRow(database),
      works(writeFile(join(dataDir, `.health.${randomUUID()}`))),
      works(store?.remote?.check()),
      disk.hasRoom(),
    ]);
    return {
      database: clock !== undefined,
      storage: writesFile && writesObject,
      room,
      ...(clock !== undefined && { clock }),
    };
  };
  return {
    async check() {
      if (!last || now() - last.at >= HEALTH_REMEMBERED_MS) last = { at: now(), checks: look() };
      return { ...(await last.checks), ...(isLeaving && ({ stays: false } as const)) };
    },
    leave() {
      isLeaving = true;
    },
  };
}

/** Whether the clock of this machine agrees with that of the database; undefined where the write failed. */
async function writeRow(database: Queryable): Promise<boolean | undefined> {
  let isRight = true;
  const writes = await works(
    database.query<{ at: Date }>(WRITE).then(([row]) => {
      isRight = Math.abs(Date.now() - (row?.at.getTime() ?? Date.now())) <= CLOCK_SKEW_MS_MAX;
    }),
  );
  return writes ? isRight : undefined;
}

const WRITE = `insert into health_checks (at) values (clock_timestamp())
  on conflict (only_row) do update set at = excluded.at returning at`;

/** Writes and syncs a new file: an existing file has its space already, and some file systems report a full disk late. */
async function writeFile(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(Buffer.alloc(HEALTH_FILE_BYTES, 1));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** Whether a check succeeds in time. */
async function works(check: Promise<unknown> | undefined): Promise<boolean> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('late')), HEALTH_CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check, late.promise]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the required components work, tested by using them. */
export interface Health {
  check(): Promise<Checks>;
}

/** Health of this process, including that it is shutting down. */
interface OwnHealth extends Health {
  /** Marks this server as shutting down in every further check. */
  leave(): void;
}

/**
 * `room`: the disk accepts writes; without it, reads still work. `clock`: the clock agrees with that of the database; absent where
 * unknown. `stays`: false while the server shuts down and still responds, so that load balancers send calls elsewhere.
 */
export interface Checks {
  readonly database: boolean;
  readonly storage: boolean;
  readonly room: boolean;
  readonly clock?: boolean;
  readonly stays?: false;
}

/** Whether the engines work, tested by a small image through each. */
export interface EngineHealth {
  check(): Promise<EngineChecks>;
}

/** By engine name; unavailable engines, whose model is not installed, are absent. */
export type EngineChecks = Readonly<Record<string, EngineCheck>>;

export interface EngineCheck {
  /** `busy`: no slot became free, so the state is unknown. */
  readonly state: 'ok' | 'failed' | 'busy';
  /** Including the wait for a slot. */
  readonly ms: number;
  /** Reason of a failure. */
  readonly reason?: string;
}
