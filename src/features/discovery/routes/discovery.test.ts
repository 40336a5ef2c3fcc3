import { expect, test } from 'vitest';
import { CLOSED_METRICS, NO_ENGINES } from '../../../../tests/support/closed_metrics.ts';
import { lintOpenApi } from '../../../../tests/support/lint_openapi.ts';
import { sampleOperations } from '../../../../tests/support/sample_operations.ts';
import { sampleTools } from '../../../../tests/support/sample_tools.ts';
import type { AnyOperation, BytesAnswer, OperationCall } from '../../definitions/operation.ts';
import type { Checks, EngineCheck, Health } from '../../operator/health/health.ts';
import type { Services } from '../../services.ts';
import { discoveryOperations } from './index.ts';

const finding = (more: Partial<Checks> = {}): Health => ({
  check: async () => ({ database: true, storage: true, room: true, ...more }),
});
const discovery = (health: Health = finding(), engines = NO_ENGINES, metrics = CLOSED_METRICS) =>
  discoveryOperations({
    tools: sampleTools,
    operations: sampleOperations,
    site: { publicUrl: 'https://atelier.test' },
    version: '0.5.0',
    build: 'abc',
    health,
    metrics,
    engines,
  });
const at = (path: string, operations: readonly AnyOperation[] = discovery()) =>
  operations.find((operation) => operation.path === path)!;
const get = async (operation: AnyOperation, input: object = {}, accept = '*/*') =>
  (await operation.run(
    input,
    {} as Services,
    { header: () => accept, isOperator: async () => false } as unknown as OperationCall,
  )) as BytesAnswer;

test('the OpenAPI document includes the discovery routes and passes linting', async () => {
  const document = JSON.parse((await get(at('/openapi.json'))).bytes as string);
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/openapi.json', '/health', '/problems/{code}', '/mcp']),
  );
  expect(lintOpenApi(document)).toBe('');
});

test('a document is generated once', async () => {
  const operation = at('/pricing.json');
  expect((await get(operation)).bytes).toBe((await get(operation)).bytes);
});

test.each([
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
  ['/', 'text/plain; charset=utf-8'],
  ['/.well-known/mcp.json', 'application/json'],
  ['/mcp/server-card', 'application/mcp-server-card+json'],
  ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
  ['/.well-known/erc8128', 'application/json'],
])('%s is served as %s', async (path, contentType) => {
  const answer = await get(at(path));
  expect(answer.contentType).toBe(contentType);
  expect(answer.bytes).toContain('atelier.test');
});

test('health is 200 while database and storage are writable', async () => {
  const { status, bytes } = await get(at('/health'));
  expect(status).toBe(200);
  expect(JSON.parse(bytes as string)).toMatchObject({
    status: 'ok',
    version: '0.5.0',
    checks: { database: 'ok', storage: 'ok', room: 'ok' },
  });
});

test('deep health checks are restricted to the operator', async () => {
  const asked = get(at('/health'), { deep: '1' });
  await expect(asked).rejects.toMatchObject({ code: 'operator_only', status: 403 });
});

test.each<[EngineCheck, string, number]>([
  [{ state: 'ok', ms: 2 }, 'ok', 200],
  [{ state: 'busy', ms: 2 }, 'ok', 200],
  [{ state: 'failed', ms: 2, reason: 'The file is gone.' }, 'degraded', 503],
])('an engine that is %j makes a deep check report %s with status %i', async (resize, said, expected) => {
  const engines = { check: async () => ({ resize }) };
  const open = discovery(finding(), engines, { ...CLOSED_METRICS, mayRead: () => true });
  const { status, bytes } = await get(at('/health', open), { deep: '1' });
  expect(status).toBe(expected);
  expect(JSON.parse(bytes as string)).toMatchObject({ status: said, engines: { resize } });
  expect(await get(at('/health', open))).toMatchObject({ status: 200 });
});

test.each<[Partial<Checks>, string, number]>([
  [{ room: false }, 'degraded', 200],
  [{ storage: false, room: false }, 'degraded', 200],
  [{ storage: false }, 'unhealthy', 503],
  [{ database: false }, 'unhealthy', 503],
  [{ clock: false }, 'unhealthy', 503],
])('with %j health reports %s with status %i and the failing component', async (found, said, expected) => {
  const { status, bytes } = await get(at('/health', discovery(finding(found))));
  const { status: word, checks } = JSON.parse(bytes as string);
  expect([word, status]).toEqual([said, expected]);
  for (const part of Object.keys(found)) expect(checks[part]).toBe('failed');
});

test('a problem page is plain text, or HTML for a browser', async () => {
  const page = at('/problems/{code}');
  expect((await get(page, { code: 'busy' })).bytes).toContain('Code: busy');
  expect((await get(page, { code: 'busy' }, 'text/html,*/*')).contentType).toBe('text/html; charset=utf-8');
});

test('the landing page links every document', async () => {
  const { bytes } = await get(at('/'));
  expect(bytes).toContain('https://atelier.test/openapi.json');
  expect(bytes).not.toContain('{code}');
});
