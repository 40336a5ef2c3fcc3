import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { EngineName } from '../../../core/workers/engines.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { CANARIES, type Cage, canaryPicture } from './canaries.ts';
import { CANARY_DEADLINE_MS, CANARY_PIXELS, FLIGHT_MS_MAX, FLIGHT_REMEMBERED_MS } from './limits.ts';
import type { EngineChecks, EngineHealth } from './types.ts';

interface Parts extends Pick<Cage, 'models' | 'pressProfiles'> {
  readonly pixels: Pick<Pixels, 'run'>;
  /** Told what a caller is not told of a failure. */
  report(error: unknown, engine: EngineName): void;
  readonly now?: () => number;
}

/**
 * Sends a small picture through every engine that is open here, one after the other, each in its turn like any other work. Of several who ask at once, and of those who
 * ask soon after, all get what one flight has found.
 */
export function createCanaryFlight({ now = () => performance.now(), ...parts }: Parts): EngineHealth {
  let last: { readonly at: number; readonly found: Promise<EngineChecks> } | undefined;
  return {
    check() {
      if (!last || now() - last.at >= FLIGHT_REMEMBERED_MS) last = { at: now(), found: fly(parts) };
      return last.found;
    },
  };
}

async function fly({ models, pressProfiles, ...parts }: Omit<Parts, 'now'>): Promise<EngineChecks> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-canary-'));
  const signal = AbortSignal.timeout(FLIGHT_MS_MAX);
  const found: Record<string, EngineChecks[string]> = {};
  try {
    const cage = { bytes: await canaryPicture(), models, pressProfiles, folder };
    for (const engine of Object.keys(CANARIES) as EngineName[]) {
      const check = await passThrough(engine, { ...parts, cage, signal });
      if (check) found[engine] = check;
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Flight extends Pick<Parts, 'pixels' | 'report'> {
  readonly cage: Cage;
  readonly signal: AbortSignal;
}

/** Undefined where the engine is not open here, or comes with another. */
async function passThrough(
  engine: EngineName,
  { pixels, report, cage, signal }: Flight,
): Promise<EngineChecks[string] | undefined> {
  const canary = CANARIES[engine];
  if ('comesWith' in canary) return undefined;
  const began = performance.now();
  const since = () => Math.round(performance.now() - began);
  try {
    const input = await canary(cage);
    if (input === undefined) return undefined;
    const control = { pixels: CANARY_PIXELS, signal, deadlineMs: CANARY_DEADLINE_MS };
    await pixels.run(engine, input as never, control);
    return { state: 'ok', ms: since() };
  } catch (error) {
    // That the time of the flight is over says nothing of this engine.
    if (signal.aborted || (error instanceof AtelierError && error.code === 'busy'))
      return { state: 'busy', ms: since() };
    report(error, engine);
    const reason = error instanceof AtelierError ? error.message : 'It failed; the log says why.';
    return { state: 'failed', ms: since(), reason };
  }
}
