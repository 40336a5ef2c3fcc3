import { z } from 'zod';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX, IDEMPOTENCY_LIFETIME_MS } from '../config/limits.ts';
import { keyFields } from '../features/account/routes/keys.ts';
import {
  engineAnswer,
  expectedFields,
  imageAnswer,
  imageField,
  outputField,
} from '../features/definitions/fields.ts';
import type { AnyOperation, FileType, Tag } from '../features/definitions/operation.ts';
import {
  metadataAnswer,
  passthroughAnswerFields,
  passthroughFields,
} from '../features/definitions/passthrough_answer.ts';
import { highestPrice, isFree, usd } from '../features/definitions/price.ts';
import { qualityAnswer } from '../features/definitions/quality_answer.ts';
import type { AnyTool, Category } from '../features/definitions/tool.ts';
import { factAnswer } from '../features/enrichment/tools/analysis_answer.ts';
import { jobOutput } from '../features/jobs/routes/job_answer.ts';
import { recipeFields } from '../features/recipes/routes/recipe_answer.ts';
import {
  actAnswer,
  branchAnswer,
  commentAnswer,
  itemAnswer,
  linkAnswer,
} from '../features/workspaces/routes/fields.ts';
import { DESCRIPTION } from './about.ts';
import {
  answerJsonSchema,
  callFields,
  costFields,
  envelopeFields,
  inputJsonSchema,
  paymentFields,
  placedAnswer,
  previewAnswer,
  quoteAnswer,
  workspaceFields,
} from './envelope_schema.ts';
import { type JsonSchema, jsonSchema, type SchemaForm } from './json_schema.ts';
import { priceText } from './next_steps.ts';
import {
  failureResponses,
  operationFailures,
  paymentProblem,
  problem,
  toolFailures,
} from './openapi_failures.ts';
import {
  MPP_ANSWER_HEADERS,
  MPP_DEMAND_HEADERS,
  mppHeaders,
  paymentInfo,
  paymentSchemes,
  paymentSecurity,
  X402_ANSWER_HEADERS,
  X402_DEMAND_HEADERS,
  x402Headers,
  x402Members,
} from './openapi_payment.ts';
import type { PaymentWays } from './payment_ways.ts';

/** Schemas that occur in many places, which OpenAPI describes once. */
const REPEATED = {
  input: {
    ImageField: imageField,
    DryRunField: callFields.dry_run,
    AsyncField: callFields.async,
    PayerField: paymentFields.payer,
    ApprovalField: paymentFields.approval,
    WorkspaceField: workspaceFields.workspace,
    ExpectedSha256: expectedFields.expect_sha256,
    ExpectedBytes: expectedFields.expect_bytes,
    KeptMetadata: passthroughFields.keep,
    KeptLocation: passthroughFields.keep_location,
    OutputForm: outputField,
  },
  output: {
    Quality: qualityAnswer.quality,
    CarriedMetadata: metadataAnswer.metadata,
    KeptManifest: passthroughAnswerFields.kept_manifest,
    TimeStamp: passthroughAnswerFields.time_stamp,
    Engine: engineAnswer.engine,
    DegradedReason: engineAnswer.degraded_reason,
    RecipeInputs: recipeFields.inputs,
    RecipeSteps: recipeFields.steps,
    JobCredits: jobOutput.shape.credits,
    JobEstimate: jobOutput.shape.estimate,
    JobProgress: jobOutput.shape.progress,
    ImageB64: imageAnswer.image_b64,
    ResultUrl: imageAnswer.result_url,
    FileExpiresAt: imageAnswer.expires_at,
    FileName: imageAnswer.name,
    Fact: factAnswer,
    WalletKey: keyFields,
    PlacedAct: placedAnswer,
    WorkspaceItem: itemAnswer,
    WorkspaceAct: actAnswer,
    WorkspaceBranch: branchAnswer,
    WorkspaceComment: commentAnswer,
    WorkspaceLink: linkAnswer,
  },
} satisfies Record<SchemaForm['io'], Record<string, z.ZodType>>;

/** The same as JSON Schema, by name. */
function repeatedSchemas(): Record<string, JsonSchema> {
  const schemas = Object.entries(REPEATED).map(
    ([io, fields]) =>
      jsonSchema(z.object(fields), { target: TARGET, io: io as SchemaForm['io'] }).properties as Record<
        string,
        JsonSchema
      >,
  );
  return Object.assign({}, ...schemas);
}

