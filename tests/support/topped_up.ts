/** Registers a wallet and buys it a pack with a test card, without real money. */
export async function toppedUp(
  // biome-ignore lint/suspicious/noExplicitAny: answers of a service, in this process or another
  post: (path: string, body: object) => Promise<{ body: any } | undefined>,
  wallet: string,
): Promise<void> {
  await post('/api/wallet/register', { wallet });
  const checkout = await post('/api/credits/checkout', { wallet, pack: 'studio' });
  await post('/api/dev/pay-checkout', { session_id: checkout!.body.session_id });
}
