import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Config, isSecret } from '../../../config/config.ts';
import { livesHere, type ProcessIdentity, thisProcess } from '../../database/process_identity.ts';
import { readClock } from '../../database/read_clock.ts';
import type { Database, Queryable } from '../../database/types.ts';
import { receiptKey, signingSecret } from '../../keys/signer.ts';
import { CALLS_OF_PROCESS } from './call_id.ts';
import * as store from './store.ts';

interface Options {
  /** Settings that all servers must share, by name. A secret is represented by the prefix of its SHA-256. */
  readonly settings: store.SettingTexts;
  readonly isSecret: (name: string) => boolean;
  /** For tests. */
  readonly process?: ProcessIdentity;
  readonly calls?: string;
  readonly now?: () => number;
}

/**
 * Registers this process in the cluster table. Settings that only one version knows are not compared.
 * @returns unregisters it
 * @throws Error that names every setting that differs from a running server, or reports clock skew
 */
export async function joinCluster(
  database: Database,
  { settings, isSecret, process = thisProcess(), calls = CALLS_OF_PROCESS, now }: Options,
): Promise<() => Promise<void>> {
  requireClock(await clockSkewMs(database, now));
  const server: store.Server = { id: randomUUID(), ...process, settings, calls };
  const sign = (queryable: Queryable) => store.saveServer(queryable, server, HEARTBEAT_GAP_MS_MAX);
  await database.transaction(async (tx) => {
    await store.lock(tx);
    await store.forgetOld(tx);
    const known = await store.selectServers(tx, SERVER_TIMEOUT_MS);
    const running = known.filter((other) => livesHere(other) !== false);
    const lines = running.flatMap((other) => differences(settings, other.settings, isSecret));
    if (lines.length > 0) throw otherSettingsError([...new Set(lines)]);
    await sign(tx);
  });
  // A failed heartbeat is retried at the next interval.
  const signing = setInterval(() => sign(database).catch(() => {}), SERVER_HEARTBEAT_MS).unref();
  return async () => {
    clearInterval(signing);
    // If the row cannot be deleted, it lapses.
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
        ? `${name}: differs (values hidden)`
        : `${name}: ${shown(here[name]!)} on this server, ${shown(there[name]!)} on others`,
    );
}

const shown = (text: string): string => (text === '' ? '(not set)' : text);

const otherSettingsError = (lines: readonly string[]): Error =>
  new Error(
    `Other servers on this database have different settings:
  ${lines.join('\n  ')}
Set the same values on all servers. To change a value, stop all servers first. A server killed on another machine counts as running for ${SERVER_TIMEOUT_MS / 1000} s.`,
  );

/** @throws Error if the clock skew exceeds CLOCK_SKEW_MS_MAX */
function requireClock(apartMs: number): void {
  if (Math.abs(apartMs) <= CLOCK_SKEW_MS_MAX) return;
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  throw new Error(
    `The clock of this machine is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} the database clock. The limit is ${CLOCK_SKEW_MS_MAX / 1000} s. Synchronise both clocks (NTP), then start again.`,
  );
}

/** Offset of the local clock from the database clock in milliseconds; negative if it is behind. Accurate to half the round-trip time. */
async function clockSkewMs(database: Queryable, now: () => number = Date.now): Promise<number> {
  const before = now();
  const there = (await readClock(database)).getTime();
  return Math.round((before + now()) / 2 - there);
}

/**
 * Settings that servers of one database must share: payment recipients and methods, shared limits, and keys and stores that one
 * server writes and another reads. Others are local to a machine. Tool prices belong to the version and may differ during an
 * upgrade.
 */
