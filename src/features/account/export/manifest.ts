import { z } from 'zod';
import {
  ASSET_BYTES_MAX,
  ASSET_KEY_CHARACTERS_MAX,
  CONTENT_TYPE_CHARACTERS_MAX,
  WORKSPACE_ITEM_BYTES_MAX,
  WORKSPACE_ITEMS_MAX,
  WORKSPACES_PER_WALLET_MAX,
} from '../../../config/limits.ts';
import { isObjectText } from '../../../core/json/parse_bounded_json.ts';
import type { ArchivedWorkspace } from '../../workspaces/types.ts';
import {
  ARCHIVE_FILES_MAX,
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  ASSETS_IN_ARCHIVE_MAX,
  RECORD_BYTES_MAX,
  VERSIONS_OF_KEY_MAX,
  WORKSPACE_PARTS_MAX,
} from './limits.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** PostgreSQL accepts UTC offsets below 16 hours. */
const moment = z.iso
  .datetime({ offset: true })
  .max(40)
  .regex(/^2\d{3}-.*(Z|[+-](0\d|1[0-5]):\d\d)$/, 'must be a plausible date');
const METADATA_CHARACTERS_MAX = 64 * 1024;

const content = {
  sha256,
  bytes: z.int().min(1).max(ASSET_BYTES_MAX),
  content_type: z
    .string()
    .max(CONTENT_TYPE_CHARACTERS_MAX)
    .regex(/^[\w.+*-]+\/[\w.+*-]+( *;[ -~]*)?$/, 'must be a media type'),
  /** A JSON object, as sent. */
  metadata: z.string().max(METADATA_CHARACTERS_MAX).refine(isObjectText, 'must be a JSON object').nullable(),
  saved_at: moment,
};

const storedFile = (bytesMax: number) => z.object({ sha256, bytes: z.int().min(1).max(bytesMax) });

/** First entry of an archive: its contents by sha256. */
export const manifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.literal(ARCHIVE_VERSION),
  wallet: z.string().regex(/^0x[0-9a-f]{40}$/),
  server: z.url({ protocol: /^https?$/ }).max(2048),
  exported_at: moment,
  assets: z
    .array(
      z.object({
        key: z.string().min(1).max(ASSET_KEY_CHARACTERS_MAX),
        created_at: moment,
        ...content,
        versions: z.array(z.object({ ...content, ended_at: moment })).max(VERSIONS_OF_KEY_MAX),
      }),
    )
    .max(ASSETS_IN_ARCHIVE_MAX),
  /** Informational records that are not imported as such: receipts, registrations, posts, names of keys. */
  records: z
    .array(
      z.object({
        name: z.string().regex(/^[a-z]+-\d{4}\.jsonl$/),
        sha256,
        bytes: z.int().min(1).max(RECORD_BYTES_MAX),
      }),
    )
    .max(ARCHIVE_FILES_MAX),
  workspaces: z
    .array(
      z.object({
        id: z.string().regex(/^wsp_[0-9a-f]{32}$/),
        parts: z.array(storedFile(RECORD_BYTES_MAX)).min(1).max(WORKSPACE_PARTS_MAX).readonly(),
        files: z.array(storedFile(WORKSPACE_ITEM_BYTES_MAX)).max(WORKSPACE_ITEMS_MAX).readonly(),
      }),
    )
    .max(WORKSPACES_PER_WALLET_MAX)
    // Earlier archives have none.
    .default([]),
});

export type Manifest = z.output<typeof manifestSchema>;
export type ManifestAsset = Manifest['assets'][number];

/** Claims that the signature covers, besides the manifest. */
export const claimsSchema = z.object({
  iss: z.url({ protocol: /^https?$/ }).max(2048),
  sub: z.string().max(100),
  iat: z.int(),
  manifest_sha256: sha256,
});

/** Files of an archive by name. Duplicates are one file. */
type ArchiveFiles = Map<string, { readonly sha256: string; readonly bytes: number }>;

/** The files of assets and records. */
export function filesOf({ assets, records }: Pick<Manifest, 'assets' | 'records'>): ArchiveFiles {
  const contents = assets.flatMap((asset) => [asset, ...asset.versions]);
  return new Map([
    ...contents.map(({ sha256, bytes }) => [`files/${sha256}`, { sha256, bytes }] as const),
    ...records.map(({ name, sha256, bytes }) => [`records/${name}`, { sha256, bytes }] as const),
  ]);
}

/** The files of workspaces: their JSON lines and the files of their items. */
export const filesOfWorkspaces = (workspaces: readonly ArchivedWorkspace[]): ArchiveFiles =>
  new Map(
    workspaces.flatMap(({ id, parts, files }) => [
      ...parts.map(
        (part, at) => [`workspaces/${id}-${String(at + 1).padStart(4, '0')}.jsonl`, part] as const,
      ),
      ...files.map((file) => [`files/${file.sha256}`, file] as const),
    ]),
  );

/** Names of the entries before the files, in this order. */
export const HEAD_NAMES = ['manifest.json', 'signature.jws'] as const;
