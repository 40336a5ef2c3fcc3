import { z } from 'zod';
import { DESCRIPTION, INTERFACE_VERSION } from '../../../catalog/about.ts';
import { agentCard } from '../../../catalog/agent_card.ts';
import { llmsText } from '../../../catalog/llms.ts';
import { aiCatalog, mcpJson, serverCard } from '../../../catalog/mcp_card.ts';
import { openApiDocument } from '../../../catalog/openapi.ts';
import { packListing } from '../../../catalog/packs.ts';
import type { PaymentWays } from '../../../catalog/payment_ways.ts';
import { pricingDocument } from '../../../catalog/pricing.ts';
import { toolsReference } from '../../../catalog/reference.ts';
import { signedRequestsDocument } from '../../../catalog/signed_requests.ts';
import { skillText } from '../../../catalog/skill.ts';
import { x402Document } from '../../../catalog/x402_document.ts';
import type { Reading } from '../../../core/telemetry/types.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  defineOperation,
  type OperationCall,
} from '../../definitions/operation.ts';
import type { AnyTool } from '../../definitions/tool.ts';
import type { Background } from '../../models/setup/pull_in_background.ts';
import type { EngineHealth, Health } from '../../operator/health/health.ts';
import type { PriceRule } from '../../operator/prices/types.ts';
import { type HealthParts, healthOperation, READER_FAILURES, requireReader } from './health.ts';
import { problemPage } from './problem_page.ts';

/** Cache lifetime, no longer than the validity of quoted prices. */
const CACHE_SECONDS = 300;

/** A document, rendered at its first request and again when `current` has changed. */
function documentOperation(
  name: string,
  path: `/${string}`,
  contentType: string,
  summary: string,
  write: () => string | object,
  current: () => readonly unknown[] = () => [],
): AnyOperation {
  let written: { readonly of: readonly unknown[]; readonly bytes: string } | undefined;
  return defineOperation({
    name,
    methods: ['GET'],
    path,
    tag: 'discovery',
    summary,
    input: z.object({}),
    answer: { file: contentType.split(';')[0]!, description: summary },
    cacheSeconds: CACHE_SECONDS,
    run: async () => {
      const of = current();
      if (!written || of.some((one, at) => one !== written?.of[at])) written = { of, bytes: asText(write()) };
      return { bytes: written.bytes, contentType };
    },
  });
}

const asText = (document: string | object): string =>
  typeof document === 'string' ? document : JSON.stringify(document);

/** `/metrics`, for Prometheus. */
const metricsOperation = ({ exposition, mayRead }: Reading): AnyOperation =>
  defineOperation({
    name: 'metrics',
    methods: ['GET'],
    path: '/metrics',
    alsoFails: READER_FAILURES,
    tag: 'discovery',
    summary: 'Metrics of this server, for its operator.',
    input: z.object({}),
    isPrivate: true,
    answer: { file: 'text/plain', description: 'The text format of Prometheus, version 0.0.4.' },
    run: async (_input, _services, call) => {
      await requireReader(mayRead, call);
      const { text, contentType } = await exposition();
      return { bytes: text, contentType, headers: { 'Cache-Control': 'no-store' } };
    },
  });

export interface Discovery {
  /** Read for every document, because prices change. */
  readonly tools: readonly AnyTool[];
  readonly priceRules?: readonly PriceRule[];
  /** All other endpoints; the documents describe themselves. */
  readonly operations: readonly AnyOperation[];
  readonly site: { readonly publicUrl: string };
  readonly version: string;
  readonly build: string;
  readonly health: Health;
  /** State of background downloads. */
  readonly fetching?: Pick<Background, 'states' | 'fractions'> | undefined;
  /** Queued jobs. */
  readonly waiting?: HealthParts['waiting'];
  readonly maintenance?: HealthParts['maintenance'];
  readonly metrics: Reading;
  readonly engines: EngineHealth;
  /** Configured calls per limit name. */
  readonly rates?: Readonly<Record<string, number | undefined>>;
  readonly ways?: PaymentWays;
  /** Home page for browsers; absent: the text for programs. */
  readonly home?: ((call: OperationCall) => Promise<BytesAnswer>) | undefined;
}

