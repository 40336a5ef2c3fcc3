import { noTimeStamp, type TimeStampResult } from '../timestamp/result.ts';
import { tokenInResponse } from '../timestamp/token_in_response.ts';
import { type TokenCheck, verifyTimeStamp } from '../timestamp/verify_token.ts';
import { readCose, stampedStructure } from './cose.ts';
import { contentIn, manifestsIn } from './jumbf.ts';
import { manifestStoreIn } from './manifest_store.ts';

const SIGNATURE = ['c2pa.signature'];
const CLAIMS = ['c2pa.claim', 'c2pa.claim.v2'];

/**
 * The time stamp of the signature of the active manifest in a picture (C2PA 2.2, 10.3.2.5), checked. Throws nothing: a manifest without
 * one, or where none can be looked for, has the status `none` with the reason.
 */
export function readTimeStamp(
  picture: Uint8Array,
  { id, state }: { readonly id?: string; readonly state: string },
  check: Omit<TokenCheck, 'message'>,
): TimeStampResult {
  const store = manifestStoreIn(picture);
  const active = store && manifestsIn(store)?.at(-1);
  const signature = active && active.id === id ? contentIn(active, SIGNATURE) : undefined;
  const cose = signature && readCose(signature);
  if (!active || !cose)
    return noTimeStamp(
      'No time stamp was looked for: the manifest cannot be taken out of this file for certain.',
    );
  if (cose.hasMalformedTimeStamp) return invalid('The time stamp of the manifest is damaged.');
  if (!cose.timeStamp) return noTimeStamp('The manifest has no time stamp.');
  if (state !== 'valid')
    return invalid(
      'The manifest does not hold for this file, so its time stamp says nothing about the file.',
    );
  const { version, value } = cose.timeStamp;
  const payload = version === 2 ? cose.signature : contentIn(active, CLAIMS);
  if (!payload) return invalid('The claim that the time stamp is made for was not found.');
  const token = version === 2 ? value : responseToken(value);
  if (!token) return invalid('The time stamp of the manifest is damaged.');
  return verifyTimeStamp(token, { ...check, message: stampedStructure(cose.headers, payload, version) });
}

/** Version 1 stores the whole response of the authority. */
function responseToken(response: Uint8Array): Uint8Array | undefined {
  try {
    return tokenInResponse(response);
  } catch {
    return undefined;
  }
}

const invalid = (reason: string): TimeStampResult => ({
  time: null,
  authority: null,
  status: 'invalid',
  reason,
});
