import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../definitions/operation.ts';
import { strangersStoredFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';

export const openResult = defineOperation({
  name: 'open_result',
  methods: ['GET'],
  path: '/api/results/{id}',
  tag: 'files',
  summary: 'The file of a call, behind the signed link its answer named (result_url), for 24 hours.',
  input: z.object({
    id: z.string().max(100).describe('Part of the link.'),
    exp: z.string().max(20).default('').describe('End of the link, in Unix seconds.'),
    sig: z.string().max(100).default('').describe('Signature of the link.'),
  }),
  leadsTo: 'The bytes in the object store, where the operator has links answered there.',
  answer: { file: '*/*', description: 'The bytes, with the type they were made as.' },

  async run({ id, exp, sig }, { results }: Pick<Services, 'results'>) {
    if (!results.verifyLink(id, exp, sig)) {
      throw new AtelierError(
        'result_not_found',
        'This link has expired or was changed. Links to results work for 24 hours; run the call again.',
      );
    }
    const { blob, contentType } = await results.stream(id);
    // The bytes behind an id never change.
    return strangersStoredFile({ bytes: blob, version: id, contentType }, 'private, max-age=3600, immutable');
  },
});
