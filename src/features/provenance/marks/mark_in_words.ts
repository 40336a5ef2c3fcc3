import type { MarkJudgement } from './types.ts';

/** What is known of who made a mark and for which picture, for a person. */
export function markInWords({
  standing,
  signer,
  signedAt,
  share = 0,
  isExact,
}: Omit<MarkJudgement, 'sentence'>): string {
  const by = signer === undefined ? 'Made here by somebody who is not named' : `Signed by ${signer}`;
  const on = signedAt === undefined ? '' : ` on ${signedAt.toISOString().slice(0, 10)}`;
  const percent = Math.round(100 * share);
  switch (standing) {
    case 'bound':
      return `${by}${on}, on this picture${isExact ? ', of which not one sample has changed' : ''}.`;
    case 'part':
      return `${by}${on}, on a picture that ${percent} % of this one looks like: a part was changed, or it was put together with something else.`;
    case 'moved':
      return `Moved from another picture: this mark was made${on} for one that looks different, and says nothing about this one.`;
    case 'other_payload':
      return 'The id of this mark was made for another text: it was copied, and says nothing about this picture.';
    case 'unclear':
      return `${by}${on}, but too little is to be seen here to tell whether on this picture.`;
    case 'plain':
      return 'A plain mark: nothing here binds it to a picture or a wallet, and anybody may have embedded this text.';
  }
}
