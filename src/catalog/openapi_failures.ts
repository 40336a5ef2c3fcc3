import { ERRORS, type ErrorCode } from '../core/errors/atelier_error.ts';
import { isImageField } from '../features/definitions/fields.ts';
import type { AnyOperation } from '../features/definitions/operation.ts';
import { isFree } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import type { JsonSchema } from './json_schema.ts';
import { exampleProblem } from './problem_schema.ts';

/** All but those of requests that are not in the document: methods nobody takes, parts there are none of, headers beyond reading. */
const STATUSES = [...new Set(Object.values(ERRORS).map(({ status }) => status))]
  .filter((status) => ![405, 416, 431].includes(status))
  .sort((a, b) => a - b);

/** Statuses a call of this tool can fail with; what they mean is in `components.responses`. */
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

/** Discovery documents look at no credentials and take no input beside their path. */
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
    ...(body === 'raw' && tag === 'files' ? [422] : []),
    ...(method === 'POST' && body !== 'raw' && body !== 'stream' ? [409, 415, 422] : []),
    ...(body === 'stream' ? [422] : []),
    ...(tag === 'files' ? [415] : []),
    ...(tag === 'payment' && takesInput ? [404, 422, 502] : []),
    ...(rehearses && !isFree(rehearses.price) ? [402, 504] : []),
    ...(operation.alsoFails ?? []),
  ]);
}

/** To callers without the right to it; and to pages of others, which may only read what is public. */
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
 * One shared response per status, each naming every code it may carry, in both media types.
 * @param paymentHeaders what a 402 carries beside
 */
export function failureResponses(publicUrl: string, paymentHeaders: JsonSchema = {}): JsonSchema {
  const headersOf = (status: number) => (status === 402 ? paymentHeaders : {});
  return Object.fromEntries(
    STATUSES.map((status) => [nameOf(status), failureResponse(status, publicUrl, headersOf(status))]),
  );
}

const nameOf = (status: number): string => `Problem${status}`;

function failureResponse(status: number, publicUrl: string, headers: JsonSchema): JsonSchema {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].status === status);
  const content = {
    schema: status === 402 ? { anyOf: [schemaNamed('PaymentProblem'), PROBLEM] } : PROBLEM,
    // The 402 carries the caller's own wallet and the packs of the day; a typed example would be wrong at once.
    ...(status !== 402 && {
      examples: Object.fromEntries(codes.map((code) => [code, example(code, publicUrl)])),
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
    content: { 'application/problem+json': content, 'application/json': content },
  };
}

const schemaNamed = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
/** A 402 of an endpoint that costs nothing, and only wants a registered wallet, has no price to tell. */
const PROBLEM = schemaNamed('Problem');

const example = (code: ErrorCode, publicUrl: string) => ({
  summary: ERRORS[code].title,
  value: exampleProblem(code, publicUrl),
});
