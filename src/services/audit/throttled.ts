import type { Audit, Refusal } from './contract.ts';

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
export function throttled(audit: Audit, { linesMax, spanMs, onMore }: Throttle): Audit {
  const spans = new Map<string, number>();
  return {
    refused(refusal) {
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
      if ((lines ?? 0) < linesMax) audit.refused(refusal);
    },
  };
}
