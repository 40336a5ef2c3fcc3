import { MCP_NAMESPACE } from '../../catalog/mcp_tools.ts';

/** Keys of `_meta` in a tools/call request, for clients that cannot set HTTP headers. A header wins over its key. */
export const PAYMENT_INTENT_KEY = `${MCP_NAMESPACE}/payment-intent`;
export const APPROVAL_KEY = `${MCP_NAMESPACE}/approval`;
/** As the Authorization header: the address of an open wallet, or a key. */
export const PAYER_KEY = `${MCP_NAMESPACE}/payer`;
export const IDEMPOTENCY_KEY = `${MCP_NAMESPACE}/idempotency-key`;

/** Key of `_meta` in an answer: the small pictures of the works it lists, by `credit_id`, for a view to show. */
export const THUMBNAILS_KEY = `${MCP_NAMESPACE}/thumbnails`;
/** Key of `_meta` in an answer: the signed receipt, for programs; models see its id and a link. */
export const RECEIPT_KEY = `${MCP_NAMESPACE}/receipt`;
