import { isIP } from 'node:net';
import { MAINTENANCE_RETRY_SECONDS } from '../core/cluster/maintenance/watch_maintenance.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import type { Scope } from '../core/principal.ts';
import { ImageText } from '../features/definitions/images_in.ts';
import { isReadOnly } from '../features/definitions/is_read_only.ts';
import type { AnyOperation } from '../features/definitions/operation.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { proofRequired, walletLocked } from './errors.ts';
import { LongText } from './request_json.ts';
import type { Client, PageOrigin, PaymentMethod, PipelineContext, Principal, ReceivedCall } from './types.ts';

/**
 * A payment made for this call precedes the credits of a wallet.
 * @returns undefined where no payment is present
 */
export function choosePaymentMethod(
  { x402, mpp }: PipelineContext,
  client: Client,
  wallet: string | undefined,
): PaymentMethod | undefined {
  if (x402 && client.x402Payment !== undefined) return 'x402';
  if (mpp && client.mppCredential !== undefined) return 'mpp';
  if (client.paymentIntent !== undefined) return 'card';
  return wallet === undefined ? undefined : 'credits';
}

/** A payment that came with the call itself, so that nothing is taken from a wallet. */
export const isOwnPayment = (
  method: PaymentMethod | undefined,
): method is Exclude<PaymentMethod, 'credits'> => method !== undefined && method !== 'credits';

/**
 * Whether the principal may call this tool at all, before the input is validated.
 * @throws AtelierError scope_denied for a key made for other things; wallet_locked where a locked wallet is to pay
 */
export async function requireToolAllowed(
  context: PipelineContext,
  { tool, mustPay }: Pick<ReceivedCall, 'tool' | 'mustPay'>,
  { principal, method }: { principal: Principal; method: PaymentMethod | undefined },
): Promise<void> {
  const { proof, lockedWallet } = principal;
  if (proof?.key?.tools && !proof.key.tools.includes(tool.name)) {
    await refuseKey(context, principal, `This key may only call ${proof.key.tools.slice(0, 10).join(', ')}.`);
  }
  // A call that brings its own payment takes nothing from the wallet.
  if (!mustPay || isOwnPayment(method)) return;
  await requireScope(context, principal, 'spend');
  if (lockedWallet) await refuseLocked(context, lockedWallet, tool.name, 'pay');
}

/**
 * Stored files of a wallet are public until its owner locks it; from then on access requires proof of ownership.
 * @param wallet as named in the input; default: the principal's own
 * @throws AtelierError wallet_locked, scope_denied
 */
export async function requireWalletAccess(
  context: PipelineContext,
  reaches: Scope | undefined,
  { principal, wallet, about }: { principal: Principal; wallet: unknown; about: string },
): Promise<void> {
  if (reaches === undefined) return;
  const named = typeof wallet === 'string' ? wallet : (principal.wallet ?? principal.lockedWallet);
  if (named === undefined) return;
  if (principal.proof?.wallet === named) return requireScope(context, principal, reaches);
  // Named without proof: `authenticate` has just checked that the wallet is unlocked.
  if (principal.wallet === named) return;
  if (principal.lockedWallet === named || (await context.services.ownership.lockedAt(named)))
    await refuseLocked(context, named, about, WORDS[reaches]);
}

const WORDS: Record<Scope, string> = {
  spend: 'pay',
  'assets:read': 'read its files',
  'assets:write': 'change its files',
  'account:read': 'show its account',
};

/** `asset:<key>` in an image field reads from the principal's own wallet. @throws AtelierError wallet_locked, scope_denied */
export async function requireAssetAccess(
  context: PipelineContext,
  input: Record<string, unknown>,
  { principal, about }: { principal: Principal; about: string },
): Promise<void> {
  if (Object.values(input).some(namesAsset))
    await requireWalletAccess(context, 'assets:read', { principal, wallet: undefined, about });
}

const HANDLE = /^\s*asset:/i;

/** Surrounding white space is ignored in handles. */
function namesAsset(value: unknown): boolean {
  if (typeof value === 'string') return HANDLE.test(value);
  if (value instanceof LongText) return HANDLE.test(value.beginning(10));
  if (value instanceof ImageText) return namesAsset(value.text);
  if (typeof value !== 'object' || value === null) return false;
  // Layers and lists of files contain images inside objects.
  return Object.values(value).some(namesAsset);
}

/**
 * Requires that the principal may make this call of a tool: as owner, for the wallet it reaches, and for every asset it names.
 * @throws AtelierError proof_required, wallet_locked, scope_denied
 */
export async function requireCallAccess(
  context: PipelineContext,
  { tool, input }: { tool: AnyTool; input: Record<string, unknown> },
  principal: Principal,
): Promise<void> {
  await requireOwnerOfCall(context, { tool, input }, principal);
  const about = tool.name;
  await requireWalletAccess(context, reachOf(tool, input), { principal, wallet: input.wallet, about });
  await requireAssetAccess(context, input, { principal, about });
}

