import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { askVision, KEY, SEEN } from '../../../tests/support/ask_vision.ts';
import { type FakeProvider, type Page, startFakeProvider } from '../../../tests/support/fake_provider.ts';
import { answerOf, type Conduct, type Wire } from '../../../tests/support/provider_answers.ts';
import type { Amount, VisionBudget } from './vision_budget/vision_budget.ts';

/**
 * Recorded responses of four providers, in their own formats, and what the libraries and this service make of
 * them.
 */

const TEXT = JSON.stringify(SEEN);
const CUT = TEXT.slice(0, 200);
const WIRES: Wire[] = ['anthropic', 'google', 'openai', 'openai_compatible'];

let server: FakeProvider;
let settled: Amount[];
beforeEach(() => {
  settled = [];
});
afterEach(() => server?.close());

const budget: VisionBudget = {
  reserve: async () => ({ settle: async (used) => void settled.push(used) }),
  refusal: async () => undefined,
  sweep: async () => 0,
};

describe.each(WIRES)('%s', (wire) => {
  const said = (conduct: Conduct, text = TEXT): Page => ({
    page: JSON.stringify(answerOf(wire, conduct, text)),
  });
  const ask = async (pages: Page[], settings: Record<string, string> = {}) => {
    server = await startFakeProvider(wire, ...pages);
    const { done, logged } = askVision(server, { budget, settings, given: { context: 'the secret brief' } });
    const failure = (error: Error) => ({ error, logged });
    return done.then((enriched) => ({ enriched, logged }), failure) as Promise<Outcome>;
  };

  test.each<[string, Page, number]>([
    ['an answer in form', said('answers'), 1],
    ['a call of a tool', said('calls a tool'), 1],
    ['a fence', said('answers', `\`\`\`json\n${TEXT}\n\`\`\``), 1],
    ['prose round it', said('answers', `Of course! Here it is:\n\n${TEXT}\n\nShall I go on?`), 1],
    ['another content type', { ...said('answers'), headers: { 'content-type': 'text/plain' } }, 1],
    ['bytes that are no text', withBadByte(said('answers')), 1],
  ])('%s is parsed without a retry', async (_, page, requests) => {
    const { enriched } = await ask([page]);
    expect(enriched?.metadata).toMatchObject({ title: 'Three boats lying on the mud' });
    expect(enriched?.usage).toEqual({ input_tokens: 1200, output_tokens: 400, cost_usd: 0.0032 });
    expect(server.requests).toHaveLength(requests);
    expect(settled).toEqual([{ tokens: 1600, usd: 0.0032 }]);
  });

  test.each<[string, Page[]]>([
    ['cut off', [said('is cut off', CUT), said('answers')]],
    ['empty', [said('says nothing'), said('answers')]],
  ])('a response that is %s is retried, and both attempts are counted', async (_, pages) => {
    const { enriched } = await ask(pages);
    expect(enriched?.usage).toMatchObject({ input_tokens: 2400, output_tokens: 800, cost_usd: 0.0064 });
    expect(settled).toHaveLength(2);
  });

  test.each<[string, Page]>([
    ['too many requests', { pageStatus: 429, headers: { 'retry-after': '0' }, page: problem(wire, 429) }],
    ['a failure', { pageStatus: 500, headers: { 'retry-after-ms': '1' }, page: problem(wire, 500) }],
    ['an overload', { pageStatus: 529, headers: { 'retry-after-ms': '1' }, page: problem(wire, 529) }],
  ])('after %s the request is retried', async (_, page) => {
    expect((await ask([page, said('answers')])).enriched?.usage).toMatchObject({ input_tokens: 1200 });
    expect(server.requests).toHaveLength(2);
  });

  test.each<[string, Page, RegExp, string, number]>([
    ['a refusal', said('refuses'), /declined/, 'upstream_failed', 1],
    ['a block', said('is blocked'), /declined/, 'upstream_failed', 1],
    ['one cut off twice', said('is cut off', CUT), /requested format/, 'upstream_failed', 2],
    ['nothing twice', said('says nothing'), /requested format/, 'upstream_failed', 2],
  ])('%s fails, and the tokens are counted', async (_, page, words, code, requests) => {
    const { error, logged } = await ask([page]);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(server.requests).toHaveLength(requests);
    expect(logged).toMatchObject([{ input_tokens: 1200 * requests }]);
    expect(settled.map(({ tokens }) => tokens)).toEqual(
      Array(requests).fill(expect.toSatisfy((n) => n >= 1200)),
    );
  });

  test.each<[string, Page, RegExp, string]>([
    [
      '429 that stays',
      { pageStatus: 429, headers: soonThen('7'), page: problem(wire, 429) },
      /Retry in 7 s/,
      'upstream_failed',
    ],
    [
      '529 that stays',
      { pageStatus: 529, headers: soonThen('9999'), page: problem(wire, 529) },
      /in 3600 s/,
      'upstream_failed',
    ],
    [
      '500 that stays',
      { pageStatus: 500, headers: soonThen('1'), page: problem(wire, 500) },
      /failed/,
      'upstream_failed',
    ],
    [
      'a page of a proxy',
      { pageStatus: 502, headers: { ...HTML, ...soonThen('1') }, page: PAGE },
      /failed/,
      'upstream_failed',
    ],
    ['a page in place of an answer', { headers: HTML, page: PAGE }, /invalid or too long/, 'upstream_failed'],
    ['a wrong key', { pageStatus: 401, page: problem(wire, 401) }, /operator/, 'model_unavailable'],
    [
      'another address',
      { pageStatus: 307, headers: { location: '/elsewhere' }, page: '' },
      /operator/,
      'model_unavailable',
    ],
  ])('%s is reported with a server error message and is not charged', async (_, page, words, code) => {
    const { error, logged } = await ask([page]);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(`${error?.message} ${JSON.stringify(logged)}`).not.toMatch(
      new RegExp(`${KEY}|secret brief|127\\.0\\.0\\.1`),
    );
    expect(settled.at(-1)).toEqual({ tokens: 0, usd: 0 });
  });

  test.each<[string, Page, RegExp, string]>([
    ['half an answer and no more', { ...half(said('answers')), after: 'stalls' }, /in time/, 'timed_out'],
    ['half an answer', half(said('answers')), /invalid or too long/, 'upstream_failed'],
    ['an answer without end', { page: ' '.repeat(65_536), after: 'goes on' }, /too long/, 'upstream_failed'],
  ])('%s fails, and the full reserved amount is counted', async (_, page, words, code) => {
    const { error, logged } = await ask([page], {
      VISION_TIMEOUT_MS: page.after === 'stalls' ? '400' : '15000',
    });
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(logged).toMatchObject([{ requests_untold: 1 }]);
    expect(settled).toEqual([{ tokens: 12_000, usd: 0.028 }]);
    expect(server.sent.bytes).toBeLessThan(16 * 1024 * 1024);
  });
});

