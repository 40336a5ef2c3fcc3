import { createHash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** What a sender says its bytes are, so that what was lost or changed on the way is noticed. */
export interface Expected {
  /** 64 hex digits, lower case. */
  readonly sha256?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/** @param what begins the sentence: "image", "The body" @throws AtelierError bytes_differ, with what arrived */
export function refuseOthers(what: string, bytes: Uint8Array, { sha256, sizeBytes }: Expected): void {
  if (sizeBytes !== undefined && bytes.length !== sizeBytes) {
    throw differ(
      `${what} has ${bytes.length} bytes; expect_bytes says ${sizeBytes}. ${bytes.length < sizeBytes ? 'It broke off on its way.' : 'More arrived than was meant.'}`,
      { bytes: bytes.length },
    );
  }
  if (sha256 === undefined) return;
  const arrived = createHash('sha256').update(bytes).digest('hex');
  if (arrived === sha256) return;
  throw differ(`${what} has the sha256 ${arrived}; expect_sha256 says ${sha256}.`, {
    bytes: bytes.length,
    sha256: arrived,
  });
}

const differ = (detail: string, arrived: Record<string, unknown>): AtelierError =>
  new AtelierError('bytes_differ', `${detail} Nothing was kept or charged.`, { members: { arrived } });
