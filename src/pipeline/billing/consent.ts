import { createHash } from 'node:crypto';
import { creditsText } from '../../catalogue/next_steps.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { MILLICREDITS_PER_CREDIT } from '../../limits.ts';
import { SHOWN_CHARACTERS_MAX } from '../../services/consents/limits.ts';
import type { HoldConsent } from '../../services/wallets/contract.ts';
import type { CallKit } from '../kit.ts';
import type { ToolCall } from '../tool_call.ts';

const SHOWN_FIELD_CHARACTERS_MAX = 120;
/** How long to wait before asking again whether a person has answered. */
const ANSWER_RETRY_SECONDS = 5;

/**
 * The same kit, but holds made through it carry what the owner has agreed to of this call; where that is missing, the owner is asked.
 * @throws from its holds: AtelierError approval_required with the link for the person, approval_waiting with the same
 */
export function withConsent(kit: CallKit, call: ToolCall): CallKit {
  const { wallets, ownership } = kit.services;
  const consent = consentOf(call);
  const asking = <Request extends { wallet: string; amount: number }, T>(
    hold: (request: Request) => Promise<T>,
  ) => {
    return async (request: Request): Promise<T> => {
      try {
        return await hold({ ...request, consent });
      } catch (error) {
        const given = await givenSince(kit, call, request, error);
        if (given) return hold({ ...request, consent: given });
        throw await withQuestion(kit, call, request, error);
      }
    };
  };
  return {
    ...kit,
    services: {
      ...kit.services,
      wallets: { ...wallets, hold: asking(wallets.hold) },
      ownership: {
        ...ownership,
        hold: (keyId, request) => asking((one: typeof request) => ownership.hold(keyId, one))(request),
      },
    },
  };
}

/** A signature over the request itself is a consent to exactly this call, and its nonce counts once. */
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

/** What the owner has agreed to since the same call came before, from a client that cannot name it. */
async function givenSince(
  { services: { consents } }: CallKit,
  { tool, input, principal, caller }: ToolCall,
  { wallet, amount }: { wallet: string; amount: number },
  error: unknown,
): Promise<HoldConsent | undefined> {
  const isAsked = error instanceof AtelierError && error.code === 'approval_required';
  if (!isAsked || !caller.comesAgain) return undefined;
  const sha256 = paramsSha256(tool.name, input);
  const askedBy = askerOf(principal);
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
  { services: { consents, site } }: CallKit,
  { tool, input, principal, controls, caller }: ToolCall,
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
      ...{ wallet, amount, tool: tool.name },
      paramsSha256: paramsSha256(tool.name, input),
      shown: shownOf(input),
      askedBy: askerOf(principal),
      address: caller.address,
    }));
  const [approval, url] = [`apr_${id}`, `${site.publicUrl}/approve/${id}`];
  const price = creditsText(amount / MILLICREDITS_PER_CREDIT);
  const detail = isNew
    ? `The owner of the wallet wants to be asked about calls as dear as this one (${price}). Nothing was charged. Give the person this link: ${url} . Then send exactly the same call with "approval": "${approval}" (or the header X-Approval).`
    : `The owner has not answered yet. Nothing was charged. The link for the person: ${url} . Then send the same call again.`;
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

/** What an approval is bound to beside tool and amount: the parameters as the tool understood them, in any order. */
const paramsSha256 = (tool: string, input: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify([tool, input], sorted))
    .digest('hex');

const sorted = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** The parameters as a person can read them. */
function shownOf(input: Record<string, unknown>): string {
  const short = Object.entries(input).map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const rest = text.length - SHOWN_FIELD_CHARACTERS_MAX;
    return `${name}: ${rest > 0 ? `${text.slice(0, SHOWN_FIELD_CHARACTERS_MAX)}… (${rest} characters more)` : text}`;
  });
  return short.join('\n').replaceAll('\0', '').slice(0, SHOWN_CHARACTERS_MAX);
}

const askerOf = ({ proof }: ToolCall['principal']): string => {
  if (proof?.key) return `the key "${proof.key.name}" (${proof.key.id})`;
  return proof ? 'a session of yours' : 'somebody who named the address of the wallet';
};
