import { fitInside } from '@atelier/imaging/pixels/fit_inside.ts';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ContentBlock,
  type ImageContent,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { MCP_CLIENTS } from '../../catalog/mcp_clients.ts';
import {
  answersWithFile,
  isBase64Field,
  isBytesField,
  isLongTextField,
  MCP_NAMESPACE,
  VIEW_TYPE,
  VIEWS_EXTENSION,
  viewOf,
} from '../../catalog/mcp_tools.ts';
import { MPP_META } from '../../catalog/mpp_names.ts';
import { asToolSteps, type NextStep, type ToolStep } from '../../catalog/next_steps.ts';
import { X402_META } from '../../catalog/x402_names.ts';
import { isForOperator } from '../../core/errors/atelier_error.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { getJob, jobSteps } from '../../features/jobs/tools/get_job.ts';
import type { Services } from '../../features/services.ts';
import { authorizationIn, x402PaymentIn } from '../../pipeline/authenticate.ts';
import { asMcpPaymentRequired, mppMeta } from '../../pipeline/billing/payment_required.ts';
import { asAtelierError, problemDetails } from '../../pipeline/errors.ts';
import { recordClientError } from '../../pipeline/observe.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import { mppReceiptIn, settlementIn } from '../../pipeline/respond.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';
import { asksByLink } from './client_requests.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import {
  MCP_ANSWER_BYTES_MAX,
  MCP_TEXT_FIELD_CHARACTERS_MAX,
  PREVIEW_BYTES_MAX,
  PREVIEW_SIDE_PX,
  STEP_PREVIEWS_MAX,
  THUMBNAILS_MAX,
} from './limits.ts';
import { RESULT_PREFIX } from './resources/results.ts';
import { createdTask, takesTasks } from './tasks.ts';

/**
 * Keys of `_meta` in a tools/call request, for clients that cannot set HTTP headers. A header takes
 * precedence over its key.
 */
export const PAYMENT_INTENT_KEY = `${MCP_NAMESPACE}/payment-intent`;
export const APPROVAL_KEY = `${MCP_NAMESPACE}/approval`;
/** Like the Authorization header: the address of an unlocked wallet, or a key. */
const PAYER_KEY = `${MCP_NAMESPACE}/payer`;
export const IDEMPOTENCY_KEY = `${MCP_NAMESPACE}/idempotency-key`;

/** Key of `_meta` in a result: small images of the listed works, by `credit_id`, for a view to show. */
export const THUMBNAILS_KEY = `${MCP_NAMESPACE}/thumbnails`;
/** Key of `_meta` in a result: the signed receipt, for programs; models see its id and a link. */
const RECEIPT_KEY = `${MCP_NAMESPACE}/receipt`;

/**
 * Headers, which the client's operator sets, take precedence; `_meta` is for clients that cannot set headers.
 */
