import { z } from 'zod';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { Reading } from '../../services/telemetry/contract.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

/** `/metrics`, for Prometheus. */
export const metricsOperation = ({ exposition, mayRead }: Reading): AnyOperation =>
  defineOperation({
    name: 'metrics',
    methods: ['GET'],
    path: '/metrics',
    tag: 'discovery',
    summary: 'What this server measures of itself, for its operator.',
    input: z.object({}),
    isPrivate: true,
    answer: { file: 'text/plain', description: 'The text format of Prometheus, version 0.0.4.' },
    run: async (_input, _services, call) => {
      if (!mayRead(call)) throw new AtelierError('operator_only');
      const { text, contentType } = await exposition();
      return { bytes: text, contentType, headers: { 'Cache-Control': 'no-store' } };
    },
  });
