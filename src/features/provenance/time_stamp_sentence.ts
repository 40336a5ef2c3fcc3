import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import { quoteUntrusted } from './wording.ts';

/** Describes the time stamp of a manifest in one sentence, including why it is missing or invalid. */
export function timeStampSentence(stamp: TimeStampResult | undefined): string {
  if (!stamp || stamp.status === 'none') return stamp?.reason ?? 'Its time stamp was not checked.';
  if (stamp.status === 'invalid') return `Its time stamp is not valid. ${stamp.reason ?? ''}`.trim();
  const by = stamp.authority === null ? '' : ` by ${quoteUntrusted(stamp.authority)}`;
  const said = `It was time-stamped${by} at ${stamp.time}.`;
  return stamp.reason === undefined ? said : `${said} ${stamp.reason}`;
}