export const callerOf = (
  { headers, peer }: Exchange,
  signal: AbortSignal,
  meta: Record<string, unknown> = {},
): Client => {
  const { bearer, mppCredential } = authorizationIn(headers);
  return {
    requestId: peer.requestId,
    address: peer.address,
    isModel: true,
    ...(peer.signed && { signed: peer.signed }),
    bearer: bearer ?? textOf(meta[PAYER_KEY]),
    mppCredential: mppCredential ?? meta[MPP_META.credential],
    paymentIntent: headers.get('x-payment-intent')?.trim() || textOf(meta[PAYMENT_INTENT_KEY]),
    approval: headers.get('x-approval')?.trim() || textOf(meta[APPROVAL_KEY]),
    x402Payment: x402PaymentIn(headers) ?? meta[X402_META.payment],
    idempotencyKey: headers.get('idempotency-key') ?? textOf(meta[IDEMPOTENCY_KEY]),
    signal,
  };
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The fields of a result that identify an image and its size. */
interface Picture {
  /** `result:<id>` */
  readonly result: string;
  readonly content_type: string;
  readonly width: number;
  readonly height: number;
}

const SHOWN_AS_THEY_ARE = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Of the tools that return a width and a height, only the vectoriser returns this type. */
const DRAWING = 'image/svg+xml';
const PICTURES = new Set([
  ...SHOWN_AS_THEY_ARE,
  'image/avif',
  'image/tiff',
  'image/gif',
  'image/apng',
  DRAWING,
]);

/** Whether a preview can be made of a result. */
export const isPicture = (answer: object): answer is Picture =>
  'result' in answer &&
  typeof answer.result === 'string' &&
  'content_type' in answer &&
  PICTURES.has(answer.content_type as string) &&
  'width' in answer &&
  typeof answer.width === 'number' &&
  'height' in answer &&
  typeof answer.height === 'number';

/** Tried in this order until the preview is small enough; a noisy image may need the second or third. */
const ATTEMPTS = [
  { side: PREVIEW_SIDE_PX, quality: 80 },
  { side: PREVIEW_SIDE_PX, quality: 50 },
  { side: PREVIEW_SIDE_PX / 2, quality: 50 },
];

/**
 * Makes a small copy of an image for the model to look at: at most PREVIEW_SIDE_PX a side and
 * PREVIEW_BYTES_MAX bytes. The call is complete and charged by now, so an error here must not fail it:
 * undefined means no preview.
 */
export async function preview(
  { pixels, results }: Pick<Services, 'pixels' | 'results'>,
  { result, content_type: type, width, height }: Picture,
  signal: AbortSignal,
): Promise<ImageContent | undefined> {
  try {
    const { bytes } = await results.open(result.replace(/^result:/, ''));
    const isSmall = Math.max(width, height) <= PREVIEW_SIDE_PX && bytes.byteLength <= PREVIEW_BYTES_MAX;
    if (isSmall && SHOWN_AS_THEY_ARE.has(type)) return image(bytes, type);
    for (const { side, quality } of ATTEMPTS) {
      const size = fitInside({ width, height }, side);
      const control = { pixels: width * height + size.width * size.height, signal };
      const small = await (type === DRAWING
        ? pixels.run('show_drawing', { bytes, ...size, quality }, control)
        : pixels.run('resize', { bytes, ...size, mode: 'contain', format: 'webp', quality }, control));
      if (small.bytes.byteLength <= PREVIEW_BYTES_MAX) return image(small.bytes, 'image/webp');
    }
  } catch {
    return undefined;
  }
  return undefined;
}

const image = (bytes: Uint8Array, mimeType: string): ImageContent => ({
  type: 'image',
  data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  mimeType,
  annotations: { audience: ['user', 'assistant'], priority: 0.8 },
});

type ShortAnswerBody = Record<string, unknown>;

/** A shortened result, and its truncated lists, as "downloads (6 of 100)". */
interface ShortAnswer {
  readonly body: ShortAnswerBody;
  readonly cut: readonly string[];
}

/** These say what to do next, and are never truncated. */
const KEPT_WHOLE = ['next_steps', 'warnings'];

/**
 * Truncates the longest lists of a result, the longest first, until it fits MCP_ANSWER_BYTES_MAX. Only lists
 * are truncated, because half an object or half a sentence misleads: a result without long lists keeps its
 * length.
 */
export function shortAnswer(body: ShortAnswerBody): ShortAnswer {
  const cut = new Map<string, string>();
  let short = body;
  for (
    let over = bytesOf(short) - MCP_ANSWER_BYTES_MAX;
    over > 0;
    over = bytesOf(short) - MCP_ANSWER_BYTES_MAX
  ) {
    const longest = longestList(short);
    if (!longest) break;
    const [name, list] = longest;
    // At least one less each time, so that the loop ends.
    const share = Math.max(0, 1 - over / bytesOf(list));
    const kept = list.slice(0, Math.min(list.length - 1, Math.max(1, Math.floor(list.length * share))));
    short = withList(short, name, kept);
    const whole = listsIn(body).find(([other]) => other === name)![1];
    cut.set(name, `${name} (${kept.length} of ${whole.length})`);
  }
  return { body: short, cut: [...cut.values()] };
}

const longestList = (body: ShortAnswerBody): [string, unknown[]] | undefined =>
  listsIn(body)
    .filter(([, list]) => list.length > 1)
    .sort(([, a], [, b]) => bytesOf(b) - bytesOf(a))[0];

/** The lists of a result and of the objects in it: "downloads", "ai.evidence". */
const listsIn = (body: ShortAnswerBody, prefix = ''): [string, unknown[]][] =>
  Object.entries(body).flatMap(([name, value]): [string, unknown[]][] => {
    if (prefix === '' && KEPT_WHOLE.includes(name)) return [];
    if (Array.isArray(value)) return [[`${prefix}${name}`, value]];
    if (typeof value !== 'object' || value === null) return [];
    return listsIn(value as ShortAnswerBody, `${prefix}${name}.`);
  });

/** Replaces a list at a path of `listsIn`. */
function withList(body: ShortAnswerBody, path: string, list: readonly unknown[]): ShortAnswerBody {
  // A name may contain a dot.
  const name = Object.keys(body).find((key) => path === key || path.startsWith(`${key}.`))!;
  const inner = path.slice(name.length + 1);
  const value = inner === '' ? list : withList(body[name] as ShortAnswerBody, inner, list);
  return { ...body, [name]: value };
}

/** Bytes in the message: once as fields, and once as text with escaped quotation marks. */
function bytesOf(value: unknown): number {
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(text));
}