const SHARED = [
  'SIGNING_SECRET',
  'RECEIPT_KEY',
  'PUBLIC_URL',
  'STORAGE_URL',
  'ALLOWED_ORIGINS',
  'IIIF',
  'VOUCHING_DOMAINS',
  'VOUCHING_WALLET',
  'VOUCHING_SIGNATURE',
  'C2PA_CERTIFICATE',
  'C2PA_KEY',
  'TSA_URL',
  'TSA_POLICY',
  'PAYMENTS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_PROFILE_ID',
  'X402_PAY_TO',
  'X402_FACILITATOR_URL',
  'X402_NETWORKS',
  'BONUS_NEEDS_PROOF',
  'GUEST_BONUSES_PER_DAY',
  'FREE_TOOLS_PER_HOUR',
  'PAID_TOOLS_PER_MINUTE',
  'MCP_PER_MINUTE',
  'SIGNED_REQUESTS_PER_MINUTE',
  'REGISTRATIONS_PER_HOUR',
  'REGISTRATIONS_PER_DAY',
  'REGISTRATIONS_PER_DAY_OF_ALL',
  'ADDRESS_LIMIT_FACTOR',
  'REFUSALS_PER_MINUTE',
  'UPLOADS_PER_HOUR',
  'CAFE_POSTS_PER_DAY',
  'GALLERY_POSTS_PER_DAY',
  'REGISTRY_SIGNATURES_PER_DAY',
  'CALLER_SHARE_PERCENT',
  'JOBS_LIVE_MAX',
  'JOBS_PER_CALLER',
  'JOBS_PER_ADDRESS',
  'KEPT_SHARE_PERCENT',
  'UPLOADS_BYTES_MAX',
  'RESULTS_BYTES_MAX',
  'ANSWERS_BYTES_MAX',
  'ASSETS_BYTES_MAX',
  'MANIFESTS_BYTES_MAX',
  'WORKSPACES_BYTES_MAX',
  'GENERATION_PROVIDER',
  'GENERATION_MODEL',
  'GENERATION_USD',
  'GENERATION_MARGIN_PERCENT',
  'GENERATION_USD_A_DAY',
  'GENERATION_SHARE_PERCENT',
  'GENERATION_EDITS',
  'VISION_PROVIDER',
  'VISION_MODEL',
  'VISION_INPUT_USD',
  'VISION_OUTPUT_USD',
  'VISION_USD_A_DAY',
  'VISION_TOKENS_A_DAY',
  'VISION_SHARE_PERCENT',
  'EMBEDDINGS_URL',
  'EMBEDDINGS_MODEL',
  'VECTORS_INDEX',
] as const satisfies readonly (keyof Config)[];

type Texts = Record<(typeof SHARED)[number], string>;

/**
 * Registers this process with its database; an embedded database has only one.
 * @param options `joinsCluster`: false for the process of a single call, whose settings need not match
 * @returns unregisters it
 * @throws Error that names every setting that differs from a running server, or reports clock skew
 */
export async function registerInCluster(
  config: Config,
  { database, publicUrl, joinsCluster }: { database: Database; publicUrl: string; joinsCluster: boolean },
): Promise<() => Promise<void>> {
  if (database.kind === 'embedded') return async () => {};
  if (!joinsCluster) return joinCluster(database, { settings: {}, isSecret });
  const texts: Texts = {
    ...(Object.fromEntries(SHARED.map((name) => [name, textOf(config[name])])) as Texts),
    // Effective values: generated keys are stored in the folder.
    PUBLIC_URL: publicUrl,
    SIGNING_SECRET: await signingSecret(config.DATA_DIR, config.SIGNING_SECRET),
    RECEIPT_KEY: publicHalf(await receiptKey(config.DATA_DIR, config.RECEIPT_KEY)),
  };
  const settings = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [
      name,
      isSecret(name) && text ? digestOf(name + text) : text,
    ]),
  );
  return joinCluster(database, { settings, isSecret });
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : Array.isArray(value) ? [...value].sort().join(',') : String(value);

/** Public key text, independent of the encoding of the private key. */
const publicHalf = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** A server on another machine is considered dead after this time without a heartbeat. */
export const SERVER_TIMEOUT_MS = 45_000;
/** Heartbeat interval. */
export const SERVER_HEARTBEAT_MS = 15_000;
/** Longest gap between heartbeats of a server that could reach the database throughout. */
export const HEARTBEAT_GAP_MS_MAX = SERVER_HEARTBEAT_MS + 5_000;
/** Retry interval of releases that failed because the database was unavailable. */
export const RELEASE_RETRY_MS = 1_000;
/** Largest clock skew: beyond it, this server would expire records that other servers have just created. */
export const CLOCK_SKEW_MS_MAX = 30_000;
