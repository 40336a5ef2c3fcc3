import type { ContentBlock } from '@modelcontextprotocol/server';
import { RECEIPT_KEY } from './meta_keys.ts';

type Body = Record<string, unknown>;

export interface WithoutReceipt {
  readonly body: Body;
  readonly blocks: ContentBlock[];
  readonly _meta?: Record<string, unknown>;
}

/**
 * A signed receipt is for programs and courts, and a thousand characters a model reads in vain. It goes into `_meta`; the answer keeps
 * its id and an empty place, so that the answer's text is exactly what the receipt signs, and a link leads to it where a wallet paid.
 */
export function withoutReceipt(body: Body, publicUrl: string): WithoutReceipt {
  const payment = body.payment as Body | undefined;
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
