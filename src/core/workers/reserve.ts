import { type Admission, type Ask, turnOf } from './admission.ts';
import { gaveUpError } from './process_pool.ts';
import type { PixelControl, Reservation } from './types.ts';

/** Waits for pixels like any work, holds them while the parts run, and needs no process itself. */
export async function reserve<T>(
  admission: Admission,
  control: PixelControl,
  work: (within: Reservation) => Promise<T>,
): Promise<T> {
  if (control.signal.aborted) throw gaveUpError();
  const { promise: begun, resolve: start, reject: refuse } = Promise.withResolvers<void>();
  const ask: Ask = {
    // The parts are charged when they run.
    ...turnOf(control, 0),
    ...{ control, length: 'short', hasProcess: () => true, start, refuse, spentSeconds: () => 0 },
  };
  const giveUp = () => refuse(gaveUpError());
  control.signal.addEventListener('abort', giveUp, { once: true });
  try {
    admission.enter(ask);
    await begun;
    return await work({ pixels: control.pixels });
  } finally {
    control.signal.removeEventListener('abort', giveUp);
    admission.leave(ask);
  }
}
