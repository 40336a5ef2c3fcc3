import { X402_HEADERS } from '../../catalogue/x402_names.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { TakenPayment, X402, X402Payment } from '../../services/x402/contract.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { Answer, Principal, CallKit, Payment, X402Call } from '../types.ts';
import type { SentCall } from '../receive.ts';
import { likelyPrice } from './price.ts';
import { withDemand, base64, resourceOf } from './payment_required.ts';

/**
 * The x402 payment of this call. Undefined where none came, x402 is off, or nothing has to be paid.
 * @throws AtelierError payment_malformed (400), payment_refused (402, with what to pay instead)
 */
export function readX402(kit: CallKit, { tool, raw, caller, mustPay }: SentCall): X402Call | undefined {
  if (!kit.x402 || caller.x402Payment === undefined || !mustPay) return undefined;
  try {
    return { service: kit.x402, payment: kit.x402.read(caller.x402Payment) };
  } catch (error) {
    throw withDemand(kit, tool, likelyPrice(tool, raw), error);
  }
}

/**
 * Without a bearer, whoever signed the payment is the caller, as if the address had been named: enough for a wallet that
 * is open. A payment names no call, so it is no proof of wanting this one, and opens no locked wallet.
 */
export async function actForPayer(
  { services: { ownership } }: CallKit,
  principal: Principal,
  x402: X402Call | undefined,
): Promise<Principal> {
  if (!x402?.payment.isPayerProved || principal.wallet || principal.lockedWallet) return principal;
  const wallet = x402.payment.payer;
  return (await ownership.lockedAt(wallet)) ? { lockedWallet: wallet } : { wallet };
}

/** Claims and verifies the payment; the call runs only afterwards. @throws AtelierError */
export async function holdX402(
  kit: CallKit,
  tool: AnyTool,
  { price, x402: { service, payment } }: { price: number; x402: X402Call },
): Promise<Payment> {
  const { name, summary } = tool;
  const withOffer = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw withDemand(kit, tool, price, error);
    });
  const purchase = {
    credits: price,
    tool: name,
    resource: resourceOf(kit.services, tool),
    description: summary,
  };
  const taken = await withOffer(service.take(payment, purchase));
  return {
    receipt: receiptOf(payment, taken),
    hold: taken.claim,
    settle: (kept, receipt) =>
      withOffer(service.settle(taken, kept, receipt)).catch((error: unknown) => {
        throw withFailedSettlement(payment, error);
      }),
    release: () => service.release(taken),
  };
}

function receiptOf({ token, payer }: X402Payment, { transferId, amount, creditBack }: TakenPayment) {
  return {
    method: 'x402',
    wallet: payer,
    network: token.network,
    asset: token.asset,
    amount,
    transaction_id: transferId,
    credit_back: creditBack / 1000,
  };
}

/** Where settling was refused, the 402 carries the protocol's own word for it too. */
function withFailedSettlement({ version, token, payer }: X402Payment, error: unknown): unknown {
  if (!(error instanceof AtelierError) || error.code !== 'payment_not_settled') return error;
  const { headers, members } = error.details;
  const network = version === 1 ? token.v1Network : token.network;
  const settlement = { success: false, errorReason: members?.reason, transaction: '', network, payer };
  const header = { [X402_HEADERS.settlement[version]]: base64(settlement) };
  return new AtelierError(error.code, error.message, {
    ...error.details,
    headers: { ...headers, ...header },
  });
}

/** What settling said of a call that was answered. */
export async function settlementHeaders(service: X402, { body }: Answer): Promise<Record<string, string>> {
  const id = (body.payment as { transaction_id?: unknown } | undefined)?.transaction_id;
  const receipt = typeof id === 'string' ? await service.receipt(id) : undefined;
  if (!receipt) return {};
  return { [X402_HEADERS.settlement[receipt.version]]: base64(receipt.settlement) };
}
