import { MCP_NAMESPACE } from '../catalogue/mcp_tools.ts';

/** Keys of `_meta` in a tools/call request, for clients that cannot set HTTP headers. A header wins over its key. */
export const PAYMENT_INTENT_KEY = `${MCP_NAMESPACE}/payment-intent`;
export const IDEMPOTENCY_KEY = `${MCP_NAMESPACE}/idempotency-key`;
