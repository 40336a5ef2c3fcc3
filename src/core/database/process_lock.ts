import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { livesHere, type ProcessIdentity, thisProcess } from './process_identity.ts';

/** Processes of another machine or container are not visible here; their lock is valid for this long after its last renewal. */
const SILENCE_MS = 30_000;
const RENEWAL_MS = 5_000;

interface Owner extends ProcessIdentity {
  /** Identifies this lock. */
  readonly id: string;
}

/** A live process that holds the lock. */
export interface Holder {
  readonly pid: number;
  /** Location of a remote holder: it is not visible here, so its lock is valid while it is renewed. */
  readonly elsewhere?: { readonly host: string; readonly silenceMs: number };
}

/**
 * Acquires the lock `path` for this process. A lock whose process died is taken over. Returns a function that releases it.
 * @param inUse creates the error that names the holder
 * @throws the error of `inUse`; Error if the file is not a lock
 */
export function holdLock(path: string, inUse: (holder: Holder) => Error): () => void {
  acquire(path, inUse);
  return keep(path);
}

/** Whether a live process of this machine holds the lock. */
export function isHeld(path: string): boolean {
  const owner = parse(read(path) ?? '');
  return owner !== undefined && livesHere(owner) === true;
}

type InUse = Parameters<typeof holdLock>[1];

function acquire(path: string, inUse: InUse): void {
  const owner: Owner = { ...thisProcess(), id: randomUUID() };
  while (!writeNew(path, JSON.stringify(owner))) removeDead(path, inUse);
}

function keep(path: string): () => void {
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(path, now, now);
    } catch {
      // The lock was removed manually; nothing excludes the next process any more.
    }
  }, RENEWAL_MS).unref();
  let held = true;
  return () => {
    clearInterval(timer);
    if (held) rmSync(path, { force: true });
    held = false;
  };
}

/** Writes the whole lock under a temporary name first, so that readers never see a partial one. False if a lock exists. */
function writeNew(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.${process.hrtime.bigint()}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of a dead process. A second lock serialises this: otherwise a slow process could remove the fresh lock of a
 * faster one.
 */
function removeDead(path: string, inUse: InUse): void {
  const seen = read(path);
  if (seen === undefined) return;
  refuseIfAlive(seen, path, inUse);
  const removal = `${path}.removal`;
  acquire(removal, inUse);
  try {
    if (read(path) === seen) rmSync(path);
  } finally {
    rmSync(removal, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function refuseIfAlive(text: string, path: string, inUse: InUse): void {
  const owner = parse(text);
  if (!owner)
    throw new Error(
      `${path} is not a lock file of this service. Make sure that no process uses the folder, then delete the file.`,
    );
  const { pid, host } = owner;
  const lives = livesHere(owner);
  if (lives === false) return;
  if (lives) throw inUse({ pid });
  const silentMs = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (silentMs > SILENCE_MS) return;
  throw inUse({ pid, elsewhere: { host, silenceMs: SILENCE_MS } });
}

function parse(text: string): Owner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<Owner>;
    const complete =
      Number.isInteger(owner.pid) && typeof owner.started === 'string' && typeof owner.host === 'string';
    return complete ? (owner as Owner) : undefined;
  } catch {
    return undefined;
  }
}
