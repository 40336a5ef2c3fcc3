import type { Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';

/** Gives every page of a context a wallet (EIP-1193) whose owner signs every request. */
export async function giveWallet(page: Page, account: PrivateKeyAccount): Promise<void> {
  await page.exposeFunction('signForTest', (raw: `0x${string}`) => account.signMessage({ message: { raw } }));
  await page.addInitScript(`window.ethereum = {
    request: async ({ method, params }) => {
      if (method === 'eth_requestAccounts') return ['${account.address}'];
      if (method === 'personal_sign') return window.signForTest(params[0]);
      throw new Error(method + ' is not known to this wallet');
    },
  };`);
}
