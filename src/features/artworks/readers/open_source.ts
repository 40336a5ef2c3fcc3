import { createReadStream, globSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import tar from 'tar-stream';
import { decompress } from './decompress.ts';
import { SourceProblem } from './source_problem.ts';

/** One plain file of what a museum publishes. Its bytes can be read once, before the next file is asked for. */
export interface SourceFile {
  /** Path inside the folder or archive. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** What a museum publishes, on this machine: a file, a folder of files, or an archive. */
export interface Source {
  readonly path: string;
  /** All files, one after the other. */
  files(): AsyncGenerator<SourceFile>;
  /** The file of that name beside the given one, compressed or not. */
  beside(name: string): SourceFile | undefined;
}

/** @throws SourceProblem where nothing is there */
export function requireSource(path: string): Stats {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) throw new SourceProblem(`There is no file ${path}.`);
  return stats;
}

/** @throws SourceProblem where nothing is there */
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

/** Files of a tar archive in their order. Names are only shown: nothing is ever unpacked to the disk. */
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
      `the archive ${archive.name} is damaged or broken off (${(error as Error).message})`,
      { cause: error },
    );
  } finally {
    input.destroy();
  }
}
