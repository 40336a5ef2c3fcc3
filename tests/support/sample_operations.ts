import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../../src/features/definitions/operation.ts';

const run = () => Promise.reject(new Error('not called'));

/** Invented endpoints with every property that affects the documents. For tests. */
export const sampleOperations: readonly AnyOperation[] = [
  defineOperation({
    name: 'post_note',
    methods: ['GET', 'POST'],
    path: '/api/notes/post',
    tag: 'community',
    summary: 'Leave a note for all.',
    input: z.object({
      name: z.string().max(9).describe('Who.'),
      mood: z.enum(['calm', 'glad']).default('calm'),
    }),
    answer: z.object({ posted: z.literal(true) }),
    limit: { name: 'notes', calls: 1, perSeconds: 60 },
    run,
  }),
  defineOperation({
    name: 'open_note',
    methods: ['GET'],
    path: '/api/notes/{id}/picture',
    tag: 'files',
    summary: 'The picture of a note.',
    input: z.object({ id: z.string(), size: z.int().min(1).max(9).optional() }),
    answer: { file: 'image/png', description: 'A picture.' },
    run,
  }),
  defineOperation({
    name: 'delete_note',
    methods: ['DELETE'],
    path: '/api/notes/{id}',
    tag: 'files',
    summary: 'Delete a note.',
    input: z.object({ id: z.string() }),
    answer: z.object({ deleted: z.boolean() }),
    run,
  }),
  defineOperation({
    name: 'send_bytes',
    methods: ['POST'],
    path: '/api/bytes',
    tag: 'files',
    summary: 'Send bytes once.',
    input: z.object({}),
    body: 'raw',
    answer: z.object({ uri: z.string() }),
    run,
  }),
];