/** Documents about the service, each computed at its first request and cached. */
export function discoveryOperations(parts: Discovery): readonly AnyOperation[] {
  const { operations, site, version, build, health, fetching, waiting, maintenance } = parts;
  const { metrics, engines, ways = {}, home } = parts;
  const { publicUrl } = site;
  const priced = (...[name, path, contentType, summary, write]: PricedDocument) => {
    const known = () => [parts.tools, parts.priceRules];
    return documentOperation(name, path, contentType, summary, () => write(parts.tools), known);
  };
  const context = { publicUrl, version, ...ways };
  const all: AnyOperation[] = [...operations];
  const own = [
    landingOperation(() => landingText(all, context), home),
    ...pricedOperations(priced, parts, { ...context, all }),
    documentOperation(
      'mcp_server_card',
      '/mcp/server-card',
      'application/mcp-server-card+json',
      'MCP server card.',
      () => serverCard(context),
    ),
    documentOperation(
      'ai_catalog',
      '/.well-known/ai-catalog.json',
      'application/ai-catalog+json',
      'URLs of both cards.',
      () => aiCatalog(context),
    ),
    documentOperation('skill', '/skill.md', MARKDOWN, 'Agent skill (agentskills.io).', () =>
      skillText(publicUrl),
    ),
    ...x402Operations(priced, { publicUrl, ...ways }),
    documentOperation(
      'signed_requests',
      '/.well-known/erc8128',
      JSON_TYPE,
      'Components that a request signed by a wallet (ERC-8128) must cover.',
      () => signedRequestsDocument(publicUrl),
    ),
    healthOperation({
      version,
      build,
      health,
      engines,
      fetching,
      waiting,
      maintenance,
      mayLookDeep: metrics.mayRead,
    }),
    metricsOperation(metrics),
    problemPage,
  ];
  all.push(...own);
  return own;
}

/** A document that has the prices of tools. */
type PricedDocument = [
  name: string,
  path: `/${string}`,
  contentType: string,
  summary: string,
  write: (tools: readonly AnyTool[]) => string | object,
];

/** Documents with the prices of tools. @param all operations of the service, filled in before a document is written */
function pricedOperations(
  priced: (...document: PricedDocument) => AnyOperation,
  { rates, priceRules }: Pick<Discovery, 'rates' | 'priceRules'>,
  {
    all,
    ...context
  }: {
    readonly all: readonly AnyOperation[];
    readonly publicUrl: string;
    readonly version: string;
  } & PaymentWays,
): readonly AnyOperation[] {
  const { publicUrl } = context;
  const llms = (tools: readonly AnyTool[]) => llmsText(tools, all, { ...context, rates });
  return [
    priced('openapi', '/openapi.json', JSON_TYPE, 'OpenAPI 3.0.3 description of every endpoint.', (tools) =>
      openApiDocument(tools, all, { ...context, version: INTERFACE_VERSION }),
    ),
    priced('pricing', '/pricing.json', JSON_TYPE, 'Prices of all tools and credit packs.', (tools) =>
      pricingDocument(tools, {
        ...context,
        priceRules,
        packs: packListing(publicUrl, undefined),
      }),
    ),
    priced('llms', '/llms.txt', PLAIN, 'Description of this service for language models.', llms),
    priced(
      'llms_full',
      '/llms-full.txt',
      PLAIN,
      'The same with every field of every tool.',
      (tools) => `${llms(tools)}\n${toolsReference(tools)}`,
    ),
    priced('mcp_manifest', '/.well-known/mcp.json', JSON_TYPE, 'Manifest of the MCP endpoint.', (tools) =>
      mcpJson(tools, context),
    ),
    priced('agent_card', '/.well-known/agent-card.json', JSON_TYPE, 'Agent card (A2A 1.0).', (tools) =>
      agentCard(tools, context),
    ),
  ];
}

/** Documents of x402, if it is enabled. */
const x402Operations = (
  priced: (...document: PricedDocument) => AnyOperation,
  { publicUrl, x402, x402Extensions }: PaymentWays & { publicUrl: string },
): readonly AnyOperation[] =>
  x402
    ? [
        priced(
          'x402_resources',
          '/.well-known/x402',
          JSON_TYPE,
          'Endpoints that accept x402 payments.',
          (tools) => x402Document(tools, { publicUrl, x402, x402Extensions }),
        ),
      ]
    : [];

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

/** Home page for programs. */
function landingText(
  operations: readonly AnyOperation[],
  { publicUrl, version }: { publicUrl: string; version: string },
): string {
  const places = operations
    .filter(({ tag, path }) => tag === 'discovery' && path !== '/' && !path.includes('{'))
    .map(({ path, summary }) => `${publicUrl}${path}\n    ${summary}`);
  return [
    `Atelier ${version}`,
    DESCRIPTION,
    '',
    `Call a tool:  POST ${publicUrl}/api/tools/<name> with one JSON object`,
    `Over MCP:     ${publicUrl}/mcp`,
    '',
    ...places,
    '',
  ].join('\n');
}

/**
 * Home page: HTML for clients that accept it, which are browsers, and text for all others.
 * @param write returns the text, called once
 */
function landingOperation(
  write: () => string,
  home: ((call: OperationCall) => Promise<BytesAnswer>) | undefined,
): AnyOperation {
  let text: string | undefined;
  return defineOperation({
    name: 'landing',
    methods: ['GET'],
    path: '/',
    tag: 'discovery',
    summary: 'Entry point with links.',
    input: z.object({}),
    answer: { file: 'text/plain', description: 'Plain text, or the studio for a browser.' },
    cacheSeconds: 3600,
    run: async (_input, _services: object, call) => {
      if (home && call.header('accept')?.includes('text/html')) {
        const { headers, ...page } = await home(call);
        return { ...page, headers: { ...headers, Vary: 'Accept' } };
      }
      text ??= write();
      return { bytes: text, contentType: 'text/plain; charset=utf-8', headers: { Vary: 'Accept' } };
    },
  });
}
