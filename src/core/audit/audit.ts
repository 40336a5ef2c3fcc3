import { createHash } from 'node:crypto';

const AUDIT_SPAN_MS = 60_000;

/** Log lines per kind of refusal and address in an interval; further ones are only counted. */
const AUDIT_LINES_MAX = 10;

/** Number of recent lines kept for the operator. */
const REFUSALS_MAX = 50;

/** The logger of the service; one line per call. */
interface AuditLogger {
  warn(fields: object, message: string): void;
}

const WALLET = /^0x[0-9a-f]{40}$/i;
const TOKEN = /^atl_([a-z]+)_/;
const DETAIL_CHARACTERS_MAX = 300;

/** Logs each refusal; of repeated ones from one address, the first of each minute and the number of the rest. */
export function createAudit(logger: AuditLogger, spanMs = AUDIT_SPAN_MS): RecordingAudit {
  const recent: RecentRefusal[] = [];
  const written = lines(logger);
  const recordRefusal = (refusal: Refusal): void => {
    const { code, status, about, address, requestId } = refusal;
    recent.unshift({ at: new Date(), code, status, about, address, requestId });
    recent.splice(REFUSALS_MAX);
    written.recordRefusal(refusal);
  };
  const throttled = throttleAudit(
    { recordRefusal },
    {
      linesMax: AUDIT_LINES_MAX,
      spanMs,
      onMore: (refusal, more) =>
        logger.warn({ audit: 'refused', ...refusal, more }, `refused: ${refusal.code}, ${more} times more`),
    },
  );
  return { ...throttled, recent: () => recent };
}

function lines(logger: AuditLogger): Audit {
  return {
    recordRefusal({
      requestId,
      bearer,
      paymentIntent,
      x402Payment,
      mppCredential,
      wallet,
      detail,
      fields,
      ...refusal
    }) {
      logger.warn(
        {
          audit: 'refused',
          ...refusal,
          request_id: requestId,
          ...(bearer !== undefined && { bearer: nameOf(bearer) }),
          ...(paymentIntent !== undefined && { payment_intent: intentName(paymentIntent) }),
          ...(x402Payment !== undefined && { x402_payment: digestOf(textOf(x402Payment)) }),
          ...(mppCredential !== undefined && { mpp_credential: digestOf(textOf(mppCredential)) }),
          ...(typeof wallet === 'string' && WALLET.test(wallet) && { wallet: wallet.toLowerCase() }),
          ...(fields && { fields }),
          ...(detail !== undefined && { detail: withoutSecrets(detail).slice(0, DETAIL_CHARACTERS_MAX) }),
        },
        `refused: ${refusal.code}`,
      );
    },
  };
}

/**
 * An address is logged as it is. Of our tokens, the prefix of the sha256 under which the database stores them; they are random, so
 * it reveals nothing. Of any other credential nothing: it may be a password for another service.
 */
function nameOf(bearer: string): string {
  if (WALLET.test(bearer)) return bearer.toLowerCase();
  const [, kind] = TOKEN.exec(bearer) ?? [];
  return kind ? `${kind} ${digestOf(bearer)}` : 'unknown';
}

/** The id of an intent authorises payment, so the log contains only a prefix of its sha256. */
const intentName = (sent: string): string => digestOf(withoutSecrets(sent));

const textOf = (sent: unknown): string => (typeof sent === 'string' ? sent : JSON.stringify(sent));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const withoutSecrets = (text: string): string =>
  text.replace(/_secret_\w+/g, '').replace(/\b(atl|sk|rk|whsec)_[A-Za-z0-9_-]+/g, '$1_…');

interface Throttle {
  /** Lines per code and address before the rest of the interval is only counted. */
  readonly linesMax: number;
  readonly spanMs: number;
  /** Called at the end of an interval with the number of lines not written. */
  onMore(refusal: Pick<Refusal, 'code' | 'status' | 'address'>, count: number): void;
}

/** Further kinds of lines are counted together. */
const KINDS_MAX = 1000;

/** Rate-limits the log per kind of refusal and address: it writes the first lines, then one line with the count. */
function throttleAudit(audit: Audit, { linesMax, spanMs, onMore }: Throttle): Audit {
  const spans = new Map<string, number>();
  return {
    recordRefusal(refusal) {
      const isNew = spans.size < KINDS_MAX;
      const { code, status } = refusal;
      const address = isNew || spans.has(`${code} ${refusal.address}`) ? refusal.address : 'many';
      const kind = `${code} ${address}`;
      const lines = spans.get(kind);
      spans.set(kind, (lines ?? 0) + 1);
      if (lines === undefined) {
        setTimeout(() => {
          const more = spans.get(kind)! - linesMax;
          spans.delete(kind);
          if (more > 0) onMore({ code, status, address }, more);
        }, spanMs).unref();
      }
      if ((lines ?? 0) < linesMax) audit.recordRefusal(refusal);
    },
  };
}

/** Logs every refused payment and proof, without anything that would let a reader of the log pay. */
export interface Audit {
  recordRefusal(refusal: Refusal): void;
}

/** An audit that keeps its recent lines. */
export interface RecordingAudit extends Audit {
  /** Of this process, newest first. */
  recent(): readonly RecentRefusal[];
}

export interface RecentRefusal extends Pick<Refusal, 'code' | 'status' | 'about' | 'address'> {
  readonly at: Date;
  readonly requestId: string;
}

export interface Refusal {
  /** Error code. */
  readonly code: string;
  readonly status: number;
  /** Tool or operation. */
  readonly about: string;
  readonly requestId: string;
  /** Network address of the client. */
  readonly address: string;
  /** As sent; only a name derived from it is logged. */
  readonly bearer?: string | undefined;
  readonly paymentIntent?: string | undefined;
  /** Text of a header, or any JSON over MCP. */
  readonly x402Payment?: unknown;
  readonly mppCredential?: unknown;
  /** Wallet named in the input. */
  readonly wallet?: unknown;
  /** The detail sent to the client; absent where it may repeat input. */
  readonly detail?: string | undefined;
  /** Names of the refused fields. */
  readonly fields?: readonly string[];
}