type Body = Record<string, unknown>;

const BASE64_CHARACTERS_MAX = Math.ceil((PREVIEW_BYTES_MAX * 4) / 3);

type ShownServices = Pick<Services, 'pixels' | 'results' | 'site'>;

/** Content beside the fields, and notes about it for the reader. */
interface Attached {
  readonly blocks: ContentBlock[];
  readonly warning?: string;
}

/**
 * A result for a model to read: its fields without bytes, a small preview of an image, and a link to the
 * file.
 * base64 as text would fill the model's context.
 */
export async function toolResult(
  services: ShownServices,
  tool: AnyTool,
  answer: Body,
  { wantsPreview, signal }: { wantsPreview: boolean; signal: AbortSignal },
): Promise<CallToolResult> {
  const { publicUrl } = services.site;
  const { body, blocks: receipt, _meta } = withoutReceipt(withToolSteps(answer, publicUrl), publicUrl);
  const shown = wantsPreview ? picturesOf(body) : [];
  const previews = await Promise.all(shown.map((picture) => preview(services, picture, signal)));
  const attached = [
    ...previews.map(attachPreview),
    fileOf(tool, body),
    ...(wantsPreview ? picturesWithin(body) : []),
  ];
  const whole = withWarnings(
    withoutBytes(body),
    attached.flatMap(({ warning }) => warning ?? []),
  );
  const { structuredContent, blocks } = tool.isDocument
    ? { structuredContent: whole, blocks: [] }
    : await shortened(services.results, whole);
  const text: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  return {
    content: [text, ...attached.flatMap((one) => one.blocks), ...blocks, ...receipt],
    structuredContent,
    ...(_meta && { _meta }),
  };
}

/**
 * The images of a result: its own; the page of a print layout; the contact sheet of found works; the last
 * image of each step sequence.
 */
function picturesOf(body: Body): Picture[] {
  const own = pictureOf(body);
  if (own || !Array.isArray(body.steps)) return own ? [own] : [];
  const steps = body.steps as { readonly item?: number; readonly answer?: Body }[];
  const last = new Map<number, Picture>();
  for (const { item = 0, answer } of steps) {
    const picture = answer && pictureOf(answer);
    if (picture) last.set(item, picture);
  }
  return [...last.values()].slice(0, STEP_PREVIEWS_MAX);
}

function pictureOf(body: Body): Picture | undefined {
  const within = [body, body.preview, body.sheet];
  return within.find((one): one is Picture => typeof one === 'object' && one !== null && isPicture(one));
}

interface Shown {
  readonly structuredContent: Body;
  readonly blocks: ContentBlock[];
}

