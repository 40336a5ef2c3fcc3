import { createHash } from 'node:crypto';
import { creditsText, type NextStep, nextSteps } from '../../catalog/next_steps.ts';
import { CREDIT_BACK_PERCENT, HOLD_LIFETIME_MS, MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import { newCallId } from '../../core/cluster/members/call_id.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { usd } from '../../features/definitions/price.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { SHOWN_CHARACTERS_MAX } from '../../features/wallets/consents/limits.ts';
import type { Budget } from '../../features/wallets/ownership/types.ts';
import type { Hold, HoldConsent } from '../../features/wallets/types.ts';
import { shortenInput } from '../errors.ts';
import { repeatableInput } from '../respond.ts';
import type { Payment, PipelineContext, ToolCall } from '../types.ts';
import { paymentRequired } from './payment_required.ts';

/** Name and lifetime of a hold. The hold of a job has the id of the job and outlives the connection. */
interface HoldTerms {
  readonly id: string;
  readonly lifetimeMs: number;
}

const forOneCall = (): HoldTerms => ({ id: newCallId(), lifetimeMs: HOLD_LIFETIME_MS });

/**
 * Holds credits of the wallet, within the budget of the client's key and what the owner has approved.
 * @throws AtelierError wallet_not_registered, insufficient_credits (402); budget_refused; approval_required, approval_waiting
 */
export async function holdCredits(
  plain: PipelineContext,
  call: ToolCall,
  { price, wallet }: { price: number; wallet: string },
  { id, lifetimeMs }: HoldTerms = forOneCall(),
): Promise<Payment> {
  const context = withinBudget(plain, call);
  const { tool } = call;
  const { wallets } = context.services;
  try {
    const hold = await wallets.hold({
      id,
      wallet,
      amount: price * MILLICREDITS_PER_CREDIT,
      tool: tool.name,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return heldCredits(context, hold);
  } catch (error) {
    throw error instanceof AtelierError && error.status === 402
      ? await withCredits(context, tool, { price, wallet, error })
      : error;
  }
}

/** The payment of a call whose credits are held already. */
export function heldCredits(
  { services: { wallets } }: { readonly services: Pick<PipelineContext['services'], 'wallets'> },
  hold: Hold,
): Payment {
  const { id, wallet, amount, taken = amount } = hold;
  return {
    receipt: {
      method: 'credits',
      wallet,
      transaction_id: id,
      credit_back: (taken * CREDIT_BACK_PERCENT) / 100 / MILLICREDITS_PER_CREDIT,
    },
    hold: id,
    settle: async (answer, receipt) => void (await wallets.settle(hold, answer, receipt)),
    release: async () => void (await wallets.release(hold)),
    part: (credits) =>
      heldCredits({ services: { wallets } }, { ...hold, taken: credits * MILLICREDITS_PER_CREDIT }),
  };
}

async function withCredits(
  context: PipelineContext,
  tool: AnyTool,
  { price, wallet, error }: { price: number; wallet: string; error: AtelierError },
): Promise<AtelierError> {
  const state = await context.services.wallets.find(wallet);
  const available = (state?.available ?? 0) / MILLICREDITS_PER_CREDIT;
  const detail = state
    ? `${tool.name} costs ${creditsText(price)}; the wallet has ${available} available.`
    : `${tool.name} costs ${creditsText(price)}; the wallet ${wallet} is not registered yet.`;
  return paymentRequired(context, tool, {
    code: error.code,
    detail,
    price,
    wallet: {
      wallet,
      registered: state !== undefined,
      balance: (state?.balance ?? 0) / MILLICREDITS_PER_CREDIT,
      available,
      shortfall: Math.round((price - available) * MILLICREDITS_PER_CREDIT) / MILLICREDITS_PER_CREDIT,
    },
  });
}

/** From this share of a cap on, every response reports its usage. */
const BUDGET_WARNING_PERCENT = 80;

/**
 * The same context with holds that follow the owner's rules: they count against the budget of the client's
 * key, and carry the owner's approval. The payment services know neither.
 * @throws from its holds: AtelierError budget_refused with a smaller call that fits, if there is one
 */
function withinBudget(plain: PipelineContext, call: ToolCall): PipelineContext {
  const { tool, principal, input, warnings } = call;
  const context = withConsent(plain, call);
  const key = principal.proof?.key;
  if (!key) return context;
  const { wallets, ownership } = context.services;
  const budgeted: typeof wallets = {
    ...wallets,
    async hold(call) {
      try {
        const { hold, budget } = await ownership.hold(key.id, call);
        warnings.push(...nearlyUsed(key.name, budget));
        return hold;
      } catch (error) {
        throw error instanceof AtelierError && error.code === 'budget_refused'
          ? withSmallerCall(context, error, tool, input)
          : error;
      }
    },
  };
  return { ...context, services: { ...context.services, wallets: budgeted } };
}

function nearlyUsed(name: string, { maxTotal, spent, maxDaily, spentToday }: Budget): string[] {
  const text = (cap: number | null, used: number, when: string): string[] =>
    cap !== null && used * 100 >= cap * BUDGET_WARNING_PERCENT
      ? [`The key "${name}" has used ${used / 1000} of its ${cap / 1000} credits ${when}.`]
      : [];
  return [...text(maxTotal, spent, 'in all'), ...text(maxDaily, spentToday, 'today')];
}

/**
 * A cheaper call that fits the remaining budget: the same tool with the most expensive affordable value of the field that
 * determines its price; else other tools at that price or below.
 */
function withSmallerCall(
  { services: { catalogue } }: PipelineContext,
  error: AtelierError,
  tool: AnyTool,
  input: Record<string, unknown>,
): AtelierError {
  const budget = error.details.members?.budget as { remaining: number } | undefined;
  if (!budget) return error;
  const { remaining } = budget;
  const smaller = smallerCall(tool, input, remaining);
  const canBeSent = smaller && repeatableInput(smaller.params);
  const others = {
    action: 'Find a tool that fits',
    tool: 'search_tools',
    why: `The key can spend ${remaining} more`,
    params: { max_price_usd: usd(Math.floor(remaining)) },
  };
  return new AtelierError('budget_refused', error.message, {
    ...error.details,
    ...(smaller && { try: shortenInput(smaller.params) }),
    members: {
      ...error.details.members,
      next_steps: [...(canBeSent ? [smaller] : []), ...nextSteps(catalogue, [others])],
    },
  });
}

function smallerCall(
  { name, price }: AnyTool,
  input: Record<string, unknown>,
  remaining: number,
): (NextStep & { params: Record<string, unknown> }) | undefined {
  if (price.kind !== 'by') return undefined;
  const [fitting] = Object.entries(price.credits)
    .filter(([, credits]) => credits <= remaining)
    .sort(([, a], [, b]) => b - a);
  if (!fitting) return undefined;
  const [value, credits] = fitting;
  return {
    action: `Use ${price.field} "${value}"`,
    cost: credits === 0 ? 'free' : creditsText(credits),
    endpoint: `POST /api/tools/${name}`,
    why: `It fits the remaining ${remaining} credits`,
    params: { ...input, [price.field]: value },
  };
}

const SHOWN_FIELD_CHARACTERS_MAX = 120;
/** Retry-After while the owner has not decided. */
const ANSWER_RETRY_SECONDS = 5;

/**
 * The same context with holds that carry the owner's approval of this call. A missing approval is requested
 * from the owner.
 * @throws from its holds: AtelierError approval_required or approval_waiting, with the link for the owner
 */
function withConsent(context: PipelineContext, call: ToolCall): PipelineContext {
  const { wallets, ownership } = context.services;
  const consent = consentOf(call);
  const asking = <Request extends { wallet: string; amount: number }, T>(
    hold: (request: Request) => Promise<T>,
  ) => {
    return async (request: Request): Promise<T> => {
      try {
        return await hold({ ...request, consent });
      } catch (error) {
        const given = await givenSince(context, call, request, error);
        if (given) return hold({ ...request, consent: given });
        throw await withQuestion(context, call, request, error);
      }
    };
  };
  return {
    ...context,
    services: {
      ...context.services,
      wallets: { ...wallets, hold: asking(wallets.hold) },
      ownership: {
        ...ownership,
        hold: (keyId, request) => asking((one: typeof request) => ownership.hold(keyId, one))(request),
      },
    },
  };
}

/** A signature over the request itself approves exactly this call, and its nonce counts once. */
function consentOf({
  principal: { proof },
  controls: { approval },
  tool,
  input,
}: ToolCall): HoldConsent | undefined {
  if (proof?.by === 'request') return { isSigned: true };
  const id = approval === undefined ? undefined : approval.replace(/^apr_/, '');
  return id === undefined ? undefined : { approval: id, paramsSha256: paramsSha256(tool.name, input) };
}

/** An approval given since the same call was first sent, by a client that cannot name the approval. */
async function givenSince(
  { services: { consents } }: PipelineContext,
  { tool, input, principal, client }: ToolCall,
  { wallet, amount }: { wallet: string; amount: number },
  error: unknown,
): Promise<HoldConsent | undefined> {
  const isAsked = error instanceof AtelierError && error.code === 'approval_required';
  if (!isAsked || !client.comesAgain) return undefined;
  const sha256 = paramsSha256(tool.name, input);
  const askedBy = scopeOf(principal);
  const approval = await consents.findGiven({
    wallet,
    amount,
    tool: tool.name,
    paramsSha256: sha256,
    askedBy,
  });
  return approval === undefined ? undefined : { approval, paramsSha256: sha256 };
}

async function withQuestion(
  { services: { consents, site } }: PipelineContext,
  { tool, input, principal, controls, client }: ToolCall,
  { wallet, amount }: { wallet: string; amount: number },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof AtelierError)) return error;
  const isNew = error.code === 'approval_required';
  if (!isNew && error.code !== 'approval_waiting') return error;
  const known = isNew ? undefined : await consents.findApproval(controls.approval!.replace(/^apr_/, ''));
  const { id, expiresAt } =
    known ??
    (await consents.askApproval({
      wallet,
      amount,
      tool: tool.name,
      paramsSha256: paramsSha256(tool.name, input),
      shown: shownOf(input),
      askedBy: scopeOf(principal),
      address: client.address,
    }));
  const [approval, url] = [`apr_${id}`, `${site.publicUrl}/approve/${id}`];
  const price = creditsText(amount / MILLICREDITS_PER_CREDIT);
  const detail = isNew
    ? `The owner of the wallet must approve calls at this price (${price}). You were not charged. Give the owner this link: ${url} . Then send exactly the same call with "approval": "${approval}" (or the header X-Approval).`
    : `The owner has not decided yet. You were not charged. Link for the owner: ${url} . Then send the same call again.`;
  return new AtelierError(error.code, detail, {
    ...error.details,
    retryAfterSeconds: ANSWER_RETRY_SECONDS,
    members: {
      approval: {
        id: approval,
        url,
        state: 'waiting',
        credits: amount / MILLICREDITS_PER_CREDIT,
        expires_at: expiresAt.toISOString(),
      },
      next_steps: [],
    },
  });
}

/** The parameters that an approval covers, besides tool and amount: as validated, in any order. */
const paramsSha256 = (tool: string, input: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, input], sorted))
    .digest('hex');

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The parameters in the form that the owner sees. */
function shownOf(input: Record<string, unknown>): string {
  const short = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const rest = text.length - SHOWN_FIELD_CHARACTERS_MAX;
    return `${name}: ${rest > 0 ? `${text.slice(0, SHOWN_FIELD_CHARACTERS_MAX)}… (${rest} more characters)` : text}`;
  });
  return short.join('\n').replaceAll('\0', '').slice(0, SHOWN_CHARACTERS_MAX);
}

const scopeOf = ({ proof }: ToolCall['principal']): string => {
  if (proof?.key) return `the key "${proof.key.name}" (${proof.key.id})`;
  return proof ? 'one of your sessions' : 'a client that used the address of the wallet';
};