interface Outcome {
  readonly enriched?: Awaited<ReturnType<typeof askVision>['done']>;
  readonly error?: Error;
  readonly logged: Record<string, unknown>[];
}

const HTML = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';

/** The library retries at once; clients receive the standard header. */
const soonThen = (seconds: string) => ({ 'retry-after-ms': '1', 'retry-after': seconds });

const half = ({ page }: Page): Page => ({ page: page.slice(0, page.length / 2) });

/** Sets one byte of the mood to 0xff. */
function withBadByte({ page }: Page): Page {
  const bytes = Buffer.from(page as string);
  const at = bytes.indexOf('patient');
  bytes[at] = 0xff;
  return { page: bytes };
}

/** Errors as the providers document them. One contains the key, as a real one did. */
function problem(wire: Wire, status: number): string {
  const message = `Incorrect API key provided: ${KEY}.`;
  const bodies = {
    anthropic: {
      type: 'error',
      error: { type: 'overloaded_error', message },
      request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
    },
    google: { error: { code: status, message, status: 'RESOURCE_EXHAUSTED' } },
    openai: { error: { message, type: 'requests', param: null, code: 'rate_limit_exceeded' } },
    openai_compatible: { error: { message, type: 'requests', param: null, code: 'rate_limit_exceeded' } },
  };
  return JSON.stringify(bodies[wire]);
}
