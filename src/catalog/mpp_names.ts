/**
 * Headers of the Payment scheme (Machine Payments Protocol). WWW-Authenticate contains its challenge beside the bearer challenge.
 */
export const MPP_HEADERS = {
  challenge: 'WWW-Authenticate',
  credential: 'Authorization',
  receipt: 'Payment-Receipt',
} as const;

/** Keys of `_meta` in its MCP transport: the challenges of an unpaid call, the credential in the request, the receipt in the result. */
export const MPP_META = {
  challenges: 'org.paymentauth/payment-required',
  credential: 'org.paymentauth/credential',
  receipt: 'org.paymentauth/receipt',
} as const;
