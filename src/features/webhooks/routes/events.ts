import { z } from 'zod';

/** An event type: its recipients, its trigger and its `data`. */
export interface EventDefinition {
  /** Sent to all subscribers; absent: only to endpoints of the wallet concerned. */
  readonly isPublic?: true;
  /** For the reference: the trigger. */
  readonly when: string;
  readonly data: z.ZodObject;
  readonly example: Record<string, unknown>;
}

const WALLET = `0x${'a1'.repeat(20)}`;
const JOB = `job_${'4f'.repeat(16)}`;
const jobId = z.string().describe('Of GET /api/jobs/{id}.');
const tool = z.string();
const credits = z.number().min(0).max(1e12);
const urlField = (of: string) => z.string().describe(of);
const code = z.string().describe('Error code.');

const job = z.strictObject({ job_id: jobId, tool, url: urlField('URL of the job.') });
const jobExample = { job_id: JOB, tool: 'upscale_image', url: `https://atelier.example/api/jobs/${JOB}` };
const wallet = z.strictObject({ wallet: z.string() });
const asset = z.strictObject({ key: z.string().describe('Key of the asset, for get_asset.') });
const money = z.strictObject({
  credits,
  transaction_id: z.string().describe('As in the account statement.'),
});
const payment = z.strictObject({
  method: z.enum(['card', 'x402']),
  payment_id: z.string(),
  tool,
  amount_usd: z.number().min(0).max(1e9),
});
const paymentExample = { method: 'card', payment_id: 'pi_3Q', tool: 'upscale_image', amount_usd: 0.5 };
const post = z.strictObject({ id: z.string(), url: urlField('Feed of the entry.') });
const postExample = (id: string, path: string) => ({ id, url: `https://atelier.example${path}` });

