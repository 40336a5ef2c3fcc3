import { z } from 'zod';
import { exportWallet } from '../../../features/account/routes/export/index.ts';
import { openVersion } from '../../../features/assets/routes/earlier.ts';
import { showInvoice } from '../../../features/billing/routes/invoices.ts';
import {
  type AnyOperation,
  defineOperation,
  type FileAnswer,
  isStoredFile,
  type OperationCall,
  type StreamAnswer,
} from '../../../features/definitions/operation.ts';
import type { Services } from '../../../features/services.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import { PICTURES, previewOf } from '../tools/picture_operation.ts';
import type { Studio, Visit } from '../types.ts';
import { visitOf } from '../visit_of.ts';

/** Files of bearer-authenticated endpoints, for page links that use the cookie. */
export const passedFiles = (studio: Studio): readonly AnyOperation[] => [
  defineOperation({
    name: 'studio_export',
    methods: ['GET'],
    path: '/wallet/export.tar',
    tag: 'studio',
    summary: 'Archive of the visitor’s wallet.',
    input: z.object({}),
    answer: exportWallet.answer,
    isPrivate: true,
    run: async (_input, _services: object, call) => pass(exportWallet, {}, await visitOf(studio, call), call),
  }),
  defineOperation({
    name: 'studio_invoice',
    methods: ['GET'],
    path: '/wallet/invoices/{id}',
    tag: 'studio',
    summary: 'An invoice of the visitor’s wallet, as PDF.',
    input: showInvoice.input.pick({ id: true }),
    answer: showInvoice.answer,
    isPrivate: true,
    run: async ({ id }, _services: object, call) =>
      pass(showInvoice, { id }, await visitOf(studio, call), call),
  }),
  defineOperation({
    name: 'studio_earlier_file',
    methods: ['GET'],
    path: '/wallet/earlier/{id}',
    tag: 'studio',
    summary: 'A file version or trash entry of the visitor’s wallet, or its preview.',
    input: openVersion.input.pick({ id: true }).extend({ size: z.enum(['whole', 'small']).default('whole') }),
    answer: openVersion.answer,
    isPrivate: true,
    limit: PICTURES,
    async run({ id, size }, services: Pick<Services, 'pixels' | 'images'>, call) {
      const visit = await visitOf(studio, call);
      const file = await pass(openVersion, { id, wallet: visit.visitor.wallet }, visit, call);
      if (size === 'whole' || !('bytes' in file) || !isStoredFile(file)) return file;
      await studio.context.requestScopes.reserve(file.bytes.size);
      const picture = services.images.ofBytes(await file.bytes.bytes(), 'id');
      return previewOf(services, picture, { ...call, wallet: visit.visitor.wallet, size });
    },
  }),
];

/** @throws AtelierError of the endpoint, also for visitors without a wallet */
async function pass(
  operation: AnyOperation,
  raw: Record<string, unknown>,
  { studio, caller }: Visit,
  { header }: OperationCall,
): Promise<FileAnswer | StreamAnswer> {
  const answer = await callOperation(studio.context, operation, raw, caller, { method: 'GET', header });
  if ('file' in answer) return answer.file;
  if ('stream' in answer) return answer.stream;
  throw new Error(`${operation.name} answers no file`);
}
