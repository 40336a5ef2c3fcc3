import {
  CARD_PAYMENT_USD_MIN,
  CREDIT_BACK_PERCENT,
  CREDIT_USD,
  UPLOAD_LIFETIME_MS,
  WELCOME_CREDITS,
} from '../config/limits.ts';
import { type AnyOperation, isFileType, type Tag } from '../features/definitions/operation.ts';
import { passthroughFields } from '../features/definitions/passthrough_answer.ts';
import { highestPrice, isFree } from '../features/definitions/price.ts';
import { type AnyTool, CATEGORIES, limitsOf } from '../features/definitions/tool.ts';
import { VERIFY_PATH } from '../features/provenance/tools/verify_address.ts';
import { DESCRIPTION } from './about.ts';
import { freeDetectors } from './free_detectors.ts';
import { MPP_HEADERS, MPP_META } from './mpp_names.ts';
import { creditsText, priceText } from './next_steps.ts';
import type { PaymentWays } from './payment_ways.ts';
import { X402_HEADERS, X402_META } from './x402_names.ts';

export interface LlmsContext extends PaymentWays {
  readonly publicUrl: string;
  /** Configured calls per limit name, where they differ from the defaults. */
  readonly rates?: Readonly<Record<string, number | undefined>> | undefined;
}

/**
 * Description of the service for language models, in the format of llmstxt.org (one H1, a quote, H2 sections with lists of links).
 */
export function llmsText(
  tools: readonly AnyTool[],
  all: readonly AnyOperation[],
  context: LlmsContext,
): string {
  const { publicUrl } = context;
  const operations = all.filter(isForModels);
  const toolLines = (wanted: (tool: AnyTool) => boolean) =>
    CATEGORIES.flatMap((category) => tools.filter((tool) => tool.category === category && wanted(tool))).map(
      (tool) => toolLine(tool, publicUrl),
    );
  const operationLines = (...tags: Tag[]) =>
    operations
      .filter(({ tag }) => tags.includes(tag))
      .map((operation) => operationLine(operation, publicUrl));
  const sections: [title: string, lines: string[]][] = [
    ['Quick start', quickStart(tools, publicUrl)],
    ['Free tools', toolLines(({ price }) => isFree(price))],
    ['Paid tools', toolLines(({ price }) => !isFree(price))],
    ['AI labels and rights in an image', detectorNotes(tools, publicUrl)],
    ['Payment', [...paymentNotes(context), ...operationLines('payment')]],
    ['Wallet', operationLines('account')],
    ['Images and files', [...pictureNotes, ...operationLines('files')]],
    ['Images for viewers (IIIF)', operationLines('iiif')],
    ['Provenance', operationLines('provenance')],
    ['Long calls', [...jobNotes(operations), ...operationLines('jobs')]],
    ['Recipes', operationLines('recipes')],
    [
      'MCP',
      [`- [MCP endpoint](${publicUrl}/mcp): streamable HTTP, with every tool above under the same name`],
    ],
    ['Limits', limitNotes(tools, operations, context)],
    ['Errors', errorNotes(publicUrl)],
    ['Samples', operationLines('sandbox')],
    ['Community', operationLines('community', 'webhooks')],
    ['Optional', operationLines('discovery')],
  ];
  const head = [
    '# Atelier',
    '',
    `> ${DESCRIPTION}`,
    '',
    `Every tool is POST ${publicUrl}/api/tools/<name> with one JSON object. Unknown fields are listed in \`warnings\`. \`dry_run: true\` returns the price without running the tool.`,
  ];
  const body = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `\n## ${title}\n\n${lines.join('\n')}`);
  return `${[...head, ...body].join('\n')}\n`;
}

/** Pages are for people, and responses link to them; operator endpoints need their token. */
const isForModels = ({ answer, operator }: AnyOperation): boolean =>
  operator === undefined && !(isFileType(answer) && FOR_PEOPLE.includes(answer.file));

const FOR_PEOPLE = ['text/html', 'application/pdf'];

/** Free public detectors, which laws on AI markings require. */
function detectorNotes(tools: readonly AnyTool[], publicUrl: string): string[] {
  const detectors = freeDetectors(tools);
  if (detectors.length === 0) return [];
  return [
    `- Free for anyone, without an account, by upload or URL: ${detectors.map(({ name }) => `POST ${publicUrl}/api/tools/${name}`).join(', ')}.`,
    `- For people: ${publicUrl}${VERIFY_PATH}.`,
  ];
}

/** Working example calls: a free tool, the account, a paid tool. */
function quickStart(tools: readonly AnyTool[], publicUrl: string): string[] {
  const free = tools.find(({ price, examples }) => highestPrice(price) === 0 && examples.length > 0);
  const paid = tools.find(({ price, examples }) => highestPrice(price) > 0 && examples.length > 0);
  const curl = (path: string, body: object, header = '') =>
    `curl -X POST ${publicUrl}${path} ${header}-H 'Content-Type: application/json' -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`;
  const wallet = '0x52908400098527886e0f7030069857d2e4169ee7';
  return [
    '```sh',
    ...(free ? [curl(`/api/tools/${free.name}`, free.examples[0]!)] : []),
    curl('/api/wallet/register', { wallet }),
    ...(paid
      ? [curl(`/api/tools/${paid.name}`, paid.examples[0]!, `-H 'Authorization: Bearer ${wallet}' `)]
      : []),
    '```',
  ];
}

/**
 * Links to the description of the tool, because its endpoint only accepts POST. Fields common to eleven tools
 * are described once, in `pictureNotes`.
 */
