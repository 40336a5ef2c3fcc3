import { AsyncLocalStorage } from 'node:async_hooks';
import type { Meter } from './create_meter.ts';
import type { Part, Telemetry, Tracing } from './types.ts';
import { EXPOSITION_TYPE, writeExposition } from './write_exposition.ts';

interface Parts {
  readonly meter: Meter;
  /** Absent: nobody collects traces. */
  readonly tracing?: Tracing;
  /** Sends what is still to be sent. */
  readonly flush?: () => Promise<void>;
}

/** What the parts of a tool's work took so far, in seconds. */
type Taken = Map<Part, number>;

export function createTelemetry({ meter, tracing = NO_TRACING, flush = async () => {} }: Parts): Telemetry {
  const running = new AsyncLocalStorage<Taken>();
  return {
    ...tracing,
    count: meter.count,
    observe: meter.observe,
    watch: meter.watch,
    async timeCall(tool, work) {
      const taken: Taken = new Map();
      const began = performance.now();
      try {
        return await running.run(taken, () => tracing.span(`run ${tool}`, {}, work));
      } finally {
        meter.observe('atelier_call_seconds', { tool }, (performance.now() - began) / 1000);
        for (const [part, seconds] of taken)
          meter.observe('atelier_call_part_seconds', { tool, part }, seconds);
      }
    },
    addPart(part, seconds) {
      const taken = running.getStore();
      taken?.set(part, (taken.get(part) ?? 0) + seconds);
    },
    exposition: async () => ({ text: await writeExposition(meter), contentType: EXPOSITION_TYPE }),
    close: flush,
  };
}

const NO_SPAN = { set: () => {}, rename: () => {} };

const NO_TRACING: Tracing = {
  span: (_name, _attributes, work) => work(NO_SPAN),
  enter: (_from, _name, _attributes, work) => work(NO_SPAN),
  traceContext: () => undefined,
};