/** The paths with a reference in place of every schema of `repeatedSchemas`, and the schemas referred to. */
function referToRepeated(paths: Record<string, JsonSchema>) {
  const used: Record<string, JsonSchema> = {};
  const schemas = repeatedSchemas();
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const refer = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(refer);
    if (typeof node !== 'object' || node === null) return node;
    const name = 'type' in node ? names.get(JSON.stringify(node)) : undefined;
    if (name !== undefined) {
      used[name] = schemas[name]!;
      return { $ref: `#/components/schemas/${name}` };
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value)]));
  };
  return { paths: refer(paths) as Record<string, JsonSchema>, repeated: used };
}

const TARGET = 'openapi-3.0';
const ENVELOPE_PARTS = {
  cost: 'Cost',
  next_steps: 'NextSteps',
  payment: 'Payment',
  looked_at: 'LookedAt',
  warnings: 'Warnings',
};
const ANSWER_HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** @param mayRespondAsync whether a call may become a job */
function toolPath(tool: AnyTool, ways: PaymentWays = {}, { mayRespondAsync = false } = {}): JsonSchema {
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
          'application/json': {
            schema: inputJsonSchema(tool, TARGET),
            ...examplesOf(tool.examples),
          },
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

/** A call with steps can only be paid with credits. */
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
    description: 'The response; the price if `dry_run` is true; a preview if `preview` is true.',
    headers: { ...ANSWER_HEADERS, ...rateHeaders, ...headers },
    content: {
      'application/json': {
        schema: {
          anyOf: [
            withSharedParts(answerJsonSchema(tool, TARGET, ways), (field) => !(field in tool.output.shape)),
            { $ref: '#/components/schemas/Quote' },
            ...(tool.preview ? [{ $ref: '#/components/schemas/Preview' }] : []),
          ],
        },
        examples: { dry_run: { $ref: '#/components/examples/DryRun' } },
      },
      'text/event-stream': { schema: { $ref: '#/components/schemas/EventStream' } },
    },
  };
}

const rateHeaders = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** References the common envelope fields. */
function withSharedParts(schema: JsonSchema, isShared = (_field: string) => true): JsonSchema {
  const references = Object.fromEntries(
    Object.entries(ENVELOPE_PARTS)
      .filter(([field]) => isShared(field))
      .map(([field, name]) => [field, { $ref: `#/components/schemas/${name}` }]),
  );
  return { ...schema, properties: { ...(schema.properties as JsonSchema), ...references } };
}

function quoteExample({ name, price }: AnyTool): JsonSchema {
  const credit = highestPrice(price);
  return {
    dry_run: true,
    tool: name,
    valid: true,
    quote: { credit, usd: usd(credit) },
    checks: [{ check: 'input', state: 'passed', detail: 'All fields are valid.' }],
    estimate: {
      typical_ms: null,
      slow_ms: null,
      runs: 0,
      basis: 'No estimate: this tool has not run since the server started.',
    },
    cost: { credit: 0, usd: 0, note: 'A dry run costs nothing.' },
    next_steps: [],
  };
}

/** One entry per method; an operation with two methods takes the same input from the query or the body. */
function operationPath(operation: AnyOperation): JsonSchema {
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

const isBytes = (body: AnyOperation['body']): boolean =>
  body === 'raw' || body === 'file' || body === 'stream';

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
  return {
    description: 'The response.',
    headers: ANSWER_HEADERS,
    content: { 'application/json': { schema } },
  };
}

/** JSON is an object; JSON lines are text to clients that parse a whole response as JSON. */
function schemaOfFile(mediaType: string): JsonSchema {
  if (/[/+]json$/.test(mediaType)) return { type: 'object' };
  return /^text\/|jsonl$/.test(mediaType) ? { type: 'string' } : { type: 'string', format: 'binary' };
}

const isFile = (answer: object): answer is FileType => 'file' in answer && typeof answer.file === 'string';

/** A health check has the same response body with status 503. */
const alsoUnwell = (operation: AnyOperation): JsonSchema =>
  operation.alsoStatus === undefined
    ? {}
    : {
        [operation.alsoStatus]: {
          ...operationAnswer(operation),
          description: 'Same schema, if this server is not healthy.',
        },
      };

