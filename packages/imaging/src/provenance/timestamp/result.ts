/**
 * What an RFC 3161 time stamp says about a signature, a tree head or another message, and how far it was checked.
 * `none` stands for a message without a time stamp, so that a missing one is always reported.
 */
export interface TimeStampResult {
  /** Time of the stamp by the clock of the authority, ISO 8601 in UTC; null where the stamp is missing or invalid. */
  readonly time: string | null;
  /** Name of the authority in its certificate, at most 200 characters; null where no certificate could be read. */
  readonly authority: string | null;
  /**
   * - `trusted`: sound, and issued under a certificate of the trust list.
   * - `untrusted`: sound, but its authority is not on the trust list, or no list is configured.
   * - `invalid`: made for another message, damaged, wrongly signed, or outside the validity of its certificates.
   * - `none`: there is no time stamp.
   */
  readonly status: 'trusted' | 'untrusted' | 'invalid' | 'none';
  /** Why the status is not `trusted`: one sentence for a person. */
  readonly reason?: string;
}

/** The result for a message without a time stamp. @param reason a sentence */
export const noTimeStamp = (reason: string): TimeStampResult => ({
  time: null,
  authority: null,
  status: 'none',
  reason,
});
