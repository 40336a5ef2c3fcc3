import { z } from 'zod';
import { ERRORS, type ErrorCode, isRetryable } from '../core/errors/atelier_error.ts';
import { isImageField } from '../features/definitions/fields.ts';
import type { AnyOperation } from '../features/definitions/operation.ts';
import { isFree } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { costFields } from './envelope_schema.ts';
import type { JsonSchema } from './json_schema.ts';

const amount = z.number().min(-1e12).max(1e12);

/** Common format of all errors: RFC 9457 members, then ours. */
export const problem = z.object({
  type: z.string().describe('Page about this error code.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('What went wrong in this call and what to send instead.'),
  instance: z.string().describe('Path of the request.'),
  code: z.enum(Object.keys(ERRORS) as ErrorCode[]).describe('Stable error code.'),
  error: z.string().describe('The same text as `detail`.'),
  request_id: z.string(),
  retryable: z.boolean().describe('true if the same call may succeed later.'),
  fix: z.string(),
  retry_after_s: z.number().min(0).max(1e9).optional(),
  errors: z
    .array(
      z.object({
        field: z.string().describe('Dotted path into the request body.'),
        code: z.string(),
        message: z.string(),
        expected: z.string().optional(),
        got: z.unknown().optional().describe('Absent if no single value is at fault.'),
      }),
    )
    .optional()
    .describe('Every field that needs correcting.'),
  try: z.record(z.string(), z.unknown()).optional().describe('A corrected request body, if there is one.'),
  did_you_mean: z.array(z.string()).optional(),
  _sandbox: z.literal(true).optional().describe('Simulated by force_error: nothing failed.'),
  next_steps: costFields.next_steps,
});

/** Additional fields of a 402: price, wallet state, and all payment methods. */
export const paymentProblem = problem.extend({
  tool: z.string(),
  cost: costFields.cost,
  credits: z.object({
    required: amount,
    wallet: z.string().optional(),
    registered: z.boolean().optional(),
    balance: amount.optional(),
    available: amount.optional(),
    shortfall: amount.optional(),
    packs: z.array(
      z.object({
        name: z.string(),
        credits: amount,
        per_credit: amount,
        price_usd: amount,
        savings: z.string(),
        checkout_url: z.string(),
      }),
    ),
    free_trial: z.object({ amount, value_usd: amount, how: z.string() }),
  }),
  checkout_url: z.string().optional().describe('Page where a person buys credits by card.'),
  payment_options: z.array(z.record(z.string(), z.unknown())),
  payment_intent: z
    .object({ id: z.string(), status: z.string(), pay_url: z.string() })
    .optional()
    .describe('The unpaid payment intent.'),
  payment_state: z.string().optional().describe('State of the payment that was sent.'),
});

/** An example error of this code, for the documents. */
function exampleProblem(code: ErrorCode, publicUrl: string): z.input<typeof problem> {
  const { status, title, fix } = ERRORS[code];
  const detail = `${title}. ${fix}`;
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: '/api/tools/search_tools',
    code,
    error: detail,
    request_id: 'req_0123456789abcdef01234567',
    retryable: isRetryable(code),
    fix,
    next_steps: [],
  };
}

/** All statuses except those of requests outside the document: unsupported method, range or header size. */
const STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))]
  .filter((status) => ![405, 416, 431].includes(status))
  .sort((a, b) => a - b);

/** Statuses of failed calls of this tool; `components.responses` describes them. */
export function toolFailures(tool: AnyTool): JsonSchema {
  const takesImages = Object.values(tool.input.shape).some((schema) => isImageField(schema as object));
  return failures([
    400,
    401,
    403,
    404,
    408,
    409,
    413,
    415,
    422,
    429,
    500,
    503,
    504,
    ...(isFree(tool.price) ? [] : [402]),
    ...(takesImages || tool.effects.openWorld ? [502] : []),
  ]);
}

/** Discovery documents ignore credentials and take no input besides their path. */
export function operationFailures(operation: AnyOperation, method: string): JsonSchema {
  const { tag, path, input, limit, body, operator, rehearses } = operation;
  const takesInput = Object.keys(input.shape).length > 0;
  return failures([
    500,
    ...(takesInput ? [400] : []),
    ...(path.includes('{') || (tag === 'files' && method === 'GET') ? [404] : []),
    ...(tag === 'discovery' ? [] : [401, 429, 503]),
    ...(limit ? [429] : []),
    ...(mayBeForbidden(operation, method) ? [403] : []),
    ...(operator && method === 'POST' ? [404] : []),
    ...(method === 'POST' || method === 'PUT' ? [400, 408, 413] : []),
    ...(body === 'file' ? [422] : []),
    ...(method === 'POST' && (body ?? 'json') === 'json' ? [409, 422] : []),
    // A Content-Encoding is refused for every body.
    ...(method === 'POST' ? [415] : []),
    ...(body === 'stream' ? [422] : []),
    ...(tag === 'files' ? [415] : []),
    ...(tag === 'payment' && takesInput ? [404, 422, 502] : []),
    ...(rehearses ? [504] : []),
    ...(rehearses && !isFree(rehearses.price) ? [402] : []),
    ...(operation.alsoFails ?? []),
  ]);
}

/** For callers without permission, and for pages of other origins, which may only read public data. */
const mayBeForbidden = (
  { methods, reaches, ownerOnly, operator, answersSecret, isPrivate }: AnyOperation,
  method: string,
): boolean =>
  Boolean(reaches ?? ownerOnly ?? operator ?? answersSecret ?? isPrivate) ||
  methods.includes('POST') ||
  method !== 'GET';

const failures = (statuses: number[]): JsonSchema =>
  Object.fromEntries(
    [...new Set(statuses)].map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );

/**
 * One shared response per status, with all its codes, in both media types.
 * @param paymentHeaders additional headers of a 402
 */
export function failureResponses(publicUrl: string, paymentHeaders: JsonSchema = {}): JsonSchema {
  const headersOf = (status: number) => (status === 402 ? paymentHeaders : {});
  return Object.fromEntries(
    STATUSES.map((status) => [nameOf(status), failureResponse(status, publicUrl, headersOf(status))]),
  );
}

/** Short, because the document refers to them thousands of times. */
const nameOf = (status: number): string => `E${status}`;

/** Examples per status: the description names every code, and the table of errors has the rest. */
const EXAMPLES_MAX = 5;

function failureResponse(status: number, publicUrl: string, headers: JsonSchema): JsonSchema {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
  const schema = status === 402 ? { anyOf: [schemaNamed('PaymentProblem'), PROBLEM] } : PROBLEM;
  const content = {
    schema,
    // The 402 contains the client's wallet and current packs; a fixed example would be wrong.
    ...(status !== 402 && {
      examples: Object.fromEntries(
        codes.slice(0, EXAMPLES_MAX).map((code) => [code, example(code, publicUrl)]),
      ),
    }),
  };
  const mayRetry = status === 409 || status === 429 || status === 503;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(mayRetry && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }),
      ...headers,
    },
    // The same body under both types; the examples once, because they are a tenth of the document.
    content: { 'application/problem+json': content, 'application/json': { schema } },
  };
}

const schemaNamed = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** A 402 of a free endpoint that requires a registered wallet has no price. */
const PROBLEM = schemaNamed('Problem');

const example = (code: ErrorCode, publicUrl: string) => ({
  summary: ERRORS[code].title,
  value: exampleProblem(code, publicUrl),
});
