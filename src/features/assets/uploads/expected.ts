import { hash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** Properties declared by the sender, to detect truncated or corrupted uploads. */
export interface Expected {
  /** 64 hex digits, lower case. */
  readonly sha256?: string | undefined;
  readonly sizeBytes?: number | undefined;
}

/**
 * @param what start of the sentence: "image", "The body"
 * @param bytes the bytes, or their number and sha256
 * @throws AtelierError bytes_differ, with the received values
 */
export function refuseOthers(
  what: string,
  bytes: Uint8Array | { readonly sizeBytes: number; readonly sha256: string },
  { sha256, sizeBytes }: Expected,
): void {
  const arrivedBytes = bytes instanceof Uint8Array ? bytes.length : bytes.sizeBytes;
  if (sizeBytes !== undefined && arrivedBytes !== sizeBytes) {
    throw differ(
      `${what} has ${arrivedBytes} bytes; expect_bytes says ${sizeBytes}. ${arrivedBytes < sizeBytes ? 'The transfer is incomplete.' : 'More bytes arrived than expected.'}`,
      { bytes: arrivedBytes },
    );
  }
  if (sha256 === undefined) return;
  const arrived = bytes instanceof Uint8Array ? hash('sha256', bytes, 'hex') : bytes.sha256;
  if (arrived === sha256) return;
  throw differ(`${what} has the sha256 ${arrived}; expect_sha256 says ${sha256}.`, {
    bytes: arrivedBytes,
    sha256: arrived,
  });
}

const differ = (detail: string, arrived: Record<string, unknown>): AtelierError =>
  new AtelierError('bytes_differ', `${detail} Nothing was stored. You were not charged.`, {
    members: { arrived },
  });
