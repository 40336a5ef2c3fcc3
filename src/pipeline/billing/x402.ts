import { X402_HEADERS } from '../../catalog/x402_names.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { TakenPayment, X402Payment } from '../../features/billing/x402/types.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { CallResponse, Payment, PipelineContext, ReceivedCall, X402Call } from '../types.ts';
import { base64, resourceOf, withPaymentRequirements } from './payment_required.ts';
import { expectedPrice } from './price.ts';

/**
 * The x402 payment of this call. Undefined where none came, x402 is off, or nothing has to be paid.
 * @throws AtelierError payment_malformed (400), payment_refused (402, with what to pay instead)
 */
export function readX402(
  context: PipelineContext,
  { tool, raw, client }: ReceivedCall,
): X402Call | undefined {
  if (!context.x402 || client.x402Payment === undefined) return undefined;
  try {
    return { service: context.x402, payment: context.x402.read(client.x402Payment) };
  } catch (error) {
    throw withPaymentRequirements(context, tool, expectedPrice(tool, raw), error);
  }
}

/** Claims and verifies the payment; the call runs only afterwards. @throws AtelierError */
export async function holdX402(
  context: PipelineContext,
  tool: AnyTool,
  { price, x402: { service, payment } }: { price: number; x402: X402Call },
): Promise<Payment> {
  const { name, summary } = tool;
  const withOffer = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw withPaymentRequirements(context, tool, price, error);
    });
  const purchase = {
    credits: price,
    tool: name,
    resource: resourceOf(context.services, tool),
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

/** Where settling was refused, the 402 carries the protocol's own error reason too. */
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

/** The settlement of a call that succeeded, with the signed receipt of the protocol; equal for each repeat of the response. */
export async function settlementHeaders(
  { services }: PipelineContext,
  { tool, x402 }: { tool: AnyTool; x402: X402Call },
  { body }: CallResponse,
): Promise<Record<string, string>> {
  const { service, payment } = x402;
  const { transaction_id: id, receipt: jws } = (body.payment ?? {}) as {
    transaction_id?: unknown;
    receipt?: string;
  };
  const receipt = typeof id === 'string' ? await service.receipt(id) : undefined;
  if (!receipt) return {};
  const { token, payer } = payment;
  const extensions = service.offerReceipts?.receipt({
    resource: resourceOf(services, tool),
    network: token.network,
    payer,
    at: signedAt(jws),
  });
  const settlement = { ...receipt.settlement, ...(extensions && { extensions }) };
  return { [X402_HEADERS.settlement[receipt.version]]: base64(settlement) };
}

/** When a paid call was first answered, by its own receipt. @param jws absent where the call was not charged */
export function signedAt(jws: string | undefined): Date {
  const { iat } = JSON.parse(Buffer.from(jws?.split('.')[1] ?? '', 'base64url').toString() || '{}');
  return typeof iat === 'number' ? new Date(iat * 1000) : new Date();
}
