import { type PipelinePart, watchPipelines } from '@atelier/imaging/codecs/watch_pipelines.ts';
import type { Spent } from './types.ts';

/** Times the runs of a process, which has one at a time. */
export interface PartTimer {
  begin(): void;
  /** Since it began. */
  spent(): Spent;
}

/** Tells what runs spend on reading and writing pictures; several pipelines at once count once. */
export function timeParts(now = () => performance.now()): PartTimer {
  let began = now();
  let cpuBefore = process.cpuUsage();
  let parts = noParts();
  watchPipelines((part, ended) => {
    const own = parts[part];
    if (own.open === 0) own.since = now();
    own.open += 1;
    const end = () => {
      own.open -= 1;
      if (own.open === 0) own.ms += now() - own.since;
    };
    ended.then(end, end);
  });
  return {
    begin() {
      began = now();
      cpuBefore = process.cpuUsage();
      parts = noParts();
    },
    spent() {
      const decoding = parts.decoding.ms / 1000;
      const encoding = parts.encoding.ms / 1000;
      const engine = Math.max(0, (now() - began) / 1000 - decoding - encoding);
      const { user, system } = process.cpuUsage(cpuBefore);
      return { decoding, encoding, engine, cpu: (user + system) / 1e6 };
    },
  };
}

const noParts = (): Record<PipelinePart, { open: number; since: number; ms: number }> => ({
  decoding: { open: 0, since: 0, ms: 0 },
  encoding: { open: 0, since: 0, ms: 0 },
});
