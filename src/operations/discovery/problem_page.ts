import { z } from 'zod';
import { problemHtml, problemText } from '../../catalogue/problems.ts';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { defineOperation } from '../operation.ts';

/** Where the `type` of every problem object leads. */
export const problemPage = defineOperation({
  name: 'problem_page',
  methods: ['GET'],
  path: '/problems/{code}',
  tag: 'discovery',
  summary: 'What an error code means and what to do about it.',
  input: z.object({ code: z.enum(Object.keys(ERRORS) as ErrorCode[]) }),
  answer: { file: 'text/plain', description: 'Plain text, or HTML for a caller that asks for it.' },
  cacheSeconds: 3600,
  run: async ({ code }, _services: object, { header }) => {
    const wantsHtml = header('accept')?.includes('text/html') ?? false;
    return {
      bytes: wantsHtml ? problemHtml(code) : problemText(code),
      contentType: `text/${wantsHtml ? 'html' : 'plain'}; charset=utf-8`,
      headers: { Vary: 'Accept' },
    };
  },
});
