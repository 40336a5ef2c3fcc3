import { createHash } from 'node:crypto';
import { HOLD_LIFETIME_MS, IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../config/limits.ts';
import { duringCall, newCallId, releaseOrOwe } from '../core/cluster/members/call_id.ts';
import { AtelierError } from '../core/errors/atelier_error.ts';
import type { IdempotencyStore } from '../core/idempotency/types.ts';
import { callerKey } from './authenticate.ts';
import type { CallResponse, Client, ComposedResponse, Principal, StoreResponse } from './types.ts';

interface Replayable {
  readonly route: string;
  readonly raw: unknown;
  readonly client: Client;
  readonly principal: Principal;
}

/**
 * Runs `work` once per Idempotency-Key: a repeat with the same body gets the same bytes, one with another body 422, and one during
 * the first call 409. Without a key, only runs `work`. A failed call frees its key.
 */
export function withIdempotency(
  answers: IdempotencyStore,
  asked: Replayable,
  work: (store: StoreResponse) => Promise<ComposedResponse>,
): Promise<CallResponse> {
  return duringCall(() => answerOnce(answers, asked, work));
}

async function answerOnce(
  answers: IdempotencyStore,
  { route, raw, client, principal }: Replayable,
  work: (store: StoreResponse) => Promise<ComposedResponse>,
): Promise<CallResponse> {
  if (client.idempotencyKey === undefined) return answerOf(await work(async () => undefined));
  const place = {
    principal: scopeOf(client, principal),
    route,
    key: parseKey(client.idempotencyKey),
  };
  const runningUntil = new Date(Date.now() + HOLD_LIFETIME_MS);
  const calls = newCallId();
  const claim = await answers.claim({
    ...place,
    bodySha256: sha256(JSON.stringify(raw)),
    runningUntil,
    calls,
  });
  if (claim.state === 'kept') {
    const { text, status } = claim;
    return { status, body: JSON.parse(text), text, headers: { [REPLAYED]: 'true' } };
  }
  if (claim.state === 'reused') throw new AtelierError('idempotency_key_reused');
  if (claim.state === 'running')
    throw new AtelierError('idempotency_in_progress', undefined, { retryAfterSeconds: 2 });

  let kept = '';
  const store: StoreResponse = async ({ body, text = JSON.stringify(body) }) => {
    kept = text;
    return { ...place, calls, answerSha256: await answers.write(text) };
  };
  try {
    return answerOf({ ...(await work(store)), text: kept });
  } catch (error) {
    await releaseOrOwe(() => answers.abandon({ ...place, runningUntil }));
    throw error;
  }
}

/** A key replays only its own responses: those of a session or another key may contain more than it may read. */
const scopeOf = ({ address }: Client, { wallet, proof, operator }: Principal): string =>
  operator
    ? `operator:${operator.who}`
    : proof?.key
      ? `${proof.wallet}#${proof.key.id}`
      : callerKey(address, wallet);

const answerOf = ({ status, body, text }: ComposedResponse): CallResponse => ({
  ...(status && { status }),
  body,
  headers: {},
  ...(text && { text }),
});

const REPLAYED = 'Idempotency-Replayed';
export const isReplay = ({ headers }: CallResponse): boolean => REPLAYED in headers;

function parseKey(header: string): string {
  const key = header.trim().replace(/^"(.*)"$/, '$1');
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_CHARACTERS_MAX) return key;
  throw new AtelierError(
    'invalid_input',
    `Idempotency-Key must be 1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} printable ASCII characters without spaces.`,
    {
      errors: [
        {
          field: 'Idempotency-Key',
          code: 'invalid_format',
          message: 'must be printable ASCII without spaces',
          expected: `1 to ${IDEMPOTENCY_KEY_CHARACTERS_MAX} characters`,
        },
      ],
    },
  );
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
