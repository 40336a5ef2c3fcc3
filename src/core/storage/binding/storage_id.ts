import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMissing } from '../blobs/disk.ts';
import { readOrCreateSecret } from '../blobs/secret_file.ts';
import type { RemoteStore } from '../objects/types.ts';

/** The id file or object beside the stored bytes, which identifies their database. */
export interface StorageIdLocation {
  /** For messages: `The folder DATA_DIR ./data`. */
  readonly name: string;
  /** How to make it available to this server, for messages. */
  readonly remedy: string;
  read(): Promise<string | undefined>;
  write(id: string): Promise<void>;
}

const NAME = 'storage_id';

/** Location of the storage id: the bucket if there is one, otherwise the folder. */
export const storageIdLocationOf = (dataDir: string, remote: RemoteStore | undefined): StorageIdLocation =>
  remote ? inBucket(remote) : inFolder(resolve(dataDir));

function inFolder(folder: string): StorageIdLocation {
  const path = join(folder, NAME);
  const read = () =>
    readFile(path, 'utf8').then(
      (text) => text.trim(),
      (error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      },
    );
  return {
    name: `the folder DATA_DIR ${folder}`,
    remedy:
      'Servers on one database must share one folder or bucket: set DATA_DIR to that folder, or STORAGE_URL to that bucket',
    read,
    async write(id) {
      if ((await read()) === '') await rm(path);
      await readOrCreateSecret(path, () => id);
    },
  };
}

const inBucket = ({ where, root }: RemoteStore): StorageIdLocation => ({
  name: `the bucket STORAGE_URL ${where}`,
  remedy:
    'Servers on one database must share one bucket: set STORAGE_URL to that bucket, move the files of a folder to it with atelier migrate',
  read: async () => {
    const bytes = await root.read(NAME);
    return bytes && Buffer.from(bytes).toString().trim();
  },
  // Not replaced atomically: `replace` queries the database, whose only session may be in a transaction now.
  async write(id) {
    await root.remove(NAME);
    await root.write(NAME, Buffer.from(id));
  },
});