/** Whether a quote may show the balance: not to a key with neither the spend nor the account scope. */
export const knowsBalance = ({ proof }: Principal): boolean =>
  proof?.key?.scopes.some((scope) => scope === 'spend' || scope === 'account:read') ?? true;

/** The resources of a wallet that this call of a tool accesses. */
export const reachOf = (
  { reaches }: Pick<AnyTool, 'reaches'>,
  input: Record<string, unknown>,
): Scope | undefined => (typeof reaches === 'function' ? reaches(input) : reaches);

/**
 * Like `requireOwner`, for tools whose call is reserved for the owner. @throws AtelierError proof_required,
 * scope_denied for a key
 */
export async function requireOwnerOfCall(
  context: PipelineContext,
  { tool, input }: { tool: Pick<AnyTool, 'ownerOnly'>; input: Record<string, unknown> },
  principal: Principal,
): Promise<void> {
  if (tool.ownerOnly?.(input)) await requireOwner(context, principal);
}

/**
 * Requires proof of ownership of the principal's wallet. @throws AtelierError proof_required, scope_denied
 * for a key
 */
export async function requireOwner(context: PipelineContext, principal: Principal): Promise<void> {
  if (principal.proof && !principal.proof.key) return;
  if (principal.proof)
    await refuseKey(context, principal, 'A key cannot manage its wallet; only a session of the owner can.');
  throw proofRequired(principal.wallet ?? principal.lockedWallet);
}

async function requireScope(context: PipelineContext, principal: Principal, scope: Scope): Promise<void> {
  const key = principal.proof?.key;
  if (!key || key.scopes.includes(scope)) return;
  await refuseKey(
    context,
    principal,
    `This key lacks the scope "${scope}"; it has ${key.scopes.join(', ')}.`,
  );
}

async function refuseKey(
  { services }: PipelineContext,
  { proof }: Principal,
  detail: string,
): Promise<never> {
  if (proof) await services.ownership.record(proof.wallet, 'refused_scope', proof.key?.id);
  throw new AtelierError('scope_denied', detail);
}

async function refuseLocked(
  { services }: PipelineContext,
  wallet: string,
  about: string,
  what: string,
): Promise<never> {
  await services.ownership.record(wallet, 'refused_locked', about);
  throw walletLocked(wallet, what);
}

/**
 * Reads Origin and the fields of Fetch Metadata, which pages cannot forge.
 * @param isPrivate the server is on a machine or in a local network, and pages of other sites may not call it. A public server takes
 * calls from all pages (CORS) and identifies its clients by their credentials.
 */
export function readPageOrigin(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { isPrivate, ...known }: KnownOrigins & { isPrivate: boolean },
): PageOrigin {
  const origin = headers.get('origin');
  if (origin !== null && isAllowedOrigin(origin, known, headers.get('host'))) return {};
  const isElsewhere = isFromOtherOrigin(headers.get('sec-fetch-site') ?? undefined);
  // A script or a redirect can navigate too; only a click or a typed address counts as the visitor's own
  // action.
  const isOpened = headers.get('sec-fetch-dest') === 'document' && headers.get('sec-fetch-user') === '?1';
  // Browsers send Origin with every POST of a page, but a proxy may remove it.
  const isUnnamedSender = isElsewhere && !/^(GET|HEAD)$/.test(method);
  const foreignPage = origin ?? (isUnnamedSender ? 'another origin' : undefined);
  return {
    ...(isPrivate && foreignPage !== undefined && { foreignPage }),
    ...(isElsewhere && !isOpened && { isPartOfPage: true }),
  };
}

/**
 * Whether a page of another origin caused a request (Fetch Metadata). `same-site` counts as another origin:
 * other ports of this machine, and sibling domains, which may have other owners.
 * @param site the value of Sec-Fetch-Site; undefined if the client is not a browser
 */
export const isFromOtherOrigin = (site: string | undefined): boolean =>
  /^(cross|same)-site$/.test(site ?? '');

/** @throws AtelierError forbidden_origin */
export function refuseForeignPage({ foreignPage }: Pick<Client, 'foreignPage'>): void {
  if (foreignPage === undefined) return;
  throw new AtelierError(
    'forbidden_origin',
    `Pages of ${foreignPage.slice(0, 200)} may only read public resources of this server.`,
  );
}

/**
 * Whether a use of an endpoint writes. Operations that accept POST write even by GET, as the specification
 * requires.
 */
export const writesBy = ({ methods }: Pick<AnyOperation, 'methods'>, method: string): boolean =>
  methods.includes('POST') || !/^(GET|HEAD)$/.test(method);

