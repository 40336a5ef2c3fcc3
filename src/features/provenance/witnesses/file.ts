import type { Hashes } from '../hashes/types.ts';
import { registeredMatch } from '../registered_match.ts';
import type { Witness } from '../types.ts';
import { dayOf } from '../wording.ts';

/** Whether the identical file is registered. */
export function createFileWitness(hashes: Pick<Hashes, 'ofFile'>): Witness {
  return {
    name: 'file',
    async look({ sha256 }) {
      const [first, ...later] = await hashes.ofFile(sha256);
      const matches = (first ? [first, ...later] : []).map((registration) =>
        registeredMatch(registration, { similarity: 1, confidence: 1, by: 'file', turn: 0 }),
      );
      return {
        matches,
        judge: () =>
          first
            ? {
                finding: 'agree',
                sentence: `This exact file, byte for byte, was registered on ${dayOf(first.createdAt)}.`,
              }
            : {
                finding: 'absent',
                sentence: 'No registered file has these bytes; re-encoding an image changes them.',
              },
      };
    },
  };
}
