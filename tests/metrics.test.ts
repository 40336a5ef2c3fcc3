import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METRICS, type MetricName } from '../src/core/telemetry/metrics.ts';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { tools } from '../src/features/tools.ts';
import { forEachApp } from './support/for_each_app.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { needs } from './support/test_requirements.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';

const WALLET = '0x00000000000000000000000000000000000000e7';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const RESIZE = { image: EXAMPLE_PNG_B64, width: 8, height: 8 };

forEachApp((open) => {
  let app: TestApp;
  let text: string;
  beforeAll(async () => {
    app = await open();
    await app.post('/api/wallet/register', { wallet: WALLET });
    await app.post('/api/tools/resize_image', RESIZE);
    await app.post('/api/tools/resize_image', { ...RESIZE, image: 'no picture' });
    await app.post('/api/tools/save_asset', { wallet: WALLET, key: 'k', data: 'aGk=' }, PAYER);
    await app.post('/api/tools/save_asset', { wallet: WALLET, key: 'k' });
    await app.get('/nothing/here');
    ({ text } = await app.get('/metrics'));
  });
  afterAll(() => app?.close());

  test.each([
    'atelier_calls_total{tool="resize_image",way="waited",outcome="ok"} 1',
    'atelier_calls_total{tool="resize_image",way="waited",outcome="refused"} 1',
    'atelier_call_seconds_count{tool="resize_image"} 1',
    'atelier_call_part_seconds_count{tool="resize_image",part="waiting"} 1',
    'atelier_call_part_seconds_count{tool="resize_image",part="engine"} 1',
    'atelier_engine_runs_total{engine="resize",outcome="ok"} 1',
    'atelier_engine_runs_waiting{length="long"} 0',
    'atelier_engine_cpu_seconds_waiting{length="short"} 0',
    'atelier_refusals_total{code="payment_required"} 1',
    'atelier_http_requests_total{method="GET",route="none",status="404"} 1',
    'atelier_http_requests_total{method="POST",route="/api/tools/{name}",status="200"} 2',
    'atelier_holds_open 0',
    'atelier_webhook_deliveries_pending 0',
    'atelier_database_up 1',
    'atelier_health{check="storage"} 1',
  ])('%s', (line) => {
    expect(text.split('\n')).toContain(line);
  });

  test('money that was taken is counted', () => {
    const [, charged] = /^atelier_credits_charged_total\{tool="save_asset"\} (.+)$/m.exec(text)!;
    expect(Number(charged)).toBeGreaterThan(0);
  });

  test('Prometheus finds nothing to object to', needs('promtool'), () => {
    const { stdout, stderr, status } = spawnSync('promtool', ['check', 'metrics'], { input: text });
    expect({ said: `${stdout}${stderr}`, status }).toEqual({ said: '', status: 0 });
  });
});

describe('access to metrics', () => {
  const TOKEN = 'a token of the operator';
  let closed: TestApp;
  let guarded: TestApp;
  beforeAll(async () => {
    closed = await openTestApp({ PUBLIC_URL: 'https://atelier.example.com' });
    guarded = await openTestApp({ METRICS_TOKEN: TOKEN.replaceAll(' ', '_') });
  });
  afterAll(() => Promise.all([closed?.close(), guarded?.close()]));

  test('no access on a server that is on the internet', async () => {
    const { status, body } = await closed.get('/metrics');
    expect([status, body.code]).toEqual([403, 'operator_only']);
  });

  test.each([
    [{}, 403],
    [{ Authorization: 'Bearer something else' }, 403],
    [{ Authorization: `Bearer ${TOKEN.replaceAll(' ', '_')}` }, 200],
    [{ Authorization: `Bearer ${TOKEN.replaceAll(' ', '_')}`, 'X-Forwarded-For': '203.0.113.8' }, 200],
  ])('a client with the token: %j', async (headers, expected) => {
    expect((await guarded.get('/metrics', headers as Record<string, string>)).status).toBe(expected);
  });
});

describe('operators read them from anywhere', () => {
  const THROUGH_PROXY = { 'X-Forwarded-For': '203.0.113.8' };
  let app: TestApp;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let tokens: Awaited<ReturnType<typeof makeOperatorTokens>>;
  beforeAll(async () => {
    issuer = await startIssuer();
    app = await openTestApp({ ...issuer.settings, METRICS_TOKEN: 'x'.repeat(16) });
    tokens = await makeOperatorTokens(app, issuer.tokenOf(['staff']));
  });
  afterAll(async () => {
    await app?.close();
    await issuer?.close();
  });

  const asked = async (path: string, token: Record<string, string>) => {
    const { status, body } = await app.get(path, { ...THROUGH_PROXY, ...token });
    return [status, body?.code];
  };

  test.each(['/metrics', '/health?deep=1'])(
    '%s: with a token of this server, and one of the provider',
    async (path) => {
      expect(await asked(path, tokens.read)).toEqual([200, undefined]);
      expect(await asked(path, issuer.tokenOf(['guests']))).toEqual([200, undefined]);
    },
    // The first look starts every engine.
  );

  test.each(['/metrics', '/health?deep=1'])(
    '%s: not without the scope, nor with an unknown token',
    async (path) => {
      expect(await asked(path, tokens.money)).toEqual([403, 'operator_denied']);
      expect(await asked(path, { Authorization: `Bearer atl_op_${'a'.repeat(43)}` })).toEqual([
        403,
        'operator_only',
      ]);
    },
  );

  test('an address with many wrong tokens is blocked for a while, even with a valid one', async () => {
    const wrong = { Authorization: 'Bearer wrong' };
    for (let tries = 0; tries < 30; tries += 1) await asked('/metrics', wrong);
    expect(await asked('/metrics', tokens.read)).toEqual([429, 'rate_limited']);
  });

  test('only /health ignores tokens', async () => {
    expect(await asked('/health', { Authorization: 'Bearer atl_key_gone' })).toEqual([200, undefined]);
  });
});