/** A long result with truncated lists, stored in full as a file; if it cannot be stored, the full result. */
async function shortened(results: Services['results'], whole: Body): Promise<Shown> {
  const { body, cut } = shortAnswer(whole);
  if (cut.length === 0) return { structuredContent: whole, blocks: [] };
  try {
    const bytes = Buffer.from(JSON.stringify(whole));
    const { handle, url: uri } = await results.keep(bytes, 'application/json');
    const resource = `${RESULT_PREFIX}${handle.replace('result:', '')}`;
    const warning = `Shortened: ${cut.join(', ')}. The resource ${resource} and the link have the whole response for 24 hours.`;
    const link = {
      type: 'resource_link' as const,
      uri,
      name: 'whole_answer.json',
      mimeType: 'application/json',
    };
    return { structuredContent: withWarnings(body, [warning]), blocks: [{ ...link, size: bytes.length }] };
  } catch {
    return { structuredContent: whole, blocks: [] };
  }
}

const attachPreview = (picture: ContentBlock | undefined): Attached =>
  picture
    ? { blocks: [picture] }
    : { blocks: [], warning: 'No preview is available; result_url has the image.' };

/** The file as a link; small bytes without a link are included, for others the text says how to get them. */
function fileOf(tool: AnyTool, body: Body): Attached {
  const link = linkTo(tool, body);
  if (link) return { blocks: [link] };
  const bytes = Object.entries(body).find(([name, value]) => isBytesField(name) && typeof value === 'string');
  if (!bytes) return { blocks: [] };
  const blob = bytes[1] as string;
  if (blob.length > BASE64_CHARACTERS_MAX) {
    const warning = `The file is too large for a message. POST /api/tools/${tool.name} returns it.`;
    return { blocks: [], warning };
  }
  const uri = `atelier://files/${encodeURIComponent(typeof body.key === 'string' ? body.key : tool.name)}`;
  return { blocks: [{ type: 'resource', resource: { uri, blob, ...mimeOf(body) } }] };
}

function linkTo(tool: AnyTool, body: Body): ContentBlock | undefined {
  const uri = body.result_url ?? body.url;
  if (typeof uri !== 'string' || !/^https?:/.test(uri)) return undefined;
  const size = typeof body.size_bytes === 'number' ? { size: body.size_bytes } : {};
  return { type: 'resource_link', uri, name: fileName(tool, body), ...mimeOf(body), ...size };
}

const mimeOf = ({ content_type: type }: Body) => (typeof type === 'string' ? { mimeType: type } : {});

/** The name of the source file, else "resize_image.webp". */
function fileName(tool: AnyTool, { content_type: type, result, name }: Body): string {
  if (typeof result === 'string' && typeof name === 'string') return name;
  const subtype = typeof type === 'string' ? type.split(/[/;+]/)[1] : undefined;
  return subtype ? `${tool.name}.${subtype}` : tool.name;
}

function withoutBytes(body: Body): Body {
  const shown = Object.entries(body).filter(([name, value]) => {
    if (typeof value !== 'string') return true;
    return !isBytesField(name) && !(isLongTextField(name) && value.length > MCP_TEXT_FIELD_CHARACTERS_MAX);
  });
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutBase64(value)]));
}

/** The same value without base64, at any depth. */
function withoutBase64(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBase64);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, part]) => !isBase64(name, part));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutBase64(part)]));
}

const isBase64 = (name: string, value: unknown): value is string =>
  typeof value === 'string' && isBase64Field(name);

/**
 * Small images inside objects of the result, such as a map of changes: included, because no link leads to
 * them.
 */
function picturesWithin(body: Body): Attached[] {
  const within = Object.values(body).filter((value) => typeof value === 'object' && value !== null);
  return within
    .flatMap((value) => base64In(value as object))
    .flatMap((data) => {
      const mimeType = PICTURE_TYPES.find(([beginning]) => data.startsWith(beginning))?.[1];
      if (!mimeType || data.length > BASE64_CHARACTERS_MAX) return [];
      return [{ blocks: [{ type: 'image' as const, data, mimeType }] }];
    });
}

