import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import unbzip2 from 'unbzip2-stream';
import { DATASET_FILE_BYTES_MAX, DATASET_INFLATION_GRACE_BYTES, DATASET_INFLATION_MAX } from '../limits.ts';
import { SourceProblem } from './source_problem.ts';

/** Each chunk is a round through the event loop. */
const CHUNK_BYTES = 256 * 1024;

/**
 * The plain bytes of a file that may be gzip or bzip2, told by its first bytes.
 * @throws SourceProblem where it is broken off, damaged, or inflates beyond all reason
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
          `it holds ${Math.round(plain / 1e6)} MB and more in ${Math.round(compressed / 1e6)} MB, which no catalogue does`,
        );
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof SourceProblem || !inflater) throw error;
    throw new SourceProblem(`its compression is damaged or broken off (${(error as Error).message})`, {
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
  // unbzip2 is no stream that can be iterated over.
  const output = new PassThrough();
  pipeline(Readable.from(bytes), inflater, output, () => {});
  yield* output;
}

/** The first chunk to look at, and everything including it. */
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
