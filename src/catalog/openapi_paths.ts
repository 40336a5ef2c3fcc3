import type { AnyOperation, FileType } from '../features/definitions/operation.ts';
import { highestPrice, isFree, usd } from '../features/definitions/price.ts';
import type { AnyTool } from '../features/definitions/tool.ts';
import { answerJsonSchema, costFields, inputJsonSchema } from './envelope_schema.ts';
import { type JsonSchema, jsonSchema } from './json_schema.ts';
import { priceText } from './next_steps.ts';
import { operationFailures, toolFailures } from './openapi_failures.ts';
import { MPP_ANSWER_HEADERS, paymentInfo, paymentSecurity, X402_ANSWER_HEADERS } from './openapi_payment.ts';
import type { PaymentWays } from './payment_ways.ts';
import { sharedAnswersOf } from './shared_answers.ts';

const TARGET = 'openapi-3.0';
const ENVELOPE_PARTS = { cost: 'Cost', next_steps: 'NextSteps', payment: 'Payment', warnings: 'Warnings' };
const ANSWER_HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** @param mayRespondAsync whether a call may become a job */
export function toolPath(
  tool: AnyTool,
  ways: PaymentWays = {},
  { mayRespondAsync = false } = {},
): JsonSchema {
  const isPaid = highestPrice(tool.price) > 0;
  return {
    post: {
      operationId: tool.name,
      tags: [tool.category],
      summary: tool.title,
      description: `${tool.summary} Price: ${priceText(tool.price)}.`,
      security: securityOf(tool, ways),
      ...(isPaid && { 'x-payment-info': paymentInfo(tool.price, ways) }),
      parameters: [
        { $ref: '#/components/parameters/IdempotencyKey' },
        ...(mayRespondAsync ? [{ $ref: '#/components/parameters/Prefer' }] : []),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: inputJsonSchema(tool, TARGET), ...examplesOf(tool.examples) },
        },
      },
      responses: {
        200: toolAnswer(tool, ways),
        ...(mayRespondAsync && { 202: { $ref: '#/components/responses/JobAccepted' } }),
        ...toolFailures(tool),
      },
    },
  };
}

/** A call made of others is paid with credits only. */
function securityOf({ price }: AnyTool, ways: PaymentWays): JsonSchema[] {
  if (isFree(price)) return [];
  return paymentSecurity(price.kind === 'steps' ? {} : ways);
}

const examplesOf = (bodies: readonly Record<string, unknown>[]): JsonSchema =>
  bodies.length === 0
    ? {}
    : { examples: Object.fromEntries(bodies.map((value, at) => [`example_${at + 1}`, { value }])) };

function toolAnswer(tool: AnyTool, ways: PaymentWays): JsonSchema {
  const isPaid = highestPrice(tool.price) > 0;
  const headers = {
    ...(isPaid && ways.x402 && X402_ANSWER_HEADERS),
    ...(isPaid && ways.takesTokens && MPP_ANSWER_HEADERS),
  };
  return {
    description: 'The answer, or the price when `dry_run` was true.',
    headers: { ...ANSWER_HEADERS, ...rateHeaders, ...headers },
    content: {
      'application/json': {
        schema: {
          anyOf: [
            withSharedAnswers(tool, withSharedParts(answerJsonSchema(tool, TARGET, ways))),
            { $ref: '#/components/schemas/Quote' },
          ],
        },
        examples: { dry_run: { summary: 'The answer to `dry_run: true`', value: quoteExample(tool) } },
      },
      'text/event-stream': {
        schema: {
          type: 'string',
          description:
            'With `Accept: text/event-stream`: events `progress` {"fraction", "message"} while the call runs, then one event `result` {"status", "body"}.',
        },
      },
    },
  };
}

const rateHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** The envelope's fields by reference: they are the same in every answer. */
function withSharedParts(schema: JsonSchema, isShared = (_field: string) => true): JsonSchema {
  const references = Object.fromEntries(
    Object.entries(ENVELOPE_PARTS)
      .filter(([field]) => isShared(field))
      .map(([field, name]) => [field, { $ref: `#/components/schemas/${name}` }]),
  );
  return { ...schema, properties: { ...(schema.properties as JsonSchema), ...references } };
}

/** Fields of the tool's own that others answer with too, by reference. */
function withSharedAnswers(tool: AnyTool, schema: JsonSchema): JsonSchema {
  const references = Object.entries(sharedAnswersOf(tool)).map(([field, { name }]) => [
    field,
    { $ref: `#/components/schemas/${name}` },
  ]);
  return {
    ...schema,
    properties: { ...(schema.properties as JsonSchema), ...Object.fromEntries(references) },
  };
}

