import { randomUUID } from 'node:crypto';
import { livesHere, type ProcessIdentity, thisProcess } from '../../database/process_identity.ts';
import type { Database, Queryable } from '../../database/types.ts';
import { CALLS_OF_PROCESS } from './call_id.ts';
import { clockApart } from './clock_apart.ts';
import { CLOCK_APART_MS_MAX, SERVER_SIGN_MS, SERVER_SILENCE_MS, SIGN_GAP_MS_MAX } from './limits.ts';
import * as store from './store.ts';

interface Options {
  /** What has to agree, by the name of the setting. A secret is the start of its sha256. */
  readonly settings: store.SettingTexts;
  readonly isSecret: (name: string) => boolean;
  /** There for tests. */
  readonly process?: ProcessIdentity;
  readonly calls?: string;
  readonly now?: () => number;
}

/**
 * Makes this process one of the servers of a database. What two versions do not both know is not compared.
 * @returns leaves them
 * @throws Error that names every setting in which it differs from one that runs; or says that its clock is wrong
 */
export async function joinNeighbours(
  database: Database,
  { settings, isSecret, process = thisProcess(), calls = CALLS_OF_PROCESS, now }: Options,
): Promise<() => Promise<void>> {
  requireClock(await clockApart(database, now));
  const server: store.Server = { id: randomUUID(), ...process, settings, calls };
  const sign = (queryable: Queryable) => store.saveServer(queryable, server, SIGN_GAP_MS_MAX);
  await database.transaction(async (tx) => {
    await store.lock(tx);
    await store.forgetOld(tx);
    const known = await store.selectServers(tx, SERVER_SILENCE_MS);
    const running = known.filter((other) => livesHere(other) !== false);
    const lines = running.flatMap((other) => differences(settings, other.settings, isSecret));
    if (lines.length > 0) throw otherSettingsError([...new Set(lines)]);
    await sign(tx);
  });
  // A database that is away for a moment is told again.
  const signing = setInterval(() => sign(database).catch(() => {}), SERVER_SIGN_MS).unref();
  return async () => {
    clearInterval(signing);
    // One that cannot be told is missed after a while.
    await store.deleteServer(database, server.id).catch(() => {});
  };
}

function differences(
  here: store.SettingTexts,
  there: store.SettingTexts,
  isSecret: (name: string) => boolean,
): string[] {
  return Object.keys(here)
    .filter((name) => name in there && here[name] !== there[name])
    .map((name) =>
      isSecret(name)
        ? `${name}: another one than theirs (neither is shown)`
        : `${name}: ${shown(here[name]!)} here, ${shown(there[name]!)} there`,
    );
}

const shown = (text: string): string => (text === '' ? '(not set)' : text);

const otherSettingsError = (lines: readonly string[]): Error =>
  new Error(
    `Other servers run on this database with other settings:
  ${lines.join('\n  ')}
Give every server the same. To change one of them, stop all servers first; one that was killed on another machine counts for ${SERVER_SILENCE_MS / 1000} s more.`,
  );

/** @throws Error */
function requireClock(apartMs: number): void {
  if (Math.abs(apartMs) <= CLOCK_APART_MS_MAX) return;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  throw new Error(
    `The clock of this machine is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} that of the database, and at most ${CLOCK_APART_MS_MAX / 1000} s are allowed. Let both follow the same time (NTP), then start again.`,
  );
}
