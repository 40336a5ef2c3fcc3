import { z } from 'zod';
import { closest } from '../../../catalog/closest.ts';
import { AtelierError, type ErrorCode } from '../../../core/errors/atelier_error.ts';
import { ERRORS } from '../../../core/errors/codes.ts';
import { problemHtml, problemText } from '../../../core/html/problem_page.ts';
import { type BytesAnswer, defineOperation } from '../../definitions/operation.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];

/** Target of the `type` of every problem object. */
export const problemPage = defineOperation({
  name: 'problem_page',
  methods: ['GET'],
  path: '/problems/{code}',
  tag: 'discovery',
  summary: 'Meaning of an error code and its fix.',
  input: z.object({ code: z.string().meta({ enum: CODES }) }),
  answer: { file: 'text/plain', description: 'Plain text, or HTML by content negotiation.' },
  cacheSeconds: 3600,
  run: async ({ code: asked }, _services: object, { header }) => {
    const code = requireCode(asked);
    const wantsHtml = header('accept')?.includes('text/html') ?? false;
    const { headers, ...answer }: BytesAnswer = wantsHtml
      ? await problemHtml(code)
      : { bytes: problemText(code), contentType: 'text/plain; charset=utf-8' };
    return { ...answer, headers: { ...headers, Vary: 'Accept' } };
  },
});

/** Validates an error code. @throws AtelierError not_found, not invalid_input, because the page does not exist */
function requireCode(asked: string): ErrorCode {
  const code = CODES.find((one) => one === asked);
  if (code) return code;
  const near = closest(asked, CODES).slice(0, 3);
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : 'Every code is in /openapi.json.';
  throw new AtelierError('not_found', `Unknown error code ${JSON.stringify(asked.slice(0, 60))}. ${hint}`, {
    members: { did_you_mean: near },
  });
}
