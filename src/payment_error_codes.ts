/** The part of the table of error codes (error_codes.ts) that is about who pays, with what and for what. */
export const PAYMENT_ERRORS = {
  payment_malformed: {
    status: 400,
    title: 'The payment cannot be read',
    fix: 'Encode the payment as `detail` says. Nothing was taken; the same authorization can be sent again.',
  },
  tool_is_free: {
    status: 400,
    title: 'This tool is free',
    fix: 'Call the tool directly; it needs no payment.',
  },
  invalid_event: {
    status: 400,
    title: 'The notice of a card processor is not accepted',
    fix: 'Send the body unchanged with its signature, within five minutes of signing; events are made by the processor only.',
  },
  payment_required: {
    status: 402,
    title: 'Payment required',
    fix: 'Register a wallet (10 free credits) and send it as `Authorization: Bearer 0x…`, or pay this call by card: POST /api/create-payment-intent.',
  },
  wallet_not_registered: {
    status: 402,
    title: 'The wallet is not registered',
    fix: 'POST /api/wallet/register {"wallet": "0x…"}, which grants 10 credits, then repeat the call.',
  },
  insufficient_credits: {
    status: 402,
    title: 'Not enough credits',
    fix: 'Buy a pack (GET /api/credits), or use a free tool.',
  },
  payment_refused: {
    status: 402,
    title: 'The payment does not pay for this call',
    fix: 'Read `detail`, make a payment as this answer asks for it, and send it with the call. Nothing was taken.',
  },
  payment_used: {
    status: 402,
    title: 'The payment has already paid for a call',
    fix: 'Make a new payment for a new call. To collect the answer of the first call, repeat it unchanged.',
  },
  payment_not_settled: {
    status: 402,
    title: 'The payment could not be collected',
    fix: 'Nothing was taken and no result is given. Make a new payment and send it with the call.',
  },
  payment_intent_not_found: {
    status: 402,
    title: 'No such payment intent',
    fix: 'Create one with POST /api/create-payment-intent, have it paid at its pay_url, and send its id as X-Payment-Intent.',
  },
  payment_intent_tool_mismatch: {
    status: 402,
    title: 'The payment intent is for another tool',
    fix: 'Create one for this tool with POST /api/create-payment-intent.',
  },
  payment_intent_wallet_mismatch: {
    status: 402,
    title: 'The payment intent belongs to another wallet',
    fix: 'Call without a bearer or with that of the wallet the intent was made for, or create one for this wallet.',
  },
  payment_intent_in_use: {
    status: 402,
    title: 'The payment intent is paying another call',
    fix: 'Wait for that call and send this one again, or create another intent.',
  },
  payment_intent_used: {
    status: 402,
    title: 'The payment intent has paid all its calls',
    fix: 'Create another one with POST /api/create-payment-intent.',
  },
  payment_intent_void: {
    status: 402,
    title: 'The payment intent no longer pays',
    fix: 'It was canceled, refunded or disputed, or is of another mode. Create another one with POST /api/create-payment-intent.',
  },
  payment_insufficient: {
    status: 402,
    title: 'The payment intent is too small for this call',
    fix: 'Create one for this call: name the same tier in POST /api/create-payment-intent.',
  },
  payment_not_authorized: {
    status: 402,
    title: 'The payment intent has not been paid yet',
    fix: 'Have a person open its pay_url, or confirm it with its client secret; then send the call again.',
  },
  payment_failed: {
    status: 402,
    title: 'The card was refused',
    fix: 'Create another payment intent and pay it with another card.',
  },
  wallet_mismatch: {
    status: 403,
    title: 'Another wallet than the payer',
    fix: 'Send the same wallet in the body and as bearer.',
  },
  budget_refused: {
    status: 403,
    title: 'The budget of the key does not allow this call',
    fix: 'Ask for less (`try` has a smaller call where one fits), wait for the next day, or have the owner make a key with a larger budget.',
  },
  receipt_not_found: {
    status: 404,
    title: 'No such receipt',
    fix: 'Take receipt_id from GET /api/wallet/statement of the wallet that paid.',
  },
  payment_not_found: {
    status: 404,
    title: 'No such payment',
    fix: 'Check the id; start again from GET /api/credits or POST /api/create-payment-intent.',
  },
  payment_in_use: {
    status: 409,
    title: 'A call with this payment is still running',
    fix: 'Wait `Retry-After` seconds and send the same call again.',
  },
  card_declined: { status: 422, title: 'The card was declined', fix: 'Pay with another card.' },
  payments_not_configured: {
    status: 503,
    title: 'Card payment is not set up on this server',
    fix: 'Use credits: registering a wallet grants 10.',
  },
  payment_unknown: {
    status: 503,
    title: 'Whether the card was charged is not known yet',
    fix: 'Do not pay again. Wait `Retry-After` seconds and send the same call with the same payment intent.',
  },
  payment_unconfirmed: {
    status: 503,
    title: 'It is not known yet whether the payment was collected',
    fix: 'Do not pay again. Wait `Retry-After` seconds and send the same call with the same payment: it answers the result once the payment is confirmed.',
  },
  payment_check_failed: {
    status: 503,
    title: 'The payment cannot be checked just now',
    fix: 'Nothing was taken. Wait `Retry-After` seconds and send the same call with the same payment, or pay with credits.',
  },
} as const;
