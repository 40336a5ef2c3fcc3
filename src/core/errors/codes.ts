/**
 * The table of error codes. The only source of status, title and advice; problem pages, OpenAPI and the documentation are generated
 * from it.
 */
export const ERRORS = {
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
  sign_in_refused: {
    status: 402,
    title: 'The sign-in is not accepted',
    fix: 'Sign the challenge in `extensions["sign-in-with-x"]` of this answer unchanged and send it with the same call, or pay in another way. You were not charged.',
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
  spending_stopped: {
    status: 403,
    title: 'The owner has stopped all spending of this wallet',
    fix: 'Ask the owner, who lets it go on with POST /api/wallet/spending {"stopped": false}. Free tools work; nothing was charged.',
  },
  approval_required: {
    status: 403,
    title: 'The owner of the wallet has to approve this call',
    fix: 'Give the person the link in `approval`, and send the same call again with `approval` set to its id.',
  },
  approval_waiting: {
    status: 403,
    title: 'The owner has not answered yet',
    fix: 'Wait until the person has opened the link, and send the same call again with the same approval.',
  },
  approval_refused: {
    status: 403,
    title: 'The owner has refused this call',
    fix: 'Do not send it again. Nothing was charged.',
  },
  approval_expired: {
    status: 403,
    title: 'The approval is over',
    fix: 'Send the call without it, and a new one is asked for.',
  },
  approval_used: {
    status: 403,
    title: 'The approval was used for a call',
    fix: 'Each is good for one call that is charged: send the call without it, and a new one is asked for.',
  },
  approval_differs: {
    status: 403,
    title: 'The approval is for another call',
    fix: 'Send tool and parameters exactly as they were approved, or send the call without it to ask anew. Nothing was charged.',
  },
  approval_not_found: {
    status: 404,
    title: 'This wallet has no such approval',
    fix: 'Send the call without it, and one is asked for.',
  },
  consent_not_found: {
    status: 404,
    title: 'Unknown consent request',
    fix: 'Take the link as it was given; it ends after a quarter of an hour.',
  },
  consent_over: {
    status: 422,
    title: 'Nothing to decide any more',
    fix: 'It was decided before, or not in time. The agent can ask anew.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many questions wait for a person',
    fix: 'Have a person answer those that are open, or wait until they have ended.',
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
    retryAfterSeconds: 86_400,
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
  unreadable_request: {
    status: 400,
    title: 'Malformed HTTP request',
    fix: 'Send HTTP/1.1 with a method, headers and lengths as RFC 9112 writes them; any HTTP library does.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not JSON',
    fix: 'Send one JSON object as the request body.',
  },
  invalid_input: {
    status: 400,
    title: 'Some fields need correcting',
    fix: 'Correct the fields listed in `errors` and send the call again; `try` holds a corrected body where one exists.',
  },
  invalid_token: {
    status: 401,
    title: 'The bearer token is not understood',
    fix: 'Send `Authorization: Bearer` with the address of a registered wallet (0x and 40 hex digits), or with a session or key that is in force.',
  },
  operator_required: {
    status: 401,
    title: 'Only an operator may do this',
    fix: 'Send `Authorization: Bearer atl_op_…`, made with atelier admin token, or a token of the identity provider of this server.',
  },
  wallet_locked: {
    status: 401,
    title: 'The wallet is locked',
    fix: 'Send a session or key of its owner as bearer: POST /api/wallet/challenge, sign the message, POST /api/wallet/session.',
  },
  proof_required: {
    status: 401,
    title: 'Only the owner of the wallet may do this',
    fix: 'Prove that it is yours: POST /api/wallet/challenge, sign the message, POST /api/wallet/session, and send the token as bearer.',
  },
  invalid_signature: {
    status: 401,
    title: 'The proof of ownership is not accepted',
    fix: 'Ask for a fresh message (POST /api/wallet/challenge) and sign it unchanged with the key of the wallet; of a signed request, sign what `signature_base` shows.',
  },
  scope_denied: {
    status: 403,
    title: 'The key is not allowed to do this',
    fix: 'Use a key with the scope or tool named in `detail`, or a session of the owner.',
  },
  archive_invalid: {
    status: 422,
    title: 'Archive refused',
    fix: 'Send the archive unchanged, as GET /api/wallet/export answered it. Nothing was kept.',
  },
  wallet_blocked: {
    status: 403,
    title: 'The wallet is blocked',
    fix: 'Ask the operator of this server to unblock it. Until then it can spend nothing; what it keeps can still be read and exported.',
  },
  operator_denied: {
    status: 403,
    title: 'This operator may not do that',
    fix: 'Use a token with the scope named in `detail`: atelier admin token makes one.',
  },
  forbidden_origin: {
    status: 403,
    title: 'This origin may not call here',
    fix: 'Call from a program of your own, or have the operator add the origin to ALLOWED_ORIGINS.',
  },
  operator_only: {
    status: 403,
    title: 'This is for the operator of this server',
    fix: 'Send `Authorization: Bearer` with METRICS_TOKEN or the token of an operator who may read. Without METRICS_TOKEN, direct callers of this machine or its private network may ask as well.',
  },
  forbidden_host: {
    status: 403,
    title: 'This server is not known by that name',
    fix: 'Call the address the server printed when it started, or have the operator set PUBLIC_URL to the name you use.',
  },
  unknown_tool: { status: 404, title: 'No such tool', fix: 'Look the name up with search_tools.' },
  asset_not_found: {
    status: 404,
    title: 'No such asset',
    fix: 'List the keys of the wallet with list_assets.',
  },
  image_not_found: {
    status: 404,
    title: 'The picture the handle names is not here',
    fix: 'Upload it again, or send the picture as base64.',
  },
  key_not_found: { status: 404, title: 'No such key', fix: 'See GET /api/wallet/keys.' },
  artwork_not_found: {
    status: 404,
    title: 'No such artwork',
    fix: 'Take an identifier from search_artworks.',
  },
  result_not_found: {
    status: 404,
    title: 'No such result',
    fix: 'Results are kept for 24 hours; run the call again.',
  },
  upload_link_ended: {
    status: 404,
    title: 'This upload link takes no file any more',
    fix: 'Links are good for one file within 20 minutes, as they were given: ask request_upload for a new one.',
  },
  invoice_not_found: {
    status: 404,
    title: 'No such invoice',
    fix: 'Take the number or the purchase from GET /api/wallet/invoices of the wallet that paid.',
  },
  record_not_found: {
    status: 404,
    title: 'No such record',
    fix: 'Check the identifier; what was only just stored or logged may need a minute.',
  },
  recipe_not_found: {
    status: 404,
    title: 'No such recipe',
    fix: 'GET /api/recipes lists the presets and your own; a deleted recipe is gone for everybody.',
  },
  job_not_found: {
    status: 404,
    title: 'No such job for this caller',
    fix: 'Send the bearer that made the job. Jobs are forgotten 24 hours after they have ended.',
  },
  webhook_not_found: {
    status: 404,
    title: 'No such webhook or delivery for this caller',
    fix: 'Send what the endpoint was registered with: its wallet, session or key; or its secret as bearer.',
  },
  workspace_denied: {
    status: 403,
    title: 'The link does not allow this',
    fix: 'Ask the owner of the workspace for a link with the role that `detail` names, or sign in as the owner.',
  },
  workspace_not_found: {
    status: 404,
    title: 'No such workspace for this caller',
    fix: 'Send its share link as `workspace`, or its id together with the bearer of its owner. POST /api/workspaces makes a new one.',
  },
  item_not_found: {
    status: 404,
    title: 'No such item in the workspace',
    fix: 'Read the workspace (GET /api/workspaces/{id}, or show_workspace) and send a number or name from it.',
  },
  workspace_full: {
    status: 413,
    title: 'The workspace is at its limit',
    fix: 'Empty its trash, or open another workspace. You were not charged.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many open event streams',
    fix: 'Close streams that are not needed, wait `Retry-After` seconds and connect again.',
    retryAfterSeconds: 5,
  },
  not_found: { status: 404, title: 'Nothing is served here', fix: 'See /openapi.json for every path.' },
  method_not_allowed: {
    status: 405,
    title: 'Another method is needed',
    fix: 'Use a method named in the Allow header.',
  },
  body_too_slow: {
    status: 408,
    title: 'The body came too slowly',
    fix: 'Send it again over a faster connection, or send less.',
  },
  seller_not_set: {
    status: 409,
    title: 'This server issues no invoices',
    fix: 'Ask the operator to set SELLER_NAME. Signed receipts of calls are at GET /api/wallet/receipts/{id}.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first call with this key is still running',
    fix: 'Wait `Retry-After` seconds and send the same call again.',
  },
  upload_link_used: {
    status: 422,
    title: 'Upload link already used',
    fix: 'Use its handle, or ask request_upload for another link: each takes one file.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    fix: 'Send less, or send the bytes once to POST /api/uploads and pass the handle it answers.',
  },
  image_too_large: {
    status: 413,
    title: 'The picture has too many pixels',
    fix: 'Send a picture with fewer pixels.',
  },
  claim_not_found: {
    status: 404,
    title: 'There is no such account to claim',
    fix: 'Use the link that open_account answered. It works once: the private key is shown to the first who opens it.',
  },
  claim_unreadable: {
    status: 503,
    title: 'The key of this account cannot be decrypted',
    fix: 'Ask the operator: SIGNING_SECRET has changed since the account was opened. The link stays valid.',
  },
  unreadable_zip: {
    status: 422,
    title: 'The ZIP cannot be unpacked',
    fix: 'Make the ZIP anew without encryption, or send its files one by one.',
  },
  zip_too_large: {
    status: 413,
    title: 'The ZIP holds too much',
    fix: 'Make several smaller ZIP files: at most 100 files and 200 MB unpacked each.',
  },
  asset_too_large: { status: 413, title: 'The asset is too large', fix: 'Save at most 10 MB under one key.' },
  storage_quota_exceeded: {
    status: 413,
    title: 'The storage of this wallet is full',
    fix: 'Delete assets with delete_asset and save again.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body has a media type this endpoint does not take',
    fix: 'Send JSON with Content-Type: application/json.',
  },
  unsupported_image: {
    status: 415,
    title: 'The picture has a format this service does not read',
    fix: 'Send PNG, JPEG, WebP, AVIF, TIFF or GIF.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The file has no such part',
    fix: 'Ask for bytes that are there: `Content-Range` says how many there are.',
  },
  undecodable_image: {
    status: 422,
    title: 'The picture cannot be decoded',
    fix: 'Open the picture in a viewer and save it again as PNG or JPEG.',
  },
  bytes_differ: {
    status: 422,
    title: 'Unexpected bytes',
    fix: 'Send the file again, or correct what is expected; `arrived` says what came.',
  },
  unsuitable_image: {
    status: 422,
    title: 'Unsuitable picture',
    fix: 'Read `detail` for the reason and the picture that would do.',
  },
  prompt_declined: {
    status: 422,
    title: 'The image model declined this request',
    fix: 'Describe something else, or describe it otherwise. You were not charged.',
  },
  subject_unclear: {
    status: 422,
    title: 'Unclear subject',
    fix: 'Send `where`, or a picture before a plain background.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    fix: 'Use a new Idempotency-Key for a new call.',
  },
  too_many_jobs: {
    status: 429,
    title: 'Too many jobs that have not ended',
    fix: 'Wait until one of your jobs has ended, or cancel one.',
  },
  too_much_kept: {
    status: 429,
    title: 'Too many of your files are kept here already',
    fix: 'Wait until older ones have expired, or use those that are here.',
  },
  rate_limited: { status: 429, title: 'Too many calls', fix: 'Wait `Retry-After` seconds.' },
  headers_too_large: {
    status: 431,
    title: 'The address and the headers are too long',
    fix: 'Keep address and headers together under 16 kB; what is longer belongs into the body of a POST.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong here',
    fix: 'Try again; if it stays, tell the operator the request_id.',
  },
  stored_file_damaged: {
    status: 500,
    title: 'The stored file is damaged',
    fix: 'Do not repeat the call: these bytes stay refused. Save the file again, which repairs it; or take an earlier version (GET /api/assets/versions); or ask the operator to restore it from a backup. You were not charged.',
    isPermanent: true,
  },
  database_damaged: {
    status: 500,
    title: 'The database is damaged',
    fix: 'Do not repeat the call. Send the operator the request_id: the database has to be restored from a backup. You were not charged.',
    isPermanent: true,
  },
  upstream_failed: {
    status: 502,
    title: 'Another server did not answer as it should',
    fix: 'Check the address, or send the bytes themselves.',
  },
  picture_unavailable: {
    status: 503,
    title: 'The picture of this work cannot be had just now',
    fix: 'Wait `Retry-After` seconds and ask again; `detail` says which museum does not give it.',
  },
  busy: {
    status: 503,
    title: 'Server at capacity',
    fix: 'Wait `Retry-After` seconds and send the same call again. You were not charged.',
    retryAfterSeconds: 10,
  },
  database_unavailable: {
    status: 503,
    title: 'The database cannot be reached just now',
    fix: 'Wait `Retry-After` seconds and send the same call again, a paid one with the same Idempotency-Key.',
  },
  maintenance: {
    status: 503,
    title: 'This service is being maintained',
    fix: 'Reading goes on. Wait `Retry-After` seconds and send the same call again, a paid one with the same Idempotency-Key.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The storage of this server cannot be reached just now',
    fix: 'Wait `Retry-After` seconds and send the same call again, a paid one with the same Idempotency-Key.',
  },
  storage_full: {
    status: 503,
    title: 'The storage of this server is full',
    fix: 'Try again later; the operator has to make room.',
  },
  model_unavailable: {
    status: 503,
    title: 'The model is not installed here',
    fix: 'Choose another model, or have the operator install it.',
    retryAfterSeconds: 3600,
  },
  vision_budget_spent: {
    status: 503,
    title: 'The vision model has no budget left for now',
    fix: 'Wait `Retry-After` seconds, or send enrich_metadata with `observations`, which needs no model.',
  },
  image_budget_spent: {
    status: 503,
    title: 'The image model has no budget left for now',
    fix: 'Wait `Retry-After` seconds. edit_image and compose_image work without a model.',
  },
  chain_unavailable: {
    status: 503,
    title: 'The chain cannot be asked just now',
    fix: 'Try again in a while, or sign with a wallet that has a private key; the operator has to look after EVM_RPC_URL.',
  },
  timed_out: {
    status: 504,
    title: 'The call took too long',
    fix: 'Send a smaller picture or ask for less; or send the call with `async: true`: a job has longer.',
  },
} as const satisfies Record<string, Failure>;

export interface Failure {
  readonly status: number;
  readonly title: string;
  readonly fix: string;
  /** A retry cannot succeed, although the status is 500. */
  readonly isPermanent?: true;
  /** Default for errors thrown without a delay of their own: every 503 has one. */
  readonly retryAfterSeconds?: number;
}
