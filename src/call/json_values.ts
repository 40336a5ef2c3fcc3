import { AtelierError } from '../errors.ts';
import { JSON_VALUES_MAX } from '../limits.ts';

/**
 * Refuses JSON that is millions of small values before it is parsed. Counts what separates or opens values: base64 has
 * none of it, so a picture costs one fast search. @throws AtelierError invalid_input
 */
export function refuseManyValues(json: string | Buffer): void {
  let count = 0;
  for (const sign of [',', '[', '{']) {
    for (let at = json.indexOf(sign); at >= 0; at = json.indexOf(sign, at + 1)) {
      count += 1;
      if (count > JSON_VALUES_MAX) throw tooManyValues();
    }
  }
}

export const tooManyValues = (): AtelierError =>
  new AtelierError(
    'invalid_input',
    `The body has more than ${JSON_VALUES_MAX} values. Send files as one base64 text or as a handle from POST /api/uploads.`,
  );
