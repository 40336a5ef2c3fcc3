import type { Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { SIGHT_CATCH_UP_ROWS } from '../limits.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { readUnseen } from './sight_store.ts';
import type { CatchUp } from './types.ts';

interface Parts {
  readonly database: Queryable;
  /** Encodes a kept picture of a work. @returns false where none is kept */
  take(record: ArtworkRecord, signal: AbortSignal): Promise<boolean>;
}

/**
 * Goes through the works of which there is no vector, each once: pictures that come later are encoded as they pass.
 * @returns a function that goes on where its last call ended
 */
export function createCatchUp({ database, take }: Parts) {
  let last = { model: '', id: '' };
  return async (model: string, edition: number, { max, signal, onProgress }: CatchUp): Promise<number> => {
    if (last.model !== model) last = { model, id: '' };
    let done = 0;
    let looked = 0;
    for (;;) {
      const after = last.id;
      const rows = await readUnseen(database, model, { edition, after, limit: SIGHT_CATCH_UP_ROWS });
      for (const { record } of rows) {
        if (done >= max || looked >= max * SIGHT_LOOKED_FOR_EACH || signal.aborted) return done;
        looked += 1;
        if (await orNone(take(record, signal))) {
          done += 1;
          onProgress?.(done);
        }
        last = { model, id: record.id };
      }
      if (rows.length < SIGHT_CATCH_UP_ROWS) return done;
    }
  };
}

/** Works looked at for each picture that may be encoded: most have none that is kept. */
const SIGHT_LOOKED_FOR_EACH = 50;

/** A picture that is none does not hold up the others. */
async function orNone(work: Promise<boolean>): Promise<boolean> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AtelierError && error.status < 500) return false;
    throw error;
  }
}
