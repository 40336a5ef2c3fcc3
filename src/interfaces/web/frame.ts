import type { Frame } from '../../core/html/html_page.ts';
import type { AnyPage, Studio, Visitor } from './types.ts';

/** Header and footer of a studio page for this visitor. */
export function frameOf(
  { version, publicUrl }: Pick<Studio, 'version' | 'publicUrl'>,
  visitor: Visitor,
  { room, path }: Partial<Pick<AnyPage, 'room' | 'path'>> = {},
): Frame {
  return {
    room,
    theme: visitor.theme,
    account: { label: accountLabel(visitor), path: '/wallet' },
    isOperator: path?.startsWith('/operate'),
    publicUrl,
    server: `Atelier ${version} on ${new URL(publicUrl).host}`,
  };
}

function accountLabel({ wallet, credits }: Visitor): string {
  if (credits !== undefined) return creditsLabel(credits);
  return wallet ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : 'Wallet';
}

/** "1 credit", "8 credits", "0.5 credits" */
export const creditsLabel = (credits: number): string => `${credits} ${credits === 1 ? 'credit' : 'credits'}`;
