/** Browser wallet (EIP-1193). */
export type EthereumWallet = { request(call: { method: string; params?: unknown[] }): Promise<unknown> };

/** Undefined if the browser has no wallet. */
export const browserWallet = (): EthereumWallet | undefined =>
  (window as { ethereum?: EthereumWallet }).ethereum;

/** The account that the user selects. */
export const askAccount = async (wallet: EthereumWallet): Promise<string | undefined> =>
  ((await wallet.request({ method: 'eth_requestAccounts' })) as string[])[0];

/** An EIP-191 signature of a text, by `personal_sign`. */
export const signText = async (wallet: EthereumWallet, account: string, text: string): Promise<string> =>
  (await wallet.request({ method: 'personal_sign', params: [hexOf(text), account] })) as string;

const hexOf = (text: string): string =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;

/** Wallets throw objects of their own; 4001 means that the user declined. */
export function wordsOfWallet(error: unknown): string {
  const { code, message } = error as { code?: number; message?: string };
  return code === 4001
    ? 'You declined to sign. Nothing has changed.'
    : (message ?? 'No response from the wallet. Try again.');
}
