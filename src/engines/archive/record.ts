import { canonicalJson } from '../soulmark/canonical_json.ts';
import { type Cid, cidOf, cidText, DAG_JSON } from './cid.ts';
import { type Block, unixfsBlocks } from './unixfs.ts';

export interface ArchivedFile {
  /** Names the record, which names the content and everything said about it. */
  readonly record: Block;
  readonly content: Cid;
}

/**
 * The record of a file in the archive, as DAG-JSON: two stores of the same bytes with the same words about them are one.
 * @throws TypeError for metadata without a canonical form
 */
export function archiveRecord(
  bytes: Uint8Array,
  about: { contentType: string; sha256: string; metadata: object },
): ArchivedFile {
  const content = unixfsBlocks(bytes).at(-1)!.cid;
  const text = canonicalJson({
    type: 'atelier.archive.record.1',
    content: { '/': cidText(content) },
    content_type: about.contentType,
    metadata: about.metadata,
    sha256: about.sha256,
    size_bytes: bytes.length,
  });
  const record = Buffer.from(text);
  return { record: { cid: cidOf(DAG_JSON, record), bytes: record }, content };
}
