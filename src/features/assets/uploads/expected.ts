import { createHash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** Properties declared by the sender, to detect truncated or corrupted uploads. */
export interface Expected {
  /** 64 hex digits, lower case. */
  readonly sha256?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/**
 * @param what start of the sentence: "image", "The body"
 * @param known the sha256 of the bytes, where it is known
 * @throws AtelierError bytes_differ, with the received values
 */
export function refuseOthers(
  what: string,
  bytes: Uint8Array,
  { sha256, sizeBytes }: Expected,
  known?: string,
): void {
  if (sizeBytes !== undefined && bytes.length !== sizeBytes) {
    throw differ(
      `${what} has ${bytes.length} bytes; expect_bytes says ${sizeBytes}. ${bytes.length < sizeBytes ? 'It broke off on its way.' : 'More arrived than was meant.'}`,
      { bytes: bytes.length },
    );
  }
  if (sha256 === undefined) return;
  const arrived = known ?? createHash('sha256').update(bytes).digest('hex');
  if (arrived === sha256) return;
  throw differ(`${what} has the sha256 ${arrived}; expect_sha256 says ${sha256}.`, {
    bytes: bytes.length,
    sha256: arrived,
  });
}

const differ = (detail: string, arrived: Record<string, unknown>): AtelierError =>
  new AtelierError('bytes_differ', `${detail} Nothing was kept or charged.`, { members: { arrived } });
