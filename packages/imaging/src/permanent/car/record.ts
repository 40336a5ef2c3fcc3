import { canonicalJson } from '../../provenance/soulmark/canonical_json.ts';
import { type Cid, cidOf, cidText, DAG_JSON } from './cid.ts';
import { type Block, unixfsBlocks } from './unixfs.ts';

export interface ArchivedFile {
  /** Names the record, which names the content and everything said about it. */
  readonly record: Block;
  readonly content: Cid;
}

interface About {
  readonly contentType: string;
  readonly sha256: string;
  readonly metadata: object;
}

/**
 * The record of a file in the archive, as DAG-JSON: two stores of the same bytes with the same words about them are one.
 * @throws TypeError for metadata without a canonical form
 */
export function archiveRecord(bytes: Uint8Array, about: About): ArchivedFile {
  const content = unixfsBlocks(bytes).at(-1)!.cid;
  const link = { '/': cidText(content) };
  const record = Buffer.from(recordText('archive', link, { ...about, sizeBytes: bytes.length }));
  return { record: { cid: cidOf(DAG_JSON, record), bytes: record }, content };
}

/**
 * What is kept beside a file, in canonical JSON.
 * @param content how the store names the bytes
 * @throws TypeError for metadata without a canonical form
 */
export function recordText(
  store: string,
  content: unknown,
  { contentType, sha256, metadata, sizeBytes }: About & { sizeBytes: number },
): string {
  return canonicalJson({
    type: `atelier.${store}.record.1`,
    content,
    content_type: contentType,
    metadata,
    sha256,
    size_bytes: sizeBytes,
  });
}