/**
 * Operations that accept POST write even by GET, as the specification requires, so an `<img>` in a page could
 * write.
 * @param isPrivate the response is for one client only
 * @throws AtelierError forbidden_origin
 */
export function refuseForeignOperation(
  operation: Pick<AnyOperation, 'methods'>,
  { client, method, isPrivate }: { client: Client; method: string; isPrivate: boolean },
): void {
  const writes = writesBy(operation, method);
  if (writes || isPrivate) refuseForeignPage(client);
  if (writes && method === 'GET' && client.isPartOfPage) {
    throw new AtelierError(
      'forbidden_origin',
      'A page of another site requested this URL, so nothing was written. Open the URL yourself, or send POST with JSON.',
    );
  }
}

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Origins of this server, and those that the operator allows. */
export interface KnownOrigins {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/**
 * Whether a page of this origin may call here. A page that rebinds its own name to this server still sends that name
 * as Origin, so a name in the Host header is never taken as proof. Requests without Origin do not come from a page.
 * @param host the Host header: an address, unlike a name, cannot be rebound, so a page of that very address is ours
 */
export function isAllowedOrigin(
  origin: string | null,
  { publicUrl, allowedOrigins }: KnownOrigins,
  host: string | null = null,
): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { origin: wanted, hostname, host: from } = new URL(origin);
  return (
    LOCAL_NAMES.has(hostname) ||
    (isAddress(hostname) && from === host) ||
    [publicUrl, ...allowedOrigins].some((known) => sameOrigin(known, wanted))
  );
}

/**
 * Whether a Host header names this server. Required on loopback: after DNS rebinding to 127.0.0.1 a page counts as same-origin in
 * its browser, and only this header reveals it.
 */
export function isOwnHost(host: string | null, { publicUrl, allowedOrigins }: KnownOrigins): boolean {
  if (host === null) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isAddress(hostname) || /^(.+\.)?localhost$/.test(hostname)) return true;
  return [publicUrl, ...allowedOrigins].some(
    (known) => URL.canParse(known) && new URL(known).hostname === hostname,
  );
}

const sameOrigin = (known: string, origin: string): boolean =>
  URL.canParse(known) && new URL(known).origin === origin;

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) > 0;

/** During maintenance, refuses tool calls that store or charge anything. @throws AtelierError maintenance */
export function refuseCallInMaintenance(context: PipelineContext, { tool, isDryRun }: ReceivedCall): void {
  if (context.maintenance.current() && !isDryRun && !isReadOnly(tool)) throw inMaintenance(context);
}

/**
 * Like `refuseCallInMaintenance`, for an endpoint that is not a tool. Operator endpoints keep working.
 * @throws AtelierError maintenance
 */
export function refuseOperationInMaintenance(
  context: PipelineContext,
  operation: Pick<AnyOperation, 'methods' | 'onlyReads' | 'operator'>,
  method: string,
): void {
  if (
    context.maintenance.current() &&
    !operation.onlyReads &&
    !operation.operator &&
    writesBy(operation, method)
  )
    throw inMaintenance(context);
}

function inMaintenance({ maintenance }: PipelineContext): AtelierError {
  const why = maintenance.current()?.why;
  return new AtelierError(
    'maintenance',
    `The server is in maintenance mode${why ? ` (${why})` : ''}. Reads still work; writes and paid calls are rejected. You were not charged. Wait, then send the same call again.`,
    { retryAfterSeconds: MAINTENANCE_RETRY_SECONDS },
  );
}

/**
 * Checks that the current request may use CPU time. A wallet with credits has a larger budget than an
 * address; it is looked up only when the budget of the address is used up. Work outside a request, such as
 * maintenance, is not counted.
 * @throws AtelierError rate_limited
 */
export async function requireCpu(context: PipelineContext, { wallet, proof }: Principal): Promise<void> {
  const account = context.requestScopes.current()?.cpu;
  if (!account) return;
  const isShort = context.cpu.isExhausted(account) && !account.credits;
  if (isShort && wallet !== undefined && (await hasCredits(context, wallet)))
    account.credits = { provenWallet: proof ? wallet : undefined };
  context.cpu.require(account);
}

/**
 * Like `requireCpu`, before the body is read and the client is authenticated: a request with credentials is
 * refused only if a wallet with credits would be refused as well.
 * @throws AtelierError rate_limited
 */
export function precheckCpu(
  context: PipelineContext,
  { bringsCredentials }: { bringsCredentials: boolean },
): void {
  const account = context.requestScopes.current()?.cpu;
  if (!account) return;
  context.cpu.require(bringsCredentials ? { ...account, credits: {} } : account);
}

const hasCredits = async ({ services: { wallets } }: PipelineContext, wallet: string): Promise<boolean> => {
  const state = await wallets.find(wallet);
  return state !== undefined && !state.isBlocked && state.available > 0;
};
