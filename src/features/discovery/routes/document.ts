import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';

const CACHE_SECONDS = 3600;

/** A document that does not change while the process lives: written once, at the first request. */
export function documentOperation(
  name: string,
  path: `/${string}`,
  contentType: string,
  summary: string,
  write: () => string | object,
): AnyOperation {
  let bytes: string | undefined;
  return defineOperation({
    name,
    methods: ['GET'],
    path,
    tag: 'discovery',
    summary,
    input: z.object({}),
    answer: { file: contentType.split(';')[0]!, description: summary },
    cacheSeconds: CACHE_SECONDS,
    run: async () => {
      bytes ??= asText(write());
      return { bytes, contentType };
    },
  });
}

const asText = (document: string | object): string =>
  typeof document === 'string' ? document : JSON.stringify(document);