const redirect = ({ leadsTo }: AnyOperation): JsonSchema =>
  leadsTo === undefined
    ? {}
    : { 303: { description: leadsTo, headers: { Location: { schema: { type: 'string', format: 'uri' } } } } };

export interface DocumentContext extends PaymentWays {
  readonly publicUrl: string;
  readonly version: string;
}

const TAG_TEXTS: Record<Category | Tag | 'mcp', string> = {
  creative: 'Tools that process images.',
  dataset: 'Tools on the collection of public-domain artworks.',
  storage: 'Tools that store files for a wallet.',
  account: 'Wallets, balances and the catalogue itself.',
  payment: 'Credits, packs and card payment.',
  community: 'Cafe, gallery and guest registry.',
  sandbox: 'Free sample responses of paid and free tools.',
  provenance: 'The archive and the transparency log: commitments and their proofs.',
  files: 'Uploaded files, and files that a call produced.',
  iiif: 'IIIF for viewers of the dataset: image tiles, manifests, collections and changes.',
  jobs: 'Calls that returned 202 and run in the background.',
  recipes: 'Saved step sequences for run_recipe; presets.',
  workspaces: 'Images and the calls that made them, shared by people and agents.',
  webhooks: 'Events sent to a URL of yours.',
  operator: 'Endpoints for the operator of the server, with an operator token.',
  discovery: 'Machine-readable descriptions of this service.',
  studio: 'Pages for people.',
  mcp: 'The Model Context Protocol.',
};

/**
 * The OpenAPI 3.0.3 document of the service. Format: OpenAPI Specification 3.0.3.
 * @param publicUrl public base URL without a trailing slash
 */
