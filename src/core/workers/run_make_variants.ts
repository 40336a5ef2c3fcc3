import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { carryMetadata } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import {
  type MadeVariant,
  makeVariants,
  type VariantsRequest,
} from '@atelier/imaging/variants/make_variants.ts';
import { type Snippet, snippetOf } from '@atelier/imaging/variants/write_snippet.ts';
import { makeZip } from 'client-zip';
import { type Carrying, NOTHING } from './carrying.ts';

export interface MakeVariantsRequest extends VariantsRequest {
  /** The named set they are of, for the snippet beside them; absent: none. */
  readonly set?: string | undefined;
}

export interface MadeVariants {
  readonly files: readonly MadeVariant[];
  readonly snippet: Snippet;
  /** All files and the snippet under their names, not compressed: they are compressed already. */
  readonly zip: Uint8Array;
  /** Of the first file. */
  readonly metadata: CarriedMetadata;
}

/** The same files give the same bytes. */
const ZIP_TIME = new Date('1980-01-01T00:00:00');

/** Makes a set of pictures and puts them into a ZIP. @throws EngineError as `makeVariants` does */
export async function runMakeVariants({
  carry,
  sentFile,
  set = '',
  ...request
}: MakeVariantsRequest & Carrying): Promise<MadeVariants> {
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
  const entries = [
    ...files.map(({ name, bytes }) => ({
      name,
      input: bytes as Uint8Array<ArrayBuffer>,
      lastModified: ZIP_TIME,
    })),
    ...Object.entries(texts).flatMap(([name, input]) =>
      input ? [{ name, input, lastModified: ZIP_TIME }] : [],
    ),
  ];
  return { files, metadata, snippet, zip: await bytesOf(makeZip(entries)) };
}

async function carriedInto(
  file: MadeVariant,
  picture: Uint8Array,
  { carry, sentFile }: Carrying,
): Promise<{ bytes: Uint8Array; metadata: CarriedMetadata }> {
  if (!carry) return { bytes: file.bytes, metadata: NOTHING };
  const { bytes, metadata } = await carryMetadata({ file: sentFile?.bytes ?? picture, picture }, file, carry);
  return { bytes, metadata };
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}
