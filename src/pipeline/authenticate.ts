import { MPP_HEADERS } from '../catalog/mpp_names.ts';
import { X402_HEADERS } from '../catalog/x402_names.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import type { Proof } from '../core/principal.ts';
import type { Limit } from '../features/definitions/tool.ts';
import type { OperatorIdentity, OperatorScope } from '../features/operator/types.ts';
import type { Ownership, SignedRequest } from '../features/wallets/ownership/types.ts';
import { invalidToken, otherSignerError } from './errors.ts';
import { limitRate } from './rate_limit.ts';
import type { Client, PipelineContext, PresentedPayments, Principal, X402Call } from './types.ts';

const WALLET = /^0[xX][0-9a-fA-F]{40}$/;
const TOKEN = /^atl_/;

/**
 * Returns the principal of a tool call. Everything that the request stores is counted against its wallet.
 * @throws AtelierError as `identify`
 */
export async function authenticate(
  context: PipelineContext,
  client: Client,
  { isPriced, x402, mpp, signIn }: PresentedPayments & { isPriced: boolean; signIn?: Proof | undefined },
): Promise<Principal> {
  const mustPay = isPriced && (x402 ?? mpp) === undefined;
  const identified = signIn
    ? await bySignature(signIn, client.bearer, context.services.ownership)
    : await identify(context, client, { mustPay });
  const principal = x402 ? await asSignerOf(context, identified, x402) : identified;
  attributeToWallet(context, principal.wallet);
  return principal;
}

/**
 * The principal of a request: its signer, or the subject of the bearer token: the address of an unlocked wallet, or a session or
 * key of this server. A free call ignores an unknown token: many clients send one header everywhere, and free calls need no
 * credentials.
 * @throws AtelierError invalid_token for any other payer, and for an invalid session or key; invalid_signature; wallet_mismatch
 * where signature and bearer belong to two wallets
 */
export async function identify(
  context: PipelineContext,
  client: Client,
  options: { mustPay: boolean },
): Promise<Principal> {
  const { bearer, signed } = client;
  const { ownership } = context.services;
  if (signed) return bySignature(await proofOfRequest(context, client, signed), bearer, ownership);
  if (bearer === undefined) return {};
  if (TOKEN.test(bearer)) {
    const proof = await ownership.proofOf(bearer);
    return { wallet: proof.wallet, proof };
  }
  if (!WALLET.test(bearer)) {
    if (options.mustPay) throw invalidToken();
    return {};
  }
  const wallet = bearer.toLowerCase();
  return (await ownership.lockedAt(wallet)) ? { lockedWallet: wallet } : { wallet };
}

/**
 * Without a bearer, the signer of the payment is the principal, as if its address had been sent; this is
 * enough for an unlocked wallet. A payment does not name the call, so it proves no intent to make this call
 * and gives no access to a locked wallet.
 */
async function asSignerOf(
  { services: { ownership } }: PipelineContext,
  principal: Principal,
  x402: X402Call,
): Promise<Principal> {
  if (!x402.payment.isPayerProved || principal.wallet || principal.lockedWallet) return principal;
  const wallet = x402.payment.payer;
  return (await ownership.lockedAt(wallet)) ? { lockedWallet: wallet } : { wallet };
}

const proofOfRequest = (context: PipelineContext, client: Client, signed: SignedRequest): Promise<Proof> =>
  limitProofs(context, client, () => context.services.ownership.proofOfRequest(signed));

/**
 * Recovering a signer takes 2 ms, and a call to a chain takes longer: both are counted, whatever the outcome.
 */
export async function limitProofs(
  context: PipelineContext,
  client: Client,
  verify: () => Promise<Proof>,
): Promise<Proof> {
  const limit: Limit = {
    name: 'signed-requests',
    calls: 600,
    perSeconds: 60,
    by: 'address',
    failuresCount: true,
  };
  const { proof } = await limitRate(context, [limit], { client, principal: {} }, async () => ({
    headers: {},
    proof: await verify(),
  }));
  return proof;
}