export function openApiDocument(
  tools: readonly AnyTool[],
  operations: readonly AnyOperation[],
  { publicUrl, version, ...ways }: DocumentContext,
): JsonSchema {
  const job = operations.find(({ tag, methods }) => tag === 'jobs' && methods.includes('GET'));
  const mayRespondAsync = job !== undefined;
  const { paths, repeated } = referToRepeated({
    ...Object.fromEntries(
      tools.map((tool) => [`/api/tools/${tool.name}`, toolPath(tool, ways, { mayRespondAsync })]),
    ),
    ...pathsOf(operations),
    '/mcp': transportPath,
  });
  return {
    openapi: '3.0.3',
    info: {
      title: 'Atelier',
      version,
      description: `${DESCRIPTION} Every tool is one POST with a JSON object; every failure is one problem object with a fix.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: publicUrl }],
    'x-service-info': {
      categories: ['media', 'data'],
      docs: { apiReference: `${publicUrl}/openapi.json`, homepage: publicUrl, llms: `${publicUrl}/llms.txt` },
    },
    tags: tagsOf(tools, operations),
    paths,
    components: components(publicUrl, {
      repeated,
      tools,
      hasOwnerOnly: operations.some(({ ownerOnly }) => ownerOnly),
      hasOperator: operations.some(({ operator }) => operator),
      ways,
      job,
    }),
  };
}

/** Two operations may share a path with different methods. */
function pathsOf(operations: readonly AnyOperation[]): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], ...operationPath(operation) };
  }
  return paths;
}

function tagsOf(tools: readonly AnyTool[], operations: readonly AnyOperation[]): JsonSchema[] {
  const used = new Set<string>([
    ...tools.map(({ category }) => category),
    ...operations.map(({ tag }) => tag),
    'mcp',
  ]);
  return Object.entries(TAG_TEXTS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}

const JSON_RPC_ERROR = {
  description: 'A JSON-RPC error.',
  content: { 'application/json': { schema: { type: 'object' } } },
};

const transportPath = {
  post: {
    operationId: 'mcp',
    tags: ['mcp'],
    summary: 'Model Context Protocol, streamable HTTP',
    description: 'One JSON-RPC message in, one JSON-RPC response (or an event stream that ends with it) out.',
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: {
        description: 'A JSON-RPC response.',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      202: { description: 'Notification accepted.' },
      ...Object.fromEntries([400, 403, 413, 415].map((status) => [status, JSON_RPC_ERROR])),
      429: { $ref: '#/components/responses/E429' },
    },
  },
};

const WALLET_PROOF = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Owner session: `Authorization: Bearer atl_sess_…` from POST /api/wallet/challenge and /api/wallet/session. Paid tools accept it, and the keys it creates (`atl_key_…`), instead of the address.',
};

const OPERATOR_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description:
    'Operator token: `Authorization: Bearer atl_op_…`, created with `atelier admin token`, or a JWT of the identity provider of the server.',
};

const SIGNED_REQUEST = {
  type: 'apiKey',
  in: 'header',
  name: 'Signature',
  description:
    'The request signed by the wallet itself (RFC 9421 and ERC-8128, with Signature-Input and Content-Digest); GET /.well-known/erc8128 lists the components to cover. Every endpoint accepts it instead of a bearer token.',
};

interface Contents {
  /** Schemas that occur in many places, by name. */
  readonly repeated: Readonly<Record<string, JsonSchema>>;
  readonly tools: readonly AnyTool[];
  readonly hasOwnerOnly: boolean;
  readonly hasOperator: boolean;
  readonly ways: PaymentWays;
  /** Operation to read a job; undefined without jobs. */
  readonly job: AnyOperation | undefined;
}

function components(
  publicUrl: string,
  { repeated, tools, hasOwnerOnly, hasOperator, ways, job }: Contents,
): JsonSchema {
  const takesX402 = ways.x402 !== undefined;
  const { cost, next_steps, payment, looked_at, warnings } = envelopeFields(ways);
  const schemas = {
    Cost: cost,
    NextSteps: next_steps,
    Payment: payment.unwrap(),
    LookedAt: looked_at.unwrap(),
    Warnings: warnings.unwrap(),
    Quote: quoteAnswer,
    ...(tools.some(({ preview }) => preview) && { Preview: previewAnswer }),
    Problem: problem,
    PaymentProblem: takesX402 ? paymentProblem.extend(x402Members) : paymentProblem,
    EventStream: z
      .string()
      .describe(
        'With `Accept: text/event-stream`: events `progress` {"fraction", "message"} while the call runs, then one event `result` {"status", "body"}.',
      ),
    ...(job && { Job: job.answer as z.ZodObject }),
  };
  return {
    securitySchemes: {
      creditBearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The address of a registered wallet: `Authorization: Bearer 0x…`. Credits are charged per call.',
      },
      ...(hasOwnerOnly && { walletProof: WALLET_PROOF, signedRequest: SIGNED_REQUEST }),
      ...(hasOperator && { operatorToken: OPERATOR_TOKEN }),
      ...paymentSchemes(ways),
    },
    schemas: {
      ...repeated,
      ...Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [
          name,
          jsonSchema(schema, { target: 'openapi-3.0', io: 'output' }),
        ]),
      ),
    },
    responses: {
      ...failureResponses(publicUrl, {
        ...(takesX402 && X402_DEMAND_HEADERS),
        ...(ways.takesTokens && MPP_DEMAND_HEADERS),
      }),
      ...(job && { JobAccepted: jobAccepted }),
    },
    parameters: { IdempotencyKey: idempotencyKey, ...(job && { Prefer: prefer }) },
    headers: { ...headers, ...(takesX402 && x402Headers), ...(ways.takesTokens && mppHeaders) },
    examples: {
      DryRun: { summary: 'The response to `dry_run: true`', value: quoteExample(tools[0]!) },
    },
  };
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Repeats with the same key and body return the same bytes and are charged once, for ${IDEMPOTENCY_LIFETIME_MS / 3_600_000} hours.`,
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX },
};

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`respond-async` returns 202 immediately; the call becomes a job at `Location` (RFC 7240). With `wait=20`, only a call that is expected to take longer becomes a job.',
  schema: { type: 'string' },
};

const jobAccepted = {
  description:
    'With `Prefer: respond-async` or `async: true`, or if the call would exceed its deadline: it is now a job, which survives a closed connection and a restart.',
  headers: {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    Location: { description: 'URL of the job.', schema: { type: 'string' } },
    'Retry-After': { $ref: '#/components/headers/RetryAfter' },
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } },
};

const headers = {
  RequestId: {
    description: 'Id of this call in the server logs; the value you sent, if any.',
    schema: { type: 'string' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 } },
  RateLimit: {
    description: 'Remaining calls and seconds until the reset: `"free-tools";r=599;t=3600`.',
    schema: { type: 'string' },
  },
  RateLimitPolicy: {
    description: 'The limit that applies to this call: `"free-tools";q=600;w=3600`.',
    schema: { type: 'string' },
  },
};
