import { z } from 'zod';
import { exportWallet } from '../../../features/account/routes/export/archive.ts';
import { openVersion } from '../../../features/assets/routes/earlier.ts';
import {
  type AnyOperation,
  defineOperation,
  type FileAnswer,
  type OperationCall,
  type StreamAnswer,
} from '../../../features/definitions/operation.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import type { Studio, Visit } from '../types.ts';
import { visitOf } from '../visit_of.ts';

/** Files that endpoints answer to a bearer, for links of pages, whose visitors have a cookie. */
export const passedFiles = (studio: Studio): readonly AnyOperation[] => [
  defineOperation({
    name: 'studio_export',
    methods: ['GET'],
    path: '/wallet/export.tar',
    tag: 'studio',
    summary: 'The archive of the visitor’s wallet.',
    input: z.object({}),
    answer: exportWallet.answer,
    isPrivate: true,
    run: async (_input, _services: object, call) => pass(exportWallet, {}, await visitOf(studio, call), call),
  }),
  defineOperation({
    name: 'studio_earlier_file',
    methods: ['GET'],
    path: '/wallet/earlier/{id}',
    tag: 'studio',
    summary: 'A version of a file of the visitor’s wallet, or something in its trash.',
    input: openVersion.input.pick({ id: true }),
    answer: openVersion.answer,
    isPrivate: true,
    async run({ id }, _services: object, call) {
      const visit = await visitOf(studio, call);
      return pass(openVersion, { id, wallet: visit.visitor.wallet }, visit, call);
    },
  }),
];

/** @throws AtelierError as the endpoint does, also for visitors without a wallet */
async function pass(
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { studio, caller }: Visit,
  { header }: OperationCall,
): Promise<FileAnswer | StreamAnswer> {
  const answer = await callOperation(studio.kit, operation, raw, caller, { method: 'GET', header });
  if ('file' in answer) return answer.file;
  if ('stream' in answer) return answer.stream;
  throw new Error(`${operation.name} answers no file`);
}
