import { MCP_NAMESPACE } from '../catalogue/mcp_tools.ts';

/** Keys of `_meta` in a tools/call request, for clients that cannot set HTTP headers. A header wins over its key. */
export const PAYMENT_INTENT_KEY = `${MCP_NAMESPACE}/payment-intent`;
export const IDEMPOTENCY_KEY = `${MCP_NAMESPACE}/idempotency-key`;
/** Keys of the x402 MCP transport: the payment in the request, the settlement in the result. */
export const X402_PAYMENT_KEY = 'x402/payment';
export const X402_SETTLEMENT_KEY = 'x402/payment-response';