/** First characters of base64 images, by media type. */
const PICTURE_TYPES = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
] as const;

const base64In = (value: object): string[] =>
  Object.entries(value).flatMap(([name, part]) => {
    if (isBase64(name, part)) return [part];
    return typeof part === 'object' && part !== null ? base64In(part) : [];
  });

function withWarnings(body: Body, added: string[]): Body {
  if (added.length === 0) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...added] };
}

/** The result with next steps that an MCP client can take. */
const withToolSteps = (body: Body, publicUrl: string): Body =>
  Array.isArray(body.next_steps)
    ? { ...body, next_steps: asToolSteps(body.next_steps as ToolStep[], publicUrl) }
    : body;

type ReceiptReferenceBody = Record<string, unknown>;

interface WithoutReceipt {
  readonly body: ReceiptReferenceBody;
  readonly blocks: ContentBlock[];
  readonly _meta?: Record<string, unknown>;
}

/**
 * Moves a signed receipt into `_meta`: it is for programs and courts, and costs a model 1,000 characters. The
 * result keeps its id and an empty value, so that the text is exactly what the receipt signs, and a link to
 * it if a wallet paid.
 */
function withoutReceipt(body: ReceiptReferenceBody, publicUrl: string): WithoutReceipt {
  const payment = body.payment as ReceiptReferenceBody | undefined;
  if (typeof payment?.receipt !== 'string') return { body, blocks: [] };
  const { receipt, receipt_id: id, wallet } = payment;
  const uri = `${publicUrl}/api/wallet/receipts/${id}?wallet=${wallet}`;
  const link = { type: 'resource_link' as const, uri, name: 'receipt', mimeType: 'application/json' };
  return {
    body: { ...body, payment: { ...payment, receipt: '' } },
    blocks: typeof wallet === 'string' ? [link] : [],
    _meta: { [RECEIPT_KEY]: receipt },
  };
}

const BEARER = 'Bearer <wallet or key>';

/** The same 402 with steps for this client instead of headers and bodies of HTTP. */
const payableHere = (
  { payment_options: _, next_steps: steps, ...problem }: Record<string, unknown>,
  client: string,
  options: Pick<ServerOptions, 'publicUrl'>,
): Record<string, unknown> => ({
  ...problem,
  next_steps: (steps as NextStep[]).filter(({ endpoint }) => endpoint !== CREATE_INTENT),
  how_to_pay: howToPay(client, options),
});

/** request_payment replaces it for clients with tools but without headers. */
const CREATE_INTENT = 'POST /api/create-payment-intent';

/** The steps for a model, and the one-time setup for a person that avoids them. */
function howToPay(client: string, { publicUrl }: Pick<ServerOptions, 'publicUrl'>): Record<string, unknown> {
  const known = MCP_CLIENTS.filter((one) => one.known.test(client));
  const shown = known.length > 0 ? known.slice(0, 1) : MCP_CLIENTS;
  return {
    now: 'Resend the call with "payer" in its arguments: a key (open_account creates one with 10 free credits), the address of an unlocked wallet, or a paid payment intent. Without credits: call request_payment and give the person the link it returns.',
    meta: `_meta["${PAYER_KEY}"] has the same effect.`,
    person_once: 'To pay for every call, add this to the client configuration:',
    configuration: Object.fromEntries(
      shown.map(({ name, where, setting }) => [`${name}, ${where}`, setting(`${publicUrl}/mcp`, BEARER)]),
    ),
  };
}

/** The name of the client: from the request, where its revision has it, else from the User-Agent header. */
function clientOf({ headers }: Pick<Exchange, 'headers'>, meta: Record<string, unknown>): string {
  const info = meta['io.modelcontextprotocol/clientInfo'] as { name?: unknown } | undefined;
  return typeof info?.name === 'string' ? info.name : (headers.get('user-agent') ?? '');
}

type Params = {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
};

interface Call {
  readonly exchange: Exchange;
  readonly options: ServerOptions;
  readonly request: ServerContext['mcpReq'];
}

