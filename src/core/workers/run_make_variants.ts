import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryMetadata } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import {
  type MadeVariant,
  makeVariants,
  type VariantsRequest,
} from '@atelier/imaging/variants/make_variants.ts';
import { type Snippet, snippetOf } from '@atelier/imaging/variants/write_snippet.ts';
import { type MetadataPassthrough, NOTHING } from './metadata_passthrough.ts';
import { zipFiles } from './zip_files.ts';

export interface MakeVariantsRequest extends VariantsRequest {
  /** The named set, for the snippet beside the files; absent: no snippet. */
  readonly set?: string | undefined;
}

export interface MadeVariants {
  readonly files: readonly MadeVariant[];
  readonly snippet: Snippet;
  /** All files and the snippet, stored uncompressed because image files are compressed already. */
  readonly zip: Uint8Array;
  /** Metadata report of the first file. */
  readonly metadata: CarriedMetadata;
}

/** Makes a set of images and packs them into a ZIP. @throws EngineError as `makeVariants` does */
export async function runMakeVariants({
  carry,
  sentFile,
  set = '',
  ...request
}: MakeVariantsRequest & MetadataPassthrough): Promise<MadeVariants> {
  const made = await makeVariants(request);
  const files: MadeVariant[] = [];
  let metadata = NOTHING;
  for (const file of made) {
    const carried = await carriedInto(file, request.bytes, { carry, sentFile });
    if (files.length === 0) metadata = carried.metadata;
    files.push({ ...file, bytes: carried.bytes });
  }
  const snippet = snippetOf(set, files);
  const texts = { [`${set}.html`]: snippet.html, 'site.webmanifest': snippet.manifest };
  const snippets = Object.entries(texts).flatMap(([name, bytes]) => (bytes ? [{ name, bytes }] : []));
  return { files, metadata, snippet, zip: await zipFiles([...files, ...snippets]) };
}

async function carriedInto(
  file: MadeVariant,
  picture: Uint8Array,
  { carry, sentFile }: MetadataPassthrough,
): Promise<{ bytes: Uint8Array; metadata: CarriedMetadata }> {
  if (!carry) return { bytes: file.bytes, metadata: NOTHING };
  const { bytes, metadata } = await carryMetadata({ file: sentFile?.bytes ?? picture, picture }, file, carry);
  return { bytes, metadata };
}