/** A key beside the signature keeps its limits; the wallet's own address is redundant; any other bearer is a client error. */
async function bySignature(
  proof: Proof,
  bearer: string | undefined,
  ownership: Pick<Ownership, 'proofOf'>,
): Promise<Principal> {
  const { wallet } = proof;
  const token = bearer !== undefined && TOKEN.test(bearer) ? await ownership.proofOf(bearer) : undefined;
  const named =
    token?.wallet ?? (bearer !== undefined && WALLET.test(bearer) ? bearer.toLowerCase() : wallet);
  if (named !== wallet) throw otherSignerError(wallet, named);
  return { wallet, proof: token?.key ? token : proof };
}

/** Key of the limits: the wallet, else the network address. */
export const callerKey = (address: string, wallet: string | undefined): string => wallet ?? `ip:${address}`;

/** Also counts everything that the request stores from now on against the wallet. */
export function attributeToWallet({ requestScopes }: PipelineContext, wallet: string | undefined): void {
  const scope = requestScopes.current();
  if (scope) scope.wallet = wallet;
}

/** Limit on invalid tokens; valid ones are not counted. */
const ATTEMPTS: Limit = {
  name: 'operator-attempts',
  calls: 30,
  perSeconds: 300,
  by: 'address',
  failuresCount: true,
};

/**
 * The operator, where the bearer is an operator token with the scope.
 * @throws AtelierError operator_required; operator_denied for one without the scope; rate_limited after too many wrong ones
 */
export async function requireOperator(
  context: PipelineContext,
  client: Client,
  scope: OperatorScope,
): Promise<OperatorIdentity> {
  const { bearer } = client;
  if (bearer === undefined) throw new AtelierError('operator_required');
  const identify = async () => ({ headers: {}, operator: await context.services.operators.identify(bearer) });
  const counting = { client, principal: {}, counts: () => false };
  const { operator } = await limitRate(context, [ATTEMPTS], counting, identify);
  if (operator.scopes.includes(scope)) return operator;
  throw new AtelierError(
    'operator_denied',
    `This operation requires the scope "${scope}"; ${operator.who} has ${operator.scopes.join(', ')}.`,
  );
}

/**
 * Like `requireOperator`, for operations that are open to other clients too: returns false for a client
 * without an operator token.
 */
export async function isOperator(
  context: PipelineContext,
  client: Client,
  scope: OperatorScope,
): Promise<boolean> {
  try {
    await requireOperator(context, client, scope);
    return true;
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'operator_required') return false;
    throw error;
  }
}

/** The token of a Bearer header. Any other scheme is returned whole, so that the error can name it. */
export function bearerOf(header: string | null): string | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  return /^bearer\s/i.test(text) ? text.slice(7).trim() : text;
}

const PAYMENT = /^payment\s+/i;

/** Contents of an Authorization header: a credential, a payment of the Payment scheme, or both. */
export function authorizationIn(headers: Headers): {
  bearer?: string | undefined;
  mppCredential?: string | undefined;
} {
  const sent = headers.get(MPP_HEADERS.credential);
  const parts = sent?.split(',').map((part) => part.trim()) ?? [];
  const payment = parts.find((part) => PAYMENT.test(part));
  if (payment === undefined) return { bearer: bearerOf(sent) };
  const others = parts.filter((part) => part !== payment).join(', ');
  return { bearer: bearerOf(others), mppCredential: payment.replace(PAYMENT, '').trim() };
}

/** The payment of a request; its text is not validated yet. */
export const x402PaymentIn = (headers: Headers): string | undefined =>
  headers.get(X402_HEADERS.payment[2])?.trim() || headers.get(X402_HEADERS.payment[1])?.trim() || undefined;

/** The signed challenge of a request; its text is not validated yet. */
export const signInIn = (headers: Headers): string | undefined =>
  headers.get(X402_HEADERS.signIn)?.trim() || undefined;
