import type { z } from 'zod';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { newAssetKey } from '../../assets/asset_key.ts';
import type { ArchivedWorkspace } from '../../workspaces/types.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  FILES_A_MESSAGE,
  MANIFEST_LIMITS,
  ROWS_A_STATEMENT,
  ROWS_CHARACTERS_MAX,
} from './limits.ts';
import { filesOf, type Manifest, type ManifestAsset, manifestSchema } from './manifest.ts';
import { archiveInvalid } from './read_tar.ts';

/** A manifest with a valid signature, and its claims. */
export interface SignedManifest {
  readonly text: Uint8Array;
  /** SHA-256 of the text, in hex. */
  readonly sha256: string;
  readonly wallet: string;
  readonly server: string;
  /** Quota of earlier versions on this server; older ones are dropped. */
  readonly room: VersionRoom;
}

export interface VersionRoom {
  readonly versions: number;
  readonly bytes: number;
}

/** A batch of a manifest, small enough not to block the event loop. */
export type ManifestBatch =
  | { readonly exportedAt: string; readonly records: number }
  | { readonly files: readonly (readonly [name: string, sha256: string, bytes: number])[] }
  | { readonly workspaces: readonly ArchivedWorkspace[] }
  /** A JSON array of assets without their versions, for `insertAssets`. */
  | { readonly assets: string }
  /** A JSON array of versions, for `insertVersions`. Across all batches, the oldest come first. */
  | { readonly versions: string };

/**
 * Parses and validates a manifest, then yields it in batches. The largest takes seconds of CPU.
 * @throws AtelierError archive_invalid, invalid_input
 */
export function* readManifest({
  text,
  sha256,
  wallet,
  server,
  room,
}: SignedManifest): Generator<ManifestBatch> {
  const json = parse(text);
  requireVersion(json);
  const manifest = readAs(manifestSchema, json, 'manifest.json');
  if (manifest.wallet !== wallet || manifest.server !== server)
    throw archiveInvalid('Its signature names another wallet or server than its manifest.');
  for (const { key } of manifest.assets) newAssetKey(key);
  yield { exportedAt: manifest.exported_at, records: manifest.records.length };
  const files = Array.from(filesOf(manifest), ([name, file]) => [name, file.sha256, file.bytes] as const);
  for (let at = 0; at < files.length; at += FILES_A_MESSAGE)
    yield { files: files.slice(at, at + FILES_A_MESSAGE) };
  requireDistinctIds(manifest.workspaces);
  for (const workspace of manifest.workspaces) yield { workspaces: [workspace] };
  const assets = [...manifest.assets, ...recordsAsAssets(manifest, sha256)];
  requireDistinctKeys(assets);
  for (const rows of batchesOf(assets.map(({ versions: _, ...asset }) => asset))) yield { assets: rows };
  for (const rows of batchesOf(newestVersions(assets, room))) yield { versions: rows };
}

/** One statement inserts many assets, and cannot write a row twice. */
function requireDistinctKeys(assets: readonly ManifestAsset[]): void {
  const keys = new Set<string>();
  for (const { key } of assets) {
    if (keys.has(key)) throw archiveInvalid(`Its manifest lists the key ${JSON.stringify(key)} twice.`);
    keys.add(key);
  }
}

function requireDistinctIds(workspaces: Manifest['workspaces']): void {
  if (new Set(workspaces.map(({ id }) => id)).size < workspaces.length)
    throw archiveInvalid('Its manifest lists a workspace twice.');
}

/** Versions with the fields of their asset: the newest that fit, oldest first. */
function newestVersions(assets: readonly ManifestAsset[], room: VersionRoom) {
  const all = assets.flatMap(({ key, created_at, sha256: asset_sha256, versions }) =>
    versions.map((version) => ({ key, created_at, asset_sha256, ...version })),
  );
  const newestFirst = all
    .map((version) => ({ version, endedAt: Date.parse(version.ended_at) }))
    // Timestamps have microseconds, which `endedAt` lacks, so ties are compared as text.
    .sort((a, b) => b.endedAt - a.endedAt || (a.version.ended_at < b.version.ended_at ? 1 : -1));
  let bytes = 0;
  const tooMany = newestFirst.findIndex(({ version }, at) => {
    bytes += version.bytes;
    return at >= room.versions || bytes > room.bytes;
  });
  const kept = tooMany < 0 ? newestFirst : newestFirst.slice(0, tooMany);
  return kept.map(({ version }) => version).reverse();
}

function parse(text: Uint8Array): unknown {
  try {
    return parseBoundedJson(text, MANIFEST_LIMITS);
  } catch (error) {
    throw archiveInvalid(
      `Its manifest is not JSON, or is not a wallet manifest. ${(error as Error).message}`,
    );
  }
}

/** Runs before other checks, because a later version may have another format. */
function requireVersion(json: unknown): void {
  const { format, version } = Object(json) as { format?: unknown; version?: unknown };
  if (format !== ARCHIVE_FORMAT) throw archiveInvalid('Its manifest is not a wallet manifest of Atelier.');
  if (version !== ARCHIVE_VERSION)
    throw archiveInvalid(
      `Its version is ${JSON.stringify(version)?.slice(0, 20)}; this server reads version ${ARCHIVE_VERSION}.`,
    );
}

/** Validates a value. @throws AtelierError archive_invalid with the first problem */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw archiveInvalid(`${what} is invalid: ${issue?.path.join('.')} ${issue?.message}.`);
}

/**
 * Receipts, registrations, posts and names of keys describe another server, so they are not imported as such but stored as assets,
 * which the owner can list, export and delete.
 */
function recordsAsAssets({ server, records, exported_at: at }: Manifest, sha256: string): ManifestAsset[] {
  const folder = `imported/${new URL(server).host.replaceAll(':', '-')}/${sha256.slice(0, 12)}`;
  return records.map(({ name, ...file }) => ({
    ...file,
    key: `${folder}/${name}`,
    content_type: 'application/x-ndjson',
    metadata: null,
    created_at: at,
    saved_at: at,
    versions: [],
  }));
}

/** JSON arrays, bounded in rows and in characters: metadata may have 64 kB per row. */
function* batchesOf(values: readonly object[]): Generator<string> {
  let rows: string[] = [];
  let characters = 0;
  for (const value of values) {
    const row = JSON.stringify(value);
    if (rows.length >= ROWS_A_STATEMENT || characters + row.length > ROWS_CHARACTERS_MAX) {
      if (rows.length > 0) yield `[${rows.join(',')}]`;
      rows = [];
      characters = 0;
    }
    rows.push(row);
    characters += row.length;
  }
  if (rows.length > 0) yield `[${rows.join(',')}]`;
}
