import { createHash } from 'node:crypto';
import type { ResponseTexts } from '../../src/core/idempotency/response_texts.ts';

/** Stores texts of responses in memory. */
export function memoryTexts(): ResponseTexts {
  const kept = new Map<string, string>();
  return {
    async put(text) {
      const sha256 = createHash('sha256').update(text).digest('hex');
      kept.set(sha256, text);
      return sha256;
    },
    get: async (sha256) => kept.get(sha256)!,
  };
}
