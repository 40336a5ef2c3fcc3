import { MPP_HEADERS } from '../../catalog/mpp_names.ts';
import { X402_ANSWER_HEADERS } from '../../pipeline/respond.ts';
import type { PipelineContext } from '../../pipeline/types.ts';

/** What pages of other origins can read of an answer. */
export const exposedHeaders = ({ x402, mpp }: PipelineContext): string[] => [
  ...EXPOSED_HEADERS,
  ...(x402 ? X402_ANSWER_HEADERS : []),
  ...(mpp ? [MPP_HEADERS.receipt] : []),
];

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Allow',
  'Accept-Signature',
  'Link',
  'WWW-Authenticate',
  'ETag',
  'Accept-Ranges',
  'Content-Range',
  'Location',
  'Preference-Applied',
  'Idempotency-Replayed',
];
