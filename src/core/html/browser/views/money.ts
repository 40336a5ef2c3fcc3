/** The quote of a call, its cost, or why it did not run. */
import {
  button,
  create,
  creditsInWords,
  factList,
  shorten,
  textOf,
  webAddress,
  wordsOf,
} from './elements.ts';
import { callTool, type Fields, hostCan, openLink, type ToolAnswer, toolCalled } from './host.ts';

interface Quoted {
  readonly input: Fields;
  readonly body: Fields;
}

const SIGNS: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', at_run: '…' };
const STATES: Readonly<Record<string, string>> = {
  passed: 'passed',
  failed: 'failed',
  at_run: 'checked at run time',
};

/** One idempotency key per view: a second click or a retry after a lost connection is charged once. */
const KEY = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');

/** Replaces the view by the response of a call. */
type Show = (answer: ToolAnswer) => void;

/** A quote, its checks, and the run button, which is the consent. */
export function quoteOf({ input, body }: Quoted, show: Show): Node[] {
  const quote = fieldsOf(body.quote);
  const checks = listOf(body.checks).map(fieldsOf);
  const price = Number(quote.credit) || 0;
  const degraded = textOf(quote.degraded_reason);
  const isRefused = checks.some(({ state }) => state === 'failed');
  const cost = price > 0 ? creditsInWords(price) : 'free';
  return [
    create('h1', `${toolCalled().title || wordsOf(textOf(body.tool))}: ${cost}`),
    factList(quoteRows(quote, fieldsOf(body.estimate))),
    create('ul', checks.map(checkItem), 'checks'),
    ...(degraded ? [create('p', shorten(degraded), 'note')] : []),
    ...linksOf(body),
    ...(isRefused
      ? [create('p', 'This call would be rejected. You are not charged for rejected calls.', 'note')]
      : []),
    ...runButton(price > 0 ? `Run (${cost})` : 'Run (free)', { input, body }, show),
  ];
}

function checkItem({ check, state, detail }: Fields): HTMLElement {
  const sign = create('span', SIGNS[textOf(state)] ?? '·');
  sign.setAttribute('aria-hidden', 'true');
  const name = create('b', `${wordsOf(textOf(check))}, ${STATES[textOf(state)] ?? textOf(state)}: `);
  return create('li', [sign, create('div', [name, create('span', shorten(textOf(detail)))])], textOf(state));
}

/** Runs the call of the view. Where the host does not let views call tools, asks in the chat. */
function runButton(label: string, { input, body }: Quoted, show: Show): Node[] {
  const tool = textOf(body.tool) || toolCalled().name;
  if (tool === '' || !hostCan('serverTools'))
    return [
      create('p', 'To run the call, ask for it in the chat: this app does not let views call tools.', 'note'),
    ];
  const run = button(
    label,
    async () => {
      run.textContent = 'Running …';
      try {
        show(await callTool(tool, withoutDryRun(input), { 'io.github.atelier/idempotency-key': KEY }));
      } finally {
        run.textContent = label;
      }
    },
    'main',
  );
  return [create('p', [run])];
}

function quoteRows(quote: Fields, estimate: Fields): [string, string][] {
  const seconds = quote.estimated_seconds ?? (Number(estimate.typical_ms) || 0) / 1000;
  const rows: [string, unknown][] = [
    ['In USD', Number(quote.usd) > 0 ? `${Number(quote.usd).toFixed(2)} USD` : undefined],
    ['Why', quote.note],
    ['Balance', inCredits(quote.balance)],
    ['Refunded', Number(quote.credit_back) > 0 ? inCredits(quote.credit_back) : undefined],
    ['Balance afterwards', inCredits(quote.balance_after)],
    ['Estimated time', Number(seconds) > 0 ? `${Math.max(1, Math.round(Number(seconds)))} s` : undefined],
  ];
  return rows.flatMap(([name, value]) => (textOf(value) ? [[name, textOf(value)] as [string, string]] : []));
}

const inCredits = (value: unknown): string | undefined =>
  typeof value === 'number' ? creditsInWords(value) : undefined;

const PAYMENT_REQUIRED = 402;

/** An error, its remedy, the pages for the user, and a retry button. */
export const problemOf = ({ input, body }: Quoted, show: Show): Node[] => [
  create('h1', textOf(body.title) || 'Call failed'),
  create('p', shorten(textOf(body.detail))),
  ...(textOf(body.fix) ? [create('p', shorten(textOf(body.fix)), 'note')] : []),
  ...linksOf(body),
  ...consentOf({ input, body }, show),
  ...(body.status === PAYMENT_REQUIRED ? runButton('Try again', { input, body }, show) : []),
];

/** For a call that needs approval: the approval page, and a retry with its id. */
function consentOf({ input, body }: Quoted, show: Show): Node[] {
  const approval = fieldsOf(body.approval);
  const page = Object.values(approval).map(webAddress).find(Boolean);
  if (page === undefined || textOf(approval.id) === '') return [];
  const again = { input: { ...input, approval: approval.id }, body };
  return [create('p', [linkTo('Review and approve', page)]), ...runButton('Run approved call', again, show)];
}

const LINKS_MAX = 6;

/** Links at the top level of a response, such as a payment or consent page. */
export const linksOf = (body: Fields): Node[] => {
  const links = Object.entries(body).flatMap(([name, value]) => {
    const url = name.endsWith('url') ? webAddress(value) : undefined;
    return url ? [linkTo(wordsOf(name.replace(/_?url$/, '')) || 'Open', url)] : [];
  });
  return links.length > 0 ? [create('p', links.slice(0, LINKS_MAX), 'links')] : [];
};

/** Opened by the host, which asks the user where necessary. */
export function linkTo(label: string, url: string): HTMLElement {
  if (hostCan('openLinks')) return button(label, () => openLink(url), 'link');
  const link = create('a', label);
  Object.assign(link, { href: url, target: '_blank', rel: 'noopener noreferrer' });
  return link;
}

/** The charge, in the footer. */
export function costLine(body: Fields): Node {
  const { credit, note } = fieldsOf(body.cost);
  const { credit_back: back } = fieldsOf(body.payment);
  const parts = [
    Number(credit) > 0 ? `Cost: ${creditsInWords(Number(credit))}` : 'Free',
    ...(Number(back) > 0 ? [`${creditsInWords(Number(back))} refunded`] : []),
    ...(Number(credit) > 0 ? [textOf(note)] : []),
  ];
  return create('footer', shorten(parts.filter(Boolean).join(' · ')));
}

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function withoutDryRun({ dry_run: _, ...input }: Fields): Fields {
  return input;
}