function toolLine(tool: AnyTool, publicUrl: string): string {
  const { name, summary, input } = tool;
  const fields = Object.entries(input.shape)
    .filter(([field]) => !(field in passthroughFields))
    .map(([field, schema]) => (isOptional(schema) ? `${field}?` : field))
    .join(', ');
  const link = `${publicUrl}/openapi.json#/paths/~1api~1tools~1${name}`;
  return `- [${name}](${link}): ${summary} ${priceSentence(tool)} Fields: ${fields || 'none'}.`;
}

const isOptional = (schema: unknown): boolean =>
  (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success;

const operationLine = ({ name, methods, path, summary }: AnyOperation, publicUrl: string): string =>
  `- [${name}](${publicUrl}${path}): ${methods.join(' or ')}. ${summary}`;

const paymentNotes = ({ takesCards, takesTokens, x402 }: LlmsContext): string[] => [
  `- Credits: 1 credit is ${CREDIT_USD.toFixed(2)} USD. Registering a wallet adds ${WELCOME_CREDITS}; send the wallet as \`Authorization: Bearer 0x…\`.`,
  `- A failed call costs nothing; ${CREDIT_BACK_PERCENT}% of every paid call is returned as credits. Credits do not expire.`,
  ...(takesCards
    ? [
        `- Per call by card: POST /api/create-payment-intent {"tool_name": "…"}, let a person pay at its \`pay_url\`, then send its id as \`X-Payment-Intent\`. At least ${CARD_PAYMENT_USD_MIN.toFixed(2)} USD, which pays for as many calls of that tool as it covers.`,
      ]
    : []),
  ...(takesTokens
    ? [
        `- Per call by a shared payment token (Machine Payments Protocol), without an account: answer the challenge in the \`${MPP_HEADERS.challenge}\` header of a 402 with \`${MPP_HEADERS.credential}: Payment …\`, over MCP with \`_meta["${MPP_META.credential}"]\`. A failed call is not charged. To retrieve a lost response, resend the same credential.`,
      ]
    : []),
  ...(x402
    ? [
        `- Per call by x402, without an account: sign the payment requirements of the 402 (\`${X402_HEADERS.demand}\`) and send it as \`${X402_HEADERS.payment[2]}\`, over MCP as \`_meta["${X402_META.payment}"]\`. Networks: ${x402(
          1,
        )
          .map(({ network }) => network)
          .join(
            ', ',
          )}. A failed call is not settled. To retrieve a lost response, resend the same payment. All paid tools: /.well-known/x402.`,
      ]
    : []),
  '- Without an accepted payment, a paid tool returns 402 with the ways to pay.',
  '- Send `Idempotency-Key` with a POST: a retry returns the same bytes and is charged once.',
];

const jobNotes = (operations: readonly AnyOperation[]): string[] =>
  operations.some(({ tag }) => tag === 'jobs')
    ? [
        '- `async: true` or `Prefer: respond-async` on any tool returns 202 with `Location`: poll it, or call get_job, for progress and the result. The job survives a closed connection and a restart. A call that would exceed its deadline becomes a job automatically, as does a call over MCP that is expected to take more than 20 s.',
      ]
    : [];

const pictureNotes = [
  '- An image is base64 (with or without `data:`), or a handle: `https://…`, `upload:<id>`, `asset:<key>`, `result:<id>`.',
  `- Upload bytes once and pass the \`upload:\` handle afterwards; it is valid for ${UPLOAD_LIFETIME_MS / 60_000} minutes.`,
  '- Tools that return an image also accept `keep` and `keep_location` (for its metadata).',
  '- `output: "url"` omits the base64 from the response; `result_url` serves the bytes for 24 hours.',
];

function limitNotes(
  tools: readonly AnyTool[],
  operations: readonly AnyOperation[],
  { rates = {} }: LlmsContext,
): string[] {
  // A limit that applies to some inputs only has the name of the endpoint with the same purpose.
  const limits = [...tools, ...operations].flatMap(({ name, limit }) =>
    limitsOf(limit)
      .filter(({ appliesTo }) => !appliesTo)
      .map(({ name: of, calls, perSeconds, by }) => ({
        name,
        text: `${rates[of] ?? calls} calls per ${secondsText(perSeconds)}${by === 'everybody' ? ', shared by all clients' : ''}`,
      })),
  );
  const lines = [...Map.groupBy(limits, ({ text }) => text)].map(
    ([text, group]) => `- ${group.map(({ name }) => name).join(', ')}: ${text}`,
  );
  return [
    ...(rates['free-tools'] ? [`- All free tools together: ${rates['free-tools']} calls per hour`] : []),
    ...(rates['paid-tools'] ? [`- All paid tools together: ${rates['paid-tools']} calls per minute`] : []),
    ...lines,
    '- Limits apply per wallet, or per network address if no wallet is sent; all clients of one address share a higher limit. `RateLimit` in a counted response has the remaining calls; a 429 carries `Retry-After`.',
  ];
}

function secondsText(seconds: number): string {
  const units = { 60: 'minute', 3600: 'hour', 86400: 'day' } as Record<number, string>;
  return units[seconds] ?? `${seconds} seconds`;
}

const errorNotes = (publicUrl: string): string[] => [
  `- Every failure is one JSON object with \`code\`, \`detail\`, \`fix\`, \`retryable\` and, for wrong input, \`errors\` and \`try\`. Each code has a page at ${publicUrl}/problems/<code>.`,
];

/** "Free." or "2 credits (0.20 USD)." or each price with its field value. */
export function priceSentence({ price }: AnyTool): string {
  if (price.kind !== 'by') return sentence(priceText(price));
  const tiers = Object.entries(price.credits).map(
    ([value, credits]) => `${price.field} ${value} ${creditsText(credits)}`,
  );
  return sentence(tiers.join(', '));
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
