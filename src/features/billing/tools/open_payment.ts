import type { z } from 'zod';
import { packOrder, packsFor } from '../../../catalog/packs.ts';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { highestPrice, priceOf } from '../../definitions/price.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { PaymentNeeds, paymentState } from './payment_state.ts';

interface Wish {
  readonly way: 'credits' | 'call' | 'key';
  readonly tool?: string | undefined;
  readonly params?: Record<string, unknown> | undefined;
  readonly credits?: number | undefined;
  readonly wallet?: string | undefined;
  readonly name: string;
  /** Who is counted. */
  readonly askedBy: string;
  readonly requestedBy: string;
}

type Opened = z.input<typeof paymentState>;

/** Opens what a person can pay or grant. @throws AtelierError unknown_tool, tool_is_free, invalid_input, upstream_failed */
export function openPayment(wish: Wish, services: PaymentNeeds): Promise<Opened> {
  const tool = wish.tool === undefined ? undefined : paidTool(services, wish.tool);
  if (wish.way === 'key') return askForKey(wish, tool, services);
  return wish.way === 'call' ? openIntent(wish, tool, services) : openCheckout(wish, tool, services);
}

async function openCheckout(
  { credits, wallet, params, requestedBy }: Wish,
  tool: AnyTool | undefined,
  { payments }: PaymentNeeds,
): Promise<Opened> {
  if (wallet === undefined) {
    throw invalidField(
      'wallet',
      'wallet is missing: name the one that gets the credits. register_wallet opens one for an EVM address and brings 10 free credits.',
    );
  }
  const { id, quantity } = packsFor(credits ?? (tool ? priceOfCall(tool, params) : 1));
  const order = packOrder(id, quantity);
  const started = await payments.startCheckout({ ...order, wallet, requestedBy });
  return {
    state: 'waiting',
    way: 'credits',
    code: started.id,
    url: started.url,
    what_now: 'Give the person the link. When it is paid, send `payer` with the address of the wallet.',
    amount_usd: order.amountCents / 100,
    buys_credits: order.amount / MILLICREDITS_PER_CREDIT,
    wallet,
    livemode: payments.takes?.livemode ?? false,
    expires_at: started.expiresAt.toISOString(),
  };
}

async function openIntent(
  { wallet, params }: Wish,
  tool: AnyTool | undefined,
  { payments }: PaymentNeeds,
): Promise<Opened> {
  if (!tool) throw invalidField('tool', 'tool is missing: name the one whose calls are to be paid.');
  const price = priceOfCall(tool, params) * MILLICREDITS_PER_CREDIT;
  const { intent, payUrl } = await payments.createIntent({ tool: tool.name, price, quantity: 1, wallet });
  return {
    state: 'waiting',
    way: 'call',
    code: intent.id,
    url: payUrl,
    what_now: `Give the person the link. When it is paid, call ${tool.name} with this code as \`payer\`: it pays ${Math.floor(intent.amount / price)} such calls.`,
    amount_usd: intent.amountCents / 100,
    ...(wallet !== undefined && { wallet }),
    livemode: intent.livemode,
    expires_at: intent.expiresAt.toISOString(),
  };
}

async function askForKey(
  { name, credits, askedBy }: Wish,
  tool: AnyTool | undefined,
  { consents, site }: PaymentNeeds,
): Promise<Opened> {
  const maxTotal = credits === undefined ? undefined : credits * MILLICREDITS_PER_CREDIT;
  const tools = tool && [tool.name];
  const withFiles = /^assets:/.test(tool?.reaches ?? '');
  const { id, code, check, expiresAt } = await consents.requestKey({
    name,
    tools,
    withFiles,
    maxTotal,
    askedBy,
  });
  return {
    state: 'waiting',
    way: 'key',
    code,
    url: `${site.publicUrl}/grant/${id}`,
    check,
    what_now: `Give the person the link and the check ${check}; the page must show the same. When the key is given, ask here again with the code: it is handed out once.`,
    expires_at: expiresAt.toISOString(),
  };
}

function paidTool({ catalogue }: Pick<Services, 'catalogue'>, name: string): AnyTool {
  const tool = catalogue.find(name);
  if (!tool) throw unknownTool(catalogue, name);
  if (highestPrice(tool.price) > 0) return tool;
  throw new AtelierError('tool_is_free', `${name} is free: call it without any payment.`);
}

/** Credits; the most it can cost where the parameters do not say. */
function priceOfCall({ price }: AnyTool, params: Record<string, unknown> = {}): number {
  const listed = price.kind === 'by' ? price.credits[String(params[price.field])] : priceOf(price, params);
  return listed || highestPrice(price);
}