/**
 * Runs a tool and returns an MCP result. Every failure that clients receive is a result with `isError`, so
 * that the model reads it; an unpaid call too, because MCP clients treat HTTP 401 or 402 as an invitation to
 * log in.
 */
export async function answerCall(
  context: PipelineContext,
  tool: AnyTool,
  params: Params,
  call: Call,
): Promise<CallToolResult> {
  const { include_preview: includePreview, ...sent } = params.arguments ?? {};
  const raw = answersWithFile(tool) ? { ...sent, output: 'url' } : sent;
  const progress = progressReporter(call.exchange, call.request);
  try {
    const known = callerOf(call.exchange, call.request.signal, params._meta);
    const comesAgain = asksByLink(call.exchange, call.request) === 'error';
    const caller: Client = {
      ...known,
      comesAgain,
      longCalls: 'when_expected',
      onProgress: progress.report,
    };
    const { status, body, headers } = await callTool(context, tool.name, raw, caller);
    if (status === 202)
      return takesTasks(call.request) && sent.payer === undefined
        ? createdTask(body)
        : acceptedJob(body, sent.payer);
    const wantsPreview = includePreview !== false;
    const shown = { wantsPreview, signal: caller.signal };
    const result = await (tool.name === getJob.name ? jobResult : toolResult)(
      context.services,
      tool,
      body,
      shown,
    );
    const _meta = {
      ...result._meta,
      ...settlementMeta(headers)._meta,
      ...(showsViews(call.request) && thumbnailsMeta(context.services, tool, body)),
    };
    await logWarnings(call, tool, body.warnings);
    return { ...result, ...(Object.keys(_meta).length > 0 && { _meta }) };
  } catch (error) {
    const { address, requestId } = call.exchange.peer;
    await recordClientError(context, asAtelierError(error), { address, requestId, about: tool.name });
    return failure(error, call, params._meta);
  } finally {
    await progress.flush();
  }
}

/** A call that became a job: what to call next, with the payer that may read it. */
function acceptedJob(body: Record<string, unknown>, payer: unknown): CallToolResult {
  const isAddress = typeof payer === 'string' && /^0x[0-9a-f]{40}$/i.test(payer.trim());
  const steps = jobSteps(String(body.job_id)).map(({ params, ...step }) => ({
    ...step,
    cost: 'free',
    params: { ...params, ...(isAddress && { payer }) },
  }));
  const structuredContent = { ...body, next_steps: steps };
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
}

/** A finished job, as the response of its call. */
export async function finishedCall(
  services: Services,
  { tool, result, problem }: Body,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const made = services.catalogue.find(String(tool));
  if (made && result) return toolResult(services, made, result as Body, { wantsPreview: true, signal });
  const structuredContent = (problem ?? {}) as Body;
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
  };
}

/** The result of a job as its tool would have returned it: with a preview, links and no bytes. */
async function jobResult(
  services: ShownServices & Pick<Services, 'catalogue'>,
  tool: AnyTool,
  { result, ...job }: Body,
  shown: { wantsPreview: boolean; signal: AbortSignal },
): Promise<CallToolResult> {
  const made = typeof job.tool === 'string' ? services.catalogue.find(job.tool) : undefined;
  if (!made || typeof result !== 'object' || result === null) return toolResult(services, tool, job, shown);
  const { content, structuredContent: own, _meta } = await toolResult(services, made, result as Body, shown);
  const structuredContent = { ...job, result: own };
  const text: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  return { content: [text, ...content.slice(1)], structuredContent, ...(_meta && { _meta }) };
}

/**
 * Warnings of a successful call, for the log window of a client. Older revisions and requested levels only.
 */
async function logWarnings({ exchange, request }: Call, { name }: AnyTool, warnings: unknown): Promise<void> {
  if (!exchange.acceptsEvents || !Array.isArray(warnings)) return;
  for (const warning of warnings) await request.log('warning', warning, name).catch(() => {});
}