describe('access to metrics without a token', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app?.close());

  test.each(['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP'])(
    'not whom a proxy speaks for: %s',
    async (name) => {
      expect((await app.get('/metrics', { [name]: '127.0.0.1' })).status).toBe(403);
    },
  );

  test('client input never becomes a series name', async () => {
    await app.post('/api/tools/made_up_by_a_stranger', {});
    await app.get('/made/up/by/a/stranger?made=up');
    await app.fetch(new Request('http://atelier.test/health', { method: 'MADEUP' }));
    const { text } = await app.get('/metrics');
    expect(text).not.toMatch(/stranger|MADEUP/);
  });

  test('every label of a tool is in the catalogue', async () => {
    await app.post('/api/tools/search_tools', { query: 'resize' });
    const { text } = await app.get('/metrics');
    const named = [...text.matchAll(/tool="(\w+)"/g)].map(([, name]) => name);
    const known: string[] = tools.map(({ name }) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !known.includes(name!))).toEqual([]);
  });

  test('every metric has a help text', async () => {
    const { text } = await app.get('/metrics');
    for (const name of Object.keys(METRICS)) expect(text).toContain(`# HELP ${name} `);
  });
});

describe('alerts and dashboard', () => {
  const ROOT = join(import.meta.dirname, '..');
  const alerts = readFileSync(join(ROOT, 'deploy/monitoring/alerts.yml'), 'utf8');
  const page = readFileSync(join(ROOT, 'docs/operating/monitoring.md'), 'utf8');
  const dashboard = JSON.parse(readFileSync(join(ROOT, 'deploy/monitoring/dashboard.json'), 'utf8'));
  const queries: string[] = dashboard.panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );

  test.each([
    ['alerts', [alerts]],
    ['dashboard', queries],
  ])('%s ask for metrics and labels that are there', (_name, texts) => {
    const asked = texts.flatMap((text) => [...text.matchAll(ASKED)]);
    expect(asked.length).toBeGreaterThan(15);
    const missing = asked.filter(([, name, labels = '']) => !isOffered(name!, labels));
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  test('every status metric is on the dashboard or in an alert', () => {
    const asked = [...queries, alerts].join('\n');
    const unseen = Object.keys(METRICS).filter((name) => !asked.includes(name));
    // Told for whoever needs them.
    expect(unseen).toEqual([
      'atelier_database_up',
      'process_start_time_seconds',
      'nodejs_heap_size_used_bytes',
      'nodejs_external_memory_bytes',
      'nodejs_eventloop_utilization_ratio',
    ]);
  });

  test('the page documents exactly the alerts', () => {
    const named = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    const explained = [...page.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(explained).toEqual(named);
  });

  test('Prometheus reads every rule and every query', needs('promtool'), () => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-rules-'));
    const asRules = queries.map((query, at) => {
      const expr = query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
      return `{record: "query:${at}", expr: ${JSON.stringify(expr)}}`;
    });
    writeFileSync(join(folder, 'alerts.yml'), alerts);
    writeFileSync(join(folder, 'queries.yml'), `groups: [{name: q, rules: [${asRules.join(', ')}]}]`);
    const files = ['alerts.yml', 'queries.yml'].map((name) => join(folder, name));
    const { stdout, status } = spawnSync('promtool', ['check', 'rules', ...files], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stdout]).toEqual([0, expect.stringContaining(`${queries.length} rules found`)]);
  });
});

/** A metric of ours and the labels it is asked for by. */
const ASKED = /\b((?:atelier|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;

function isOffered(asked: string, labels: string): boolean {
  const [, base] = /^(.*)_(?:bucket|sum|count)$/.exec(asked) ?? [];
  const name = (asked in METRICS ? asked : base) as MetricName;
  const metric = METRICS[name];
  if (!metric || (metric.kind === 'histogram') === (name === asked)) return false;
  const used = [...labels.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label]) => label!);
  const known: readonly string[] = [...metric.labels, 'instance', 'job', 'le'];
  return used.every((label) => known.includes(label));
}
