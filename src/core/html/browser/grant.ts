/** Grants or refuses a requested key. */
import { findElement } from './find_element.ts';
import { askToSign } from './sign.ts';

const DAY_MS = 86_400_000;

const { id } = findElement('form', HTMLFormElement).dataset;
const field = (name: string) => findElement(`#${name}`, HTMLInputElement);
const [wallet, total, daily, tools, days] = ['wallet', 'total', 'daily', 'tools', 'days'].map(field) as [
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
  HTMLInputElement,
];
const numberIn = ({ value }: HTMLInputElement): number | null => (value.trim() === '' ? null : Number(value));

askToSign({
  address: `/api/wallet/key-requests/${id}`,
  wallet: () => wallet.value.trim(),
  found: (account) => {
    wallet.value = account;
  },
  terms: () => {
    const names = tools.value.split(/[\s,]+/).filter(Boolean);
    return {
      wallet: wallet.value.trim(),
      max_credits: numberIn(total),
      max_credits_per_day: numberIn(daily),
      tools: names.length > 0 ? names : null,
      files: field('files').checked,
      expires_at: new Date(Date.now() + Number(days.value) * DAY_MS).toISOString(),
    };
  },
  granted: 'Key granted. Return to your assistant: it can now retrieve the key once.',
  refused: 'Refused. No key was created.',
});
