import type { Webhooks } from '../webhooks/types.ts';
import type { ExaminedPicture, Match } from './types.ts';

/** Tells whoever registered a picture that somebody else has met it; never who. */
export const tellRegistrant =
  (tell: Webhooks['tell']) =>
  async (
    { wallet, kind, id, by, confidence }: Match,
    { control }: Pick<ExaminedPicture, 'control'>,
  ): Promise<void> => {
    if (wallet === null || kind !== 'registration' || control.callerKey === wallet) return;
    const data = { registration_id: id, by, confidence };
    await tell({ wallet, type: 'provenance.match_found', data });
  };
