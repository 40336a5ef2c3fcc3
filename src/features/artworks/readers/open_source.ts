import { createReadStream, globSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import { DATASET_FILE_BYTES_MAX, DATASET_INFLATION_GRACE_BYTES, DATASET_INFLATION_MAX } from '../limits.ts';
import { SourceProblem } from './source_problem.ts';

/** Large chunks, because each takes a turn of the event loop. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Decompresses gzip or bzip2, recognised by the first bytes; passes other files through.
 * @throws SourceProblem if the file is truncated, damaged, or expands beyond the limit
 */
export async function* decompress(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let compressed = 0;
  const counted = (async function* () {
    for await (const chunk of bytes) {
      compressed += chunk.length;
      yield chunk;
    }
  })();
  const { start, all } = await peekStart(counted);
  const inflater = inflaterFor(start);
  let plain = 0;
  try {
    for await (const chunk of inflater ? inflateBytes(all, inflater) : all) {
      plain += chunk.length;
      if (
        plain > DATASET_FILE_BYTES_MAX ||
        plain > DATASET_INFLATION_GRACE_BYTES + compressed * DATASET_INFLATION_MAX
      ) {
        throw new SourceProblem(
          `it expands from ${Math.round(compressed / 1e6)} MB to more than ${Math.round(plain / 1e6)} MB, beyond the limit`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SourceProblem || !inflater) throw error;
    throw new SourceProblem(`its compressed data is damaged or truncated (${(error as Error).message})`, {
      cause: error,
    });
  }
}

function inflaterFor(start: Uint8Array): NodeJS.ReadWriteStream | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return createGunzip({ chunkSize: CHUNK_BYTES });
  return Buffer.from(start.subarray(0, 3)).toString('latin1') === 'BZh' ? unbzip2() : undefined;
}

async function* inflateBytes(
  bytes: AsyncIterable<Uint8Array>,
  inflater: NodeJS.ReadWriteStream,
): AsyncGenerator<Uint8Array> {
  // unbzip2-stream returns a legacy stream without async iteration.
  const output = new PassThrough();
  pipeline(Readable.from(bytes), inflater, output, () => {});
  yield* output;
}

/** Peeks at the first chunk, and returns the stream with it. */
async function peekStart(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ start: Uint8Array; all: AsyncIterable<Uint8Array> }> {
  const reader = bytes[Symbol.asyncIterator]();
  const first = await reader.next();
  const start = first.done ? new Uint8Array() : first.value;
  const all = (async function* () {
    if (first.done) return;
    yield start;
    yield* { [Symbol.asyncIterator]: () => reader };
  })();
  return { start, all };
}

/** One decompressed file of a museum. Its bytes can be read once, before the next file is opened. */
export interface SourceFile {
  /** Path inside the folder or archive. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A museum's data on this machine: a file, a folder of files, or an archive. */
export interface Source {
  readonly path: string;
  /** All files, one after the other. */
  files(): AsyncGenerator<SourceFile>;
  /** The file of that name in the same folder, compressed or not. */
  beside(name: string): SourceFile | undefined;
}

/** @throws SourceProblem if the path does not exist */
export function requireSource(path: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SourceProblem(`The file ${path} does not exist.`);
  return stats;
}

/** @throws SourceProblem if the path does not exist */
export function openSource(path: string): Source {
  const stats = requireSource(path);
  const folder = stats.isDirectory() ? path : join(path, '..');
  return {
    path,
    async *files() {
      const paths = stats.isDirectory()
        ? globSync('**/*', { cwd: path })
            .sort()
            .map((name) => join(path, name))
            .filter((file) => statSync(file).isFile())
        : [path];
      for (const file of paths) {
        if (/\.tar(\.|$)|\.tgz$/.test(file)) yield* entriesOf(plainFile(file));
        else yield plainFile(file);
      }
    },
    beside(name) {
      const found = [name, `${name}.gz`, `${name}.bz2`]
        .map((candidate) => join(folder, candidate))
        .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile());
      return found === undefined ? undefined : plainFile(found);
    },
  };
}

const plainFile = (path: string): SourceFile => ({
  name: basename(path).replace(/\.(gz|bz2)$/, ''),
  bytes: decompress(createReadStream(path)),
});

/** Files of a tar archive, in order. Names are only displayed: nothing is unpacked to disk. */
async function* entriesOf(archive: SourceFile): AsyncGenerator<SourceFile> {
  const extract = tar.extract();
  let failure: Error | undefined;
  const input = Readable.from(archive.bytes);
  input.on('error', (error) => {
    failure = error;
    extract.destroy(error);
  });
  input.pipe(extract);
  try {
    for await (const entry of extract) {
      if (entry.header.type === 'file')
        yield { name: entry.header.name, bytes: entry as AsyncIterable<Uint8Array> };
      entry.resume();
    }
  } catch (error) {
    if (failure instanceof SourceProblem) throw failure;
    throw new SourceProblem(
      `the archive ${archive.name} is damaged or truncated (${(error as Error).message})`,
      { cause: error },
    );
  } finally {
    input.destroy();
  }
}
