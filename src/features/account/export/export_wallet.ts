import { createHash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { StoredBytes } from '../../../core/storage/blobs/types.ts';
import type { Parts } from './deps.ts';
import { ARCHIVE_FORMAT, ARCHIVE_TYPE, ARCHIVE_VERSION, MANIFEST_BYTES_MAX } from './limits.ts';
import { filesOf, HEAD_NAMES, type Manifest } from './manifest.ts';
import { readRecords } from './records.ts';
import { selectAssets } from './store.ts';
import type { Leaving } from './types.ts';
import { type TarEntry, writeTar } from './write_tar.ts';

/** @see Leaving.exportWallet */
export async function exportWallet(parts: Parts, wallet: string): ReturnType<Leaving['exportWallet']> {
  const { database, signer, publicUrl, clock } = parts;
  const at = clock();
  const records = await readRecords(database, wallet, at);
  const manifest: Manifest = {
    ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, wallet },
    ...{ server: publicUrl, exported_at: at.toISOString() },
    assets: await selectAssets(database, wallet),
    records: records.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
  };
  const text = Buffer.from(JSON.stringify(manifest));
  if (text.length > MANIFEST_BYTES_MAX) throw tooMuch();
  const sha256 = createHash('sha256').update(text).digest('hex');
  const claims = {
    ...{ iss: publicUrl, sub: wallet, iat: Math.floor(at.getTime() / 1000) },
    manifest_sha256: sha256,
  };
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: signer.publicKey.x };
  const head = [text, Buffer.from(signer.sign(ARCHIVE_TYPE, claims, { jwk }))];
  const textOfRecord = new Map(records.map(({ name, read }) => [`records/${name}`, read]));
  async function* entries(): AsyncGenerator<TarEntry> {
    for (const [place, name] of HEAD_NAMES.entries())
      yield { name, size: head[place]!.length, bytes: [head[place]!] };
    for (const [name, { sha256, bytes: size }] of filesOf(manifest)) {
      const read = textOfRecord.get(name);
      const blob = read
        ? new Blob([(await read()) as Uint8Array<ArrayBuffer>])
        : await parts.blobs.open(sha256);
      yield { name, size, bytes: checked(blob, { name, sha256 }) };
    }
  }
  return { sha256, chunks: () => writeTar(entries(), at) };
}

/** Ends with a failure, and the archive in the middle, where bytes are no longer what its manifest says. */
async function* checked(
  blob: StoredBytes,
  { name, sha256 }: { name: string; sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of blob.stream() as unknown as AsyncIterable<Uint8Array>) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256)
    throw blob.reportDamage?.() ?? new Error(`${name} is no longer what the manifest says`);
}

const tooMuch = (): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    `The metadata of this wallet's assets is more than one archive lists (${MANIFEST_BYTES_MAX / 1024 / 1024} MiB). Save some of them again with less, then export.`,
  );