function quoteExample({ name, price }: AnyTool): JsonSchema {
  const credit = highestPrice(price);
  return {
    dry_run: true,
    tool: name,
    valid: true,
    quote: { credit, usd: usd(credit) },
    checks: [{ check: 'input', state: 'passed', detail: 'Every field fits.' }],
    estimate: {
      typical_ms: null,
      slow_ms: null,
      runs: 0,
      basis: 'No estimate: this call has not run since the server started.',
    },
    cost: { credit: 0, usd: 0, note: 'A dry run costs nothing.' },
    next_steps: [],
  };
}

/** One entry per method; an operation with two methods takes the same input from the query or from the body. */
export function operationPath(operation: AnyOperation): JsonSchema {
  return Object.fromEntries(
    operation.methods.map((method, at) => [
      method.toLowerCase(),
      {
        operationId: at === 0 ? operation.name : `${operation.name}_by_${method.toLowerCase()}`,
        tags: [operation.tag],
        summary: operation.summary,
        security: operation.operator
          ? [{ operatorToken: [] }]
          : operation.ownerOnly
            ? [{ walletProof: [] }, { signedRequest: [] }]
            : [],
        ...inputOf(operation, method),
        responses: {
          200: operationAnswer(operation),
          ...alsoUnwell(operation),
          ...redirect(operation),
          ...operationFailures(operation, method),
        },
      },
    ]),
  );
}

function inputOf({ input, path, body }: AnyOperation, method: string): JsonSchema {
  const schema = jsonSchema(input, { target: TARGET, io: 'input' });
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const isInBody = (name: string) => isWrite(method) && !isBytes(body) && !path.includes(`{${name}}`);
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  const parameters: JsonSchema[] = fields
    .filter(([name]) => !isInBody(name))
    .map(([name, { description, ...field }]) => ({
      name,
      in: path.includes(`{${name}}`) ? 'path' : 'query',
      required: path.includes(`{${name}}`) || required.has(name),
      ...(description !== undefined && { description }),
      schema: field,
    }));
  if (method === 'POST' && !isBytes(body))
    parameters.push({ $ref: '#/components/parameters/IdempotencyKey' });
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(isWrite(method) && {
      requestBody: requestBody(
        fields.filter(([name]) => isInBody(name)),
        required,
        body,
      ),
    }),
  };
}

const isBytes = (body: AnyOperation['body']): boolean => body === 'raw' || body === 'stream';

const isWrite = (method: string): boolean => method === 'POST' || method === 'PUT';

function requestBody(
  fields: [string, JsonSchema][],
  required: Set<string>,
  body: AnyOperation['body'],
): JsonSchema {
  if (isBytes(body))
    return { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } };
  const names = fields.map(([name]) => name).filter((name) => required.has(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(names.length > 0 && { required: names }),
  };
  return { required: names.length > 0, content: { 'application/json': { schema } } };
}

function operationAnswer({ answer }: AnyOperation): JsonSchema {
  if (isFile(answer)) {
    const schema = schemaOfFile(answer.file);
    return {
      description: answer.description,
      headers: ANSWER_HEADERS,
      content: {
        [answer.file]: { schema },
        ...(answer.alsoAs !== undefined && { [answer.alsoAs]: { schema } }),
      },
    };
  }
  const fields: Readonly<Record<string, unknown>> = costFields;
  const schema = withSharedParts(
    jsonSchema(answer, { target: TARGET, io: 'output' }),
    (field) => field in fields && answer.shape[field] === fields[field],
  );
  return { description: 'The answer.', headers: ANSWER_HEADERS, content: { 'application/json': { schema } } };
}

/** JSON is an object; lines of JSON are text to whoever reads a whole answer as JSON. */
function schemaOfFile(mediaType: string): JsonSchema {
  if (/[/+]json$/.test(mediaType)) return { type: 'object' };
  return /^text\/|jsonl$/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

const isFile = (answer: object): answer is FileType => 'file' in answer && typeof answer.file === 'string';

/** A health check answers in the same shape under 503. */
const alsoUnwell = (operation: AnyOperation): JsonSchema =>
  operation.alsoStatus === undefined
    ? {}
    : {
        [operation.alsoStatus]: {
          ...operationAnswer(operation),
          description: 'The same shape when this server cannot serve.',
        },
      };

const redirect = ({ leadsTo }: AnyOperation): JsonSchema =>
  leadsTo === undefined
    ? {}
    : { 303: { description: leadsTo, headers: { Location: { schema: { type: 'string', format: 'uri' } } } } };
