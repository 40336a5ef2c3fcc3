import { createHash } from 'node:crypto';
import { checkJws } from '@atelier/engines/soulmark/check_signature.ts';
import type { z } from 'zod';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Imported } from './contract.ts';
import { ARCHIVE_FORMAT, ARCHIVE_TYPE, ARCHIVE_VERSION } from './limits.ts';
import { claimsSchema, type Manifest, manifestSchema } from './manifest.ts';
import type { Parts } from './parts.ts';
import { archiveInvalid } from './read_tar.ts';

interface Checked {
  readonly manifest: Manifest;
  readonly trustedBy: Imported['trustedBy'];
  /** Of the manifest. */
  readonly sha256: string;
}

/**
 * Judges the head of an archive: whether it is one this server reads, of this wallet, signed over just this manifest, by a key somebody
 * answers for. @throws AtelierError archive_invalid, wallet_mismatch
 */
export async function checkArchive(
  parts: Parts,
  [text, signature]: readonly Buffer[],
  { wallet, signal }: { wallet: string; signal: AbortSignal },
): Promise<Checked> {
  const json = parse(text!);
  requireVersion(json);
  const manifest = read(manifestSchema, json, 'manifest.json');
  const sha256 = createHash('sha256').update(text!).digest('hex');
  const signed = checkJws(signature!.toString().trim(), ARCHIVE_TYPE);
  if (!signed) throw archiveInvalid('Its signature does not hold.');
  const claims = read(claimsSchema, signed.claims, 'The signature');
  if (claims.manifest_sha256 !== sha256)
    throw archiveInvalid('Its signature is for another manifest: it was altered.');
  if (claims.sub !== manifest.wallet || claims.iss !== manifest.server)
    throw archiveInvalid('Its signature is of another wallet or another server than its manifest.');
  if (manifest.wallet !== wallet)
    throw new AtelierError(
      'wallet_mismatch',
      `The archive is of ${manifest.wallet}, and this session is of ${wallet}. Import it with a session of its own wallet.`,
    );
  return {
    manifest,
    sha256,
    trustedBy: await whoAnswersFor(parts, signed.kid, { server: manifest.server, signal }),
  };
}

/** Said before anything else of it is looked at, for a version to come may look otherwise. */
function requireVersion(json: unknown): void {
  const { format, version } = Object(json) as { format?: unknown; version?: unknown };
  if (format !== ARCHIVE_FORMAT) throw archiveInvalid('Its manifest is not that of a wallet of Atelier.');
  if (version !== ARCHIVE_VERSION)
    throw archiveInvalid(
      `It is of version ${JSON.stringify(version)?.slice(0, 20)}, and this server reads version ${ARCHIVE_VERSION}.`,
    );
}

function parse(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    throw archiveInvalid('Its manifest is not JSON.');
  }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  throw archiveInvalid(`${what} is not as it has to be: ${issue?.path.join('.')} ${issue?.message}.`);
}

/** @throws AtelierError archive_invalid */
async function whoAnswersFor(
  { receipts, trustedKids, keysOf }: Parts,
  kid: string,
  { server, signal }: { server: string; signal: AbortSignal },
): Promise<Imported['trustedBy']> {
  const own = (await receipts.keys()).find((key) => key.kid === kid);
  if (own?.revoked?.reason === 'compromised')
    throw archiveInvalid(`The key ${kid} that signed it was stolen.`);
  if (own) return 'this_server';
  if (trustedKids.includes(kid)) return 'operator';
  const published = await keysOf(server, signal).catch((cause: unknown) => {
    throw archiveInvalid(
      `${server} could not be asked for its keys (${cause instanceof AtelierError ? cause.code : 'no answer'}). Try again when it answers; where it is gone, the operator of this server can answer for the key ${kid} with IMPORT_KEYS.`,
    );
  });
  const found = published.find((key) => key.kid === kid);
  if (!found) throw archiveInvalid(`${server} does not publish the key ${kid} that signed it.`);
  if (found.revoked !== undefined)
    throw archiveInvalid(`${server} has revoked the key ${kid} that signed it.`);
  return 'its_server';
}