/** All event types by name. The single source. */
export const EVENTS = {
  'tool.completed': {
    when: 'A tool call succeeded and was paid, synchronously or as a job.',
    data: z.strictObject({
      tool,
      credits: credits.describe('Price of the call.'),
      receipt_id: z.string().nullable().describe('Id of the signed receipt; null if free.'),
      job_id: jobId.nullable().describe('null for a synchronous call.'),
    }),
    example: { tool: 'upscale_image', credits: 2, receipt_id: 'rcpt_0b0a', job_id: null },
  },
  'tool.failed': {
    when: 'A tool call failed after admission. It was not charged.',
    data: z.strictObject({
      tool,
      code,
      request_id: z.string().describe('As in the failed response.'),
      job_id: jobId.nullable().describe('null for a synchronous call.'),
    }),
    example: { tool: 'upscale_image', code: 'timed_out', request_id: 'req_7c', job_id: null },
  },
  'job.queued': {
    when: 'A call became a job: on request, by expected duration, or at its deadline.',
    data: job,
    example: jobExample,
  },
  'job.completed': { when: 'A job succeeded.', data: job, example: jobExample },
  'job.failed': {
    when: 'A job failed; its hold is released.',
    data: job.extend({ code }),
    example: { ...jobExample, code: 'timed_out' },
  },
  'job.canceled': {
    when: 'A job was canceled; its hold is released.',
    data: job,
    example: jobExample,
  },
  'credits.purchased': {
    when: 'Credits were added by a payment, or are the remainder of a card payment.',
    data: money,
    example: { credits: 100, transaction_id: 'checkout:cs_9' },
  },
  'credits.low': {
    when: 'A charge reduced the balance below 5 credits.',
    data: z.strictObject({ balance: credits, below: credits }),
    example: { balance: 4.2, below: 5 },
  },
  'credits.refunded': {
    when: 'A purchase was refunded or disputed and its credits removed; or the dispute was won and they are restored.',
    data: money.extend({ direction: z.enum(['taken_back', 'given_back']) }),
    example: { credits: 100, transaction_id: 'reversal:cs_9:1', direction: 'taken_back' },
  },
  'wallet.registered': { when: 'The wallet was registered.', data: wallet, example: { wallet: WALLET } },
  'wallet.locked': {
    when: 'The wallet was locked. Endpoints registered with its address alone are disabled without notification.',
    data: wallet,
    example: { wallet: WALLET },
  },
  'payment.captured': {
    when: 'A card payment or x402 authorization was captured.',
    data: payment,
    example: paymentExample,
  },
  'payment.released': {
    when: 'The amount reserved on a card or authorization was released, because the call failed or did not use it.',
    data: payment,
    example: paymentExample,
  },
  'asset.saved': { when: 'An asset was saved and paid for.', data: asset, example: { key: 'logo.png' } },
  'asset.deleted': { when: 'An asset was deleted.', data: asset, example: { key: 'logo.png' } },
  'provenance.registered': {
    when: 'An image was registered by its hash.',
    data: z.strictObject({ registration_id: z.string(), sha256: z.string() }),
    example: { registration_id: `hash_${'0c'.repeat(12)}`, sha256: '9f'.repeat(32) },
  },
  'provenance.match_found': {
    when: 'Another client verified an image whose best match is your registration. The client is not named.',
    data: z.strictObject({
      registration_id: z.string(),
      by: z.enum(['file', 'picture', 'windows', 'watermark', 'metadata']).describe('Method of comparison.'),
      confidence: z.number().min(0).max(1),
    }),
    example: { registration_id: `hash_${'0c'.repeat(12)}`, by: 'picture', confidence: 0.999 },
  },
  'dataset.batch_ready': {
    when: 'The links of a batch_download job are ready.',
    data: z.strictObject({ job_id: jobId, url: urlField('URL of the job and its result.') }),
    example: { job_id: JOB, url: `https://atelier.example/api/jobs/${JOB}` },
  },
  'workspace.changed': {
    when: 'Items, acts or comments of a workspace of the wallet have changed. Moves and renames are not reported.',
    data: z.strictObject({
      workspace_id: z.string(),
      event: z.int().min(1).max(1e9).describe('Number of the event in the stream of the workspace.'),
      kind: z.enum(['items_added', 'act_done', 'act_failed', 'commented', 'trash_emptied', 'claimed']),
      url: urlField('The page of the workspace.'),
    }),
    example: {
      workspace_id: `wsp_${'2b'.repeat(16)}`,
      event: 12,
      kind: 'act_done',
      url: `https://atelier.example/table/wsp_${'2b'.repeat(16)}`,
    },
  },
  'gallery.posted': {
    isPublic: true,
    when: 'An artwork was posted to the gallery.',
    data: post,
    example: postExample('art_5d', '/api/gallery/feed'),
  },
  'cafe.posted': {
    isPublic: true,
    when: 'A message was posted to the cafe.',
    data: post,
    example: postExample('post_5d', '/api/cafe/feed'),
  },
  'registry.signed': {
    isPublic: true,
    when: 'The guest registry was signed.',
    data: post,
    example: postExample('sig_5d', '/api/registry/entries'),
  },
  'webhook.disabled': {
    when: 'An endpoint of your wallet was disabled; sent to your other endpoints.',
    data: z.strictObject({ webhook_id: z.string(), reason: z.string(), url: urlField('The endpoint.') }),
    example: {
      webhook_id: `whe_${'7e'.repeat(12)}`,
      reason: 'no delivery has succeeded since 2026-11-20T10:00:00.000Z',
      url: `https://atelier.example/api/webhooks/whe_${'7e'.repeat(12)}`,
    },
  },
  'webhook.test': {
    when: 'Test requested with POST /api/webhooks/{id}/test. It is sent only to that endpoint, regardless of its subscriptions.',
    data: z.strictObject({ webhook_id: z.string() }),
    example: { webhook_id: `whe_${'7e'.repeat(12)}` },
  },
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];
