import { AtelierError } from '../errors/atelier_error.ts';
import type { Death } from './worker_process.ts';

/** Signals a process sends itself by a fault; any other came from outside and says nothing about the picture. */
const FAULTS = new Set(['SIGSEGV', 'SIGBUS', 'SIGABRT', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

/** What a caller is told whose job lost its process: whether the picture, its size or neither was the cause. */
export function deathError(death: Death): AtelierError {
  if (death.by === 'memory') {
    return new AtelierError(
      'unsuitable_image',
      'The picture needs more memory than one call may use. Send a smaller one.',
    );
  }
  if (FAULTS.has(death.detail)) {
    return new AtelierError(
      'undecodable_image',
      'The decoder broke down over this picture. Save it again as PNG or JPEG.',
    );
  }
  return new AtelierError('internal_error', undefined, {
    cause: new Error(`A process that works on pixels ended (${death.detail})`),
  });
}
