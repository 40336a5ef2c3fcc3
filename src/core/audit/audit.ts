import { createHash } from 'node:crypto';
import type { Audit, RecentRefusal, Refusal, RememberingAudit } from './types.ts';

const AUDIT_SPAN_MS = 60_000;

/** Lines in the log about one kind of refusal of one address, before the rest of the span is only counted. */
const AUDIT_LINES_MAX = 10;

/** Of the last lines, for whoever operates this server. */
const REFUSALS_REMEMBERED = 50;

/** The logger of the service; one line a call. */
interface AuditLogger {
  warn(fields: object, message: string): void;
}

const WALLET = /^0x[0-9a-f]{40}$/i;
const TOKEN = /^atl_([a-z]+)_/;
const DETAIL_CHARACTERS_MAX = 300;

/** A line for each refusal; of what one address does over and over, the first of a minute and how many more there were. */
export function createAudit(logger: AuditLogger, spanMs = AUDIT_SPAN_MS): RememberingAudit {
  const recent: RecentRefusal[] = [];
  const written = lines(logger);
  const recordRefusal = (refusal: Refusal): void => {
    const { code, status, about, address, requestId } = refusal;
    recent.unshift({ at: new Date(), code, status, about, address, requestId });
    recent.splice(REFUSALS_REMEMBERED);
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
 * An address is public. Of our tokens the start of the sha256 by which the database knows them; they are random, so
 * nothing can be guessed from it. Of anything else nothing: it may be a password meant for another place.
 */
function nameOf(bearer: string): string {
  if (WALLET.test(bearer)) return bearer.toLowerCase();
  const [, kind] = TOKEN.exec(bearer) ?? [];
  return kind ? `${kind} ${digestOf(bearer)}` : 'unknown';
}

/** Whoever has the id of an intent can pay with it, so only the start of its sha256 is written. */
const intentName = (sent: string): string => digestOf(withoutSecrets(sent));

const textOf = (sent: unknown): string => (typeof sent === 'string' ? sent : JSON.stringify(sent));

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const withoutSecrets = (text: string): string =>
  text.replace(/_secret_\w+/g, '').replace(/\b(atl|sk|rk|whsec)_[A-Za-z0-9_-]+/g, '$1_…');

interface Throttle {
  /** Lines of one code from one address before the rest of the span is only counted. */
  readonly linesMax: number;
  readonly spanMs: number;
  /** Told at the end of a span how many lines were not written. */
  onMore(refusal: Pick<Refusal, 'code' | 'status' | 'address'>, count: number): void;
}

/** More kinds of lines at a time than this are counted together. */
const KINDS_MAX = 1000;

/** The same audit, but whoever is refused over and over fills no log: the first lines are written, the rest is one that counts. */
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
