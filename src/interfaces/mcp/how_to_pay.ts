import { MCP_CLIENTS } from '../../catalog/mcp_clients.ts';
import type { NextStep } from '../../catalog/next_steps.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import { PAYER_KEY } from './meta_keys.ts';

const BEARER = 'Bearer <wallet or key>';

/** The same 402 with what to do in this client, instead of what is said of headers and bodies. */
export const payableHere = (
  { payment_options: _, next_steps: steps, ...problem }: Record<string, unknown>,
  client: string,
  options: Pick<ServerOptions, 'publicUrl'>,
): Record<string, unknown> => ({
  ...problem,
  next_steps: (steps as NextStep[]).filter(({ endpoint }) => endpoint !== CREATE_INTENT),
  how_to_pay: howToPay(client, options),
});

/** What request_payment does for whoever has tools and no headers. */
const CREATE_INTENT = 'POST /api/create-payment-intent';

/** What a model does about it, and what a person can set once so that there is none. */
function howToPay(client: string, { publicUrl }: Pick<ServerOptions, 'publicUrl'>): Record<string, unknown> {
  const known = MCP_CLIENTS.filter((one) => one.known.test(client));
  const shown = known.length > 0 ? known.slice(0, 1) : MCP_CLIENTS;
  return {
    now: 'Send the same call with "payer" beside its arguments: the address of an open wallet (register_wallet brings 10 free credits), a key, or a paid payment intent. Without any: call request_payment and give the person the link it answers.',
    meta: `_meta["${PAYER_KEY}"] says the same.`,
    person_once: 'With this in the configuration of the client every call is paid:',
    configuration: Object.fromEntries(
      shown.map(({ name, where, setting }) => [`${name}, ${where}`, setting(`${publicUrl}/mcp`, BEARER)]),
    ),
  };
}

/** What the client calls itself: in the request, where its revision of the protocol has that, else in the header of its program. */
export function clientOf({ headers }: Pick<Exchange, 'headers'>, meta: Record<string, unknown>): string {
  const info = meta['io.modelcontextprotocol/clientInfo'] as { name?: unknown } | undefined;
  return typeof info?.name === 'string' ? info.name : (headers.get('user-agent') ?? '');
}
