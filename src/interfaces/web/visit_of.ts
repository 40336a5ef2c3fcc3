import { MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { OperationCall } from '../../features/definitions/operation.ts';
import { identify } from '../../pipeline/authenticate.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';
import { cookieIn, themeIn } from './cookies.ts';
import type { Studio, Visit, Visitor } from './types.ts';
import { WALLET_COOKIE } from './wallet/wallet_cookie.ts';

/** The visit of a request, identified by cookies, with tool prices for this visitor. */
export async function visitOf(studio: Studio, call: OperationCall): Promise<Visit> {
  const visitor = await readVisitor(studio.context, callerOf(call), call.header('cookie'));
  const { prices } = studio.context.services;
  const tools = await prices.forWallet(studio.tools, visitor.wallet);
  const own = tools === studio.tools ? studio : { ...studio, tools };
  return { studio: own, visitor, call, caller: callerOf(call, visitor.bearer) };
}

const callerOf = (
  { requestId, address, signal, bearer: sent }: OperationCall,
  bearer: string | undefined = sent,
): Client => ({ requestId, address, signal, bearer });

/**
 * The visitor. An expired bearer makes an anonymous visitor, not an error: pages can be viewed without one.
 * @param cookies the Cookie header
 */
async function readVisitor(
  context: PipelineContext,
  caller: Client,
  cookies: string | undefined,
): Promise<Visitor> {
  const theme = themeIn(cookies);
  const bearer = cookieIn(cookies, WALLET_COOKIE);
  if (!bearer) return { theme };
  const principal = await identify(context, { ...caller, bearer }, { mustPay: false }).catch(anonymous);
  if (!principal?.wallet) return { theme, ...(principal?.lockedWallet && { bearer }) };
  const { wallet } = principal;
  const state = await context.services.wallets.find(wallet);
  return {
    theme,
    bearer,
    wallet,
    ...(principal.proof && !principal.proof.key && { isOwner: true as const }),
    ...(state && { credits: state.balance / MILLICREDITS_PER_CREDIT }),
  };
}

/** A rejected bearer token makes an anonymous visitor; server errors are rethrown. */
function anonymous(error: unknown): undefined {
  if (error instanceof AtelierError && error.status < 500) return undefined;
  throw error;
}
