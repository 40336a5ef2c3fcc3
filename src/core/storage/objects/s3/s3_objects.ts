import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuseFullDisk } from '../../blobs/disk.ts';
import { OBJECT_BYTES_MAX, PARTS_FROM_BYTES, UPLOAD_ABANDONED_MS } from '../limits.ts';
import type { FoundObject, Objects } from '../types.ts';
import type { Bucket } from './bucket.ts';
import type { Condemned } from './condemned.ts';
import { keepCondemnedAway } from './keep_condemned_away.ts';
import { LinkedBlob } from './linked_blob.ts';
import { metadataOf } from './metadata.ts';
import { removeCondemned } from './remove_condemned.ts';
import { storageUnavailable } from './s3_failure.ts';
import { sendParts } from './send_parts.ts';
import { StoredBlob } from './stored_blob.ts';

interface Parts {
  readonly bucket: Bucket;
  /** Names begin with it in the bucket: `prefix/blobs/`. Empty, or with a slash at its end. */
  readonly prefix: string;
  readonly condemned: Condemned;
  /** Callers may be sent to the store for what they open. */
  readonly isDirect: boolean;
  /** Folder for files that are made here before they are sent. */
  readonly outgoing: string;
}

/** How often bytes that do not have their hash are asked for. */
const READS_MAX = 3;

/** Objects in a bucket that many servers share. */
export function createS3Objects({ bucket, prefix, condemned, isDirect, outgoing }: Parts): Objects {
  const keyOf = (name: string) => `${prefix}${name}`;
  const write = async (name: string, bytes: Uint8Array) => {
    const key = keyOf(name);
    if (bytes.length > PARTS_FROM_BYTES) await sendParts(bucket, key, sourceOf(bytes));
    else await bucket.put(key, bytes, metadataOf(sha256Of(bytes)));
  };
  const list = async function* (folder = ''): AsyncGenerator<FoundObject> {
    for await (const { key, ...found } of bucket.list(keyOf(folder && `${folder}/`)))
      yield { name: key.slice(prefix.length), ...found };
  };
  return {
    kind: 's3',
    write,
    add: (name, bytes) => bucket.putNew(keyOf(name), bytes, metadataOf(sha256Of(bytes))),
    async replace(name, bytes) {
      await keepCondemnedAway({ bucket, condemned }, keyOf(name), () => write(name, bytes));
    },
    async make(name, fill) {
      await emptyOutgoing(outgoing);
      const path = join(outgoing, randomUUID());
      try {
        const made = await refuseFullDisk(() => fill(path));
        return { sizeBytes: await sendFile(bucket, keyOf(name), path), made };
      } finally {
        await rm(path, { force: true });
      }
    },
    sizeOf: async (name) => (await bucket.head(keyOf(name)))?.sizeBytes,
    read: (name) => readChecked(bucket, keyOf(name)),
    async open(name) {
      const found = await bucket.head(keyOf(name));
      if (!found) return undefined;
      const span = { start: 0, end: found.sizeBytes, etag: found.etag };
      return isDirect ? new LinkedBlob(bucket, keyOf(name), span) : new StoredBlob(bucket, keyOf(name), span);
    },
    remove: (name) => bucket.remove(keyOf(name)),
    removeIfOlder: (name, than) => removeCondemned({ bucket, condemned }, keyOf(name), than),
    list,
    async folders() {
      return (await Array.fromAsync(bucket.listFolders(prefix))).map((key) => key.slice(prefix.length, -1));
    },
    async removeFolder(name) {
      return bucket.removeAll(bucket.list(keyOf(`${name}/`)));
    },
  };
}

/** What a killed process has left there goes with the next file that is made. */
async function emptyOutgoing(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = Date.now() - UPLOAD_ABANDONED_MS;
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}

/** @returns how many bytes it has */
async function sendFile(bucket: Bucket, key: string, path: string): Promise<number> {
  const { size } = await stat(path);
  const file = await open(path);
  try {
    await sendParts(bucket, key, {
      sizeBytes: size,
      async sha256() {
        const hash = createHash('sha256');
        for await (const chunk of file.createReadStream({ start: 0, autoClose: false })) hash.update(chunk);
        return hash.digest('hex');
      },
      async read(start, end) {
        const bytes = Buffer.allocUnsafe(end - start);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
        if (bytesRead !== bytes.length) throw new Error(`${path} became shorter while it was sent`);
        return bytes;
      },
    });
  } finally {
    await file.close();
  }
  return size;
}

const sourceOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  sha256: async () => sha256Of(bytes),
  read: async (start: number, end: number) => bytes.subarray(start, end),
});

async function readChecked(bucket: Bucket, key: string): Promise<Uint8Array | undefined> {
  for (let reads = 1; ; reads += 1) {
    const found = await bucket.get(key, { bytesMax: OBJECT_BYTES_MAX });
    if (!found) return undefined;
    if (found.sha256 === undefined || found.sha256 === sha256Of(found.bytes)) return found.bytes;
    if (reads === READS_MAX)
      throw storageUnavailable(
        new Error(`${key} arrived ${reads} times without the sha256 it was kept with`),
      );
  }
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
