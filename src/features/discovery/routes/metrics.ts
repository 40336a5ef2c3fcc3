import { z } from 'zod';
import type { Reading } from '../../../core/telemetry/types.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import { READER_FAILURES, requireReader } from './require_reader.ts';

/** `/metrics`, for Prometheus. */
export const metricsOperation = ({ exposition, mayRead }: Reading): AnyOperation =>
  defineOperation({
    name: 'metrics',
    methods: ['GET'],
    path: '/metrics',
    alsoFails: READER_FAILURES,
    tag: 'discovery',
    summary: 'What this server measures of itself, for its operator.',
    input: z.object({}),
    isPrivate: true,
    answer: { file: 'text/plain', description: 'The text format of Prometheus, version 0.0.4.' },
    run: async (_input, _services, call) => {
      await requireReader(mayRead, call);
      const { text, contentType } = await exposition();
      return { bytes: text, contentType, headers: { 'Cache-Control': 'no-store' } };
    },
  });