/** The settlement of a payment, where the MCP transport of the protocol expects it. */
function settlementMeta(headers: Record<string, string>): Pick<CallToolResult, '_meta'> {
  const [settlement, receipt] = [settlementIn(headers), mppReceiptIn(headers)];
  if ((settlement ?? receipt) === undefined) return {};
  return {
    _meta: {
      ...(settlement !== undefined && { [X402_META.settlement]: settlement }),
      ...(receipt !== undefined && { [MPP_META.receipt]: receipt }),
    },
  };
}

function failure(
  error: unknown,
  { exchange, options }: Call,
  meta: Record<string, unknown> = {},
): CallToolResult {
  const { requestId } = exchange.peer;
  const path = exchange.url.pathname;
  if (isForOperator(asAtelierError(error).code)) options.report?.(error, { requestId, path });
  const context = { requestId, instance: path, publicUrl: options.publicUrl };
  const { headers = {} } = asAtelierError(error).details;
  const told = problemDetails(error, context);
  const unpaid = told.status === 402 ? asMcpPaymentRequired(told, headers) : undefined;
  const _meta = { ...settlementMeta(headers)._meta, ...(unpaid && mppMeta(unpaid)) };
  const { publicUrl } = options;
  const payable = unpaid ? payableHere(unpaid, clientOf(exchange, meta), options) : told;
  const problem = withToolSteps(payable, publicUrl);
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(problem) }],
    structuredContent: problem,
    ...(Object.keys(_meta).length > 0 && { _meta }),
  };
}

/**
 * Converts a tool's progress to notifications/progress: whole percents, which must strictly increase. Silent
 * unless the request has a progress token and the response may be a stream. `flushed` waits until all are
 * written, so that none follows the result.
 */
function progressReporter(
  { acceptsEvents }: Exchange,
  { _meta, notify }: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>,
): { report(fraction: number, message: string): void; flush(): Promise<unknown> } {
  const progressToken = _meta?.progressToken;
  const sent: Promise<void>[] = [];
  let last = 0;
  return {
    report(fraction, message) {
      const progress = Math.round(fraction * 100);
      if (progressToken === undefined || !acceptsEvents || !(progress > last)) return;
      last = progress;
      const params = { progressToken, progress, total: 100, message };
      // The call's own signal reports a client that has disconnected.
      sent.push(notify({ method: 'notifications/progress', params }).catch(() => {}));
    },
    flush: () => Promise.all(sent),
  };
}

/**
 * Links to small images of the listed works, for the view to show. Models do not see `_meta`, and can send
 * `artwork:<credit_id>` to any tool instead. Images are fetched only when opened.
 */
export function thumbnailsMeta(
  { artworks }: Pick<Services, 'artworks'>,
  tool: AnyTool,
  body: Record<string, unknown>,
): Record<string, unknown> {
  if (viewOf(tool) !== 'contact_sheet') return {};
  const ids = Object.values(body)
    .filter(Array.isArray)
    .flat()
    .filter(hasPicture)
    .map(({ credit_id: id }) => id)
    .slice(0, THUMBNAILS_MAX);
  if (ids.length === 0) return {};
  return { [THUMBNAILS_KEY]: Object.fromEntries(ids.map((id) => [id, artworks.link(id, 'small').url])) };
}

interface Work {
  readonly credit_id: string;
  readonly image_available?: boolean;
  readonly download_url?: string | null;
}

function hasPicture(entry: unknown): entry is Work {
  if (typeof entry !== 'object' || entry === null) return false;
  const { credit_id: id, image_available: isThere, download_url: url } = entry as Partial<Work>;
  return typeof id === 'string' && (isThere === true || typeof url === 'string');
}

/**
 * Whether the client may show views. Since 2026-07-28 every request declares the capabilities of the client.
 * Before, only the first request of a connection does, which is not remembered: such a client receives the
 * views, and ignores unknown content.
 */
export function showsViews({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): boolean {
  const told = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  if (!told) return true;
  const { mimeTypes } = told.extensions?.[VIEWS_EXTENSION] ?? {};
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

/** A value that the library has validated but returns untyped. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: {
    readonly extensions?: Readonly<Record<string, { readonly mimeTypes?: unknown }>>;
  };
}
