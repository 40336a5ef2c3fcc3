/**
 * The table of error codes. The only source of status, title and advice; problem pages, OpenAPI and the documentation are generated
 * from it.
 */
export const ERRORS = {
  payment_malformed: {
    status: 400,
    title: 'Malformed payment',
    fix: 'Correct the encoding described in `detail`, then resend the same authorization. You were not charged.',
  },
  tool_is_free: {
    status: 400,
    title: 'The tool is free',
    fix: 'Call the tool without a payment. You were not charged.',
  },
  invalid_event: {
    status: 400,
    title: 'Invalid webhook event',
    fix: 'Send the unchanged event of the card processor with its signature, within 5 minutes of signing.',
  },
  payment_required: {
    status: 402,
    title: 'Payment required',
    fix: 'Register a wallet (10 free credits) and send it as `Authorization: Bearer 0x…`, or pay for this call by card: POST /api/create-payment-intent.',
  },
  wallet_not_registered: {
    status: 402,
    title: 'Wallet not registered',
    fix: 'Register the wallet with POST /api/wallet/register {"wallet": "0x…"}, which grants 10 credits, then repeat the call.',
  },
  insufficient_credits: {
    status: 402,
    title: 'Not enough credits',
    fix: 'Buy a credit pack (GET /api/credits) or use a free tool. This call was not charged.',
  },
  payment_refused: {
    status: 402,
    title: 'Payment not accepted',
    fix: 'Create a payment that meets the requirements in this response and send it with the call. You were not charged.',
  },
  sign_in_refused: {
    status: 402,
    title: 'Sign-in not accepted',
    fix: 'Sign the challenge in `extensions["sign-in-with-x"]` of this response unchanged and send it with the same call, or pay in another way. You were not charged.',
  },
  payment_used: {
    status: 402,
    title: 'Payment already used',
    fix: 'Create a new payment for this call. To retrieve the result of the earlier call, resend it unchanged.',
  },
  payment_not_settled: {
    status: 402,
    title: 'Payment not collected',
    fix: 'Create a new payment and send it with the call. You were not charged, and the result is withheld.',
  },
  payment_intent_not_found: {
    status: 402,
    title: 'Payment intent not found',
    fix: 'Create a payment intent with POST /api/create-payment-intent, have it paid at its pay_url, and send its id as X-Payment-Intent.',
  },
  payment_intent_tool_mismatch: {
    status: 402,
    title: 'The payment intent is for another tool',
    fix: 'Create a payment intent for this tool with POST /api/create-payment-intent.',
  },
  payment_intent_wallet_mismatch: {
    status: 402,
    title: 'The payment intent belongs to another wallet',
    fix: 'Send the wallet that the payment intent was created for, or no wallet; or create a payment intent for this wallet.',
  },
  payment_intent_in_use: {
    status: 402,
    title: 'Payment intent in use',
    fix: 'Wait for the other call to finish and send this one again, or create another payment intent.',
  },
  payment_intent_used: {
    status: 402,
    title: 'No calls left on this payment intent',
    fix: 'Create another payment intent with POST /api/create-payment-intent.',
  },
  payment_intent_void: {
    status: 402,
    title: 'Payment intent no longer valid',
    fix: 'Create another payment intent with POST /api/create-payment-intent. This one was canceled, refunded or disputed, or was created in test mode or live mode while the server uses the other.',
  },
  payment_insufficient: {
    status: 402,
    title: 'The payment intent is too small for this call',
    fix: 'Create a payment intent for this call: send the same tier to POST /api/create-payment-intent.',
  },
  payment_not_authorized: {
    status: 402,
    title: 'Payment intent not paid yet',
    fix: 'Have a person pay at its pay_url, or confirm it with its client secret. Then send the call again.',
  },
  payment_failed: {
    status: 402,
    title: 'Card refused',
    fix: 'Create another payment intent and pay with another card. You were not charged.',
  },
  wallet_mismatch: {
    status: 403,
    title: 'The wallet does not match the payer',
    fix: 'Use the same wallet in the request body and in the `Authorization` header.',
  },
  budget_refused: {
    status: 403,
    title: 'API key budget exceeded',
    fix: 'Reduce the request (`try` suggests a smaller one if possible), wait until the daily budget resets, or ask the owner for a key with a larger budget. You were not charged.',
  },
  spending_stopped: {
    status: 403,
    title: 'Spending is paused for this wallet',
    fix: 'Use a free tool, or ask the owner to resume spending with POST /api/wallet/spending {"stopped": false}. You were not charged.',
  },
  approval_required: {
    status: 403,
    title: 'Owner approval required',
    fix: 'Give the owner the link in `approval`, then send the same call again with `approval` set to its id. You were not charged.',
  },
  approval_waiting: {
    status: 403,
    title: 'Owner approval pending',
    fix: 'Wait until the owner has decided, then send the same call again with the same approval. You were not charged.',
  },
  approval_refused: {
    status: 403,
    title: 'Owner approval refused',
    fix: 'Do not send the call again. You were not charged.',
  },
  approval_expired: {
    status: 403,
    title: 'The approval has expired',
    fix: 'Send the call without `approval` to request a new one. You were not charged.',
  },
  approval_used: {
    status: 403,
    title: 'Approval already used',
    fix: 'Send the call without `approval` to request a new one. Each approval covers one paid call.',
  },
  approval_differs: {
    status: 403,
    title: 'The approval is for another call',
    fix: 'Send the tool and parameters exactly as approved, or send the call without `approval` to request a new one. You were not charged.',
  },
  approval_not_found: {
    status: 404,
    title: 'Approval not found',
    fix: 'Send the call without `approval` to request a new one. You were not charged.',
  },
  consent_not_found: {
    status: 404,
    title: 'Approval request not found',
    fix: 'Use the complete link from the agent. Links expire after 15 minutes.',
  },
  consent_over: {
    status: 422,
    title: 'This request is already closed',
    fix: 'Have the agent send a new request. This one was decided or has expired.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many pending approvals',
    fix: 'Have a person decide the pending requests, or wait until they expire.',
  },
  receipt_not_found: {
    status: 404,
    title: 'Receipt not found',
    fix: 'Use a receipt_id from GET /api/wallet/statement of the wallet that paid.',
  },
  payment_not_found: {
    status: 404,
    title: 'Payment not found',
    fix: 'Check the id, or start again from GET /api/credits or POST /api/create-payment-intent.',
  },
  payment_in_use: {
    status: 409,
    title: 'Payment in use',
    fix: 'Wait `Retry-After` seconds, then send the same call again. The first call with this payment is still running.',
  },
  card_declined: { status: 422, title: 'Card declined', fix: 'Pay with another card. You were not charged.' },
  payments_not_configured: {
    status: 503,
    title: 'Card payments not configured',
    fix: 'Pay with credits. Registering a wallet grants 10.',
    retryAfterSeconds: 86_400,
  },
  payment_unknown: {
    status: 503,
    title: 'Card payment status unknown',
    fix: 'Do not pay again. Wait `Retry-After` seconds, then send the same call with the same payment intent.',
  },
  payment_unconfirmed: {
    status: 503,
    title: 'Payment not confirmed yet',
    fix: 'Do not pay again. Wait `Retry-After` seconds, then send the same call with the same payment. It returns the result once the payment is confirmed.',
  },
  payment_check_failed: {
    status: 503,
    title: 'Payment verification unavailable',
    fix: 'Wait `Retry-After` seconds, then send the same call with the same payment, or pay with credits. You were not charged.',
  },
  unreadable_request: {
    status: 400,
    title: 'Malformed HTTP request',
    fix: 'Send an HTTP/1.1 request as defined in RFC 9112. Any HTTP library does this.',
  },
  invalid_json: {
    status: 400,
    title: 'Request body is not JSON',
    fix: 'Send one JSON object as the request body.',
  },
  invalid_input: {
    status: 400,
    title: 'Invalid input',
    fix: 'Correct the fields listed in `errors` and send the call again. `try` contains a corrected request body if there is one.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid bearer token',
    fix: 'Send `Authorization: Bearer` with the address of a registered wallet (0x and 40 hex digits), or with a valid session or key.',
  },
  operator_required: {
    status: 401,
    title: 'Operator token required',
    fix: 'Send `Authorization: Bearer atl_op_…` with a token created by `atelier admin token`, or a token from the identity provider of this server.',
  },
  wallet_locked: {
    status: 401,
    title: 'The wallet is locked',
    fix: 'Send a session or key of the owner as bearer token: POST /api/wallet/challenge, sign the message, POST /api/wallet/session.',
  },
  proof_required: {
    status: 401,
    title: 'Proof of wallet ownership required',
    fix: 'Prove that you own the wallet: POST /api/wallet/challenge, sign the message, POST /api/wallet/session, and send the session as bearer token.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid proof of ownership',
    fix: 'Request a new message (POST /api/wallet/challenge) and sign it unchanged with the key of the wallet. For a signed request, sign the text in `signature_base`.',
  },
  scope_denied: {
    status: 403,
    title: 'Key scope not sufficient',
    fix: 'Use a key with the scope or tool named in `detail`, or a session of the owner.',
  },
  archive_invalid: {
    status: 422,
    title: 'Invalid wallet archive',
    fix: 'Send the archive unchanged, as returned by GET /api/wallet/export. Nothing was imported.',
  },
  wallet_blocked: {
    status: 403,
    title: 'The wallet is blocked',
    fix: 'Ask the operator of this server to unblock the wallet. Until then it cannot spend credits; its files can still be read and exported.',
  },
  operator_denied: {
    status: 403,
    title: 'Operator scope not sufficient',
    fix: 'Use a token with the scope named in `detail`. `atelier admin token` creates one.',
  },
  forbidden_origin: {
    status: 403,
    title: 'Origin not allowed',
    fix: 'Send the request from outside a browser, or ask the operator to add the origin to ALLOWED_ORIGINS.',
  },
  operator_only: {
    status: 403,
    title: 'Operators only',
    fix: 'Send `Authorization: Bearer` with METRICS_TOKEN or the token of an operator with read access. If METRICS_TOKEN is not set, direct clients on this machine or its private network need no token.',
  },
  forbidden_host: {
    status: 403,
    title: 'Host name not allowed',
    fix: 'Use the URL that the server printed at startup, or ask the operator to set PUBLIC_URL to the host name you use.',
  },
  unknown_tool: { status: 404, title: 'Tool not found', fix: 'Find the tool name with search_tools.' },
  asset_not_found: {
    status: 404,
    title: 'Asset not found',
    fix: 'List the keys of the wallet with list_assets.',
  },
  image_not_found: {
    status: 404,
    title: 'Image not found',
    fix: 'Upload the image again, or send it as base64.',
  },
  key_not_found: {
    status: 404,
    title: 'Key not found',
    fix: 'List the keys of the wallet with GET /api/wallet/keys.',
  },
  artwork_not_found: {
    status: 404,
    title: 'Artwork not found',
    fix: 'Use an id from search_artworks.',
  },
  result_not_found: {
    status: 404,
    title: 'Result not found',
    fix: 'Run the call again. Results are kept for 24 hours.',
  },
  upload_link_ended: {
    status: 404,
    title: 'Upload link expired',
    fix: 'Request a new link with request_upload. Links accept one file within 20 minutes and must be used unchanged.',
  },
  invoice_not_found: {
    status: 404,
    title: 'Invoice not found',
    fix: 'Use the invoice number or purchase id from GET /api/wallet/invoices of the wallet that paid.',
  },
  record_not_found: {
    status: 404,
    title: 'Record not found',
    fix: 'Check the id. New records can take a minute to appear.',
  },
  recipe_not_found: {
    status: 404,
    title: 'Recipe not found',
    fix: 'List the presets and your own recipes with GET /api/recipes. A deleted recipe is gone for all clients.',
  },
  job_not_found: {
    status: 404,
    title: 'Job not found',
    fix: 'Send the bearer token that created the job. Jobs are deleted 24 hours after they end.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook or delivery not found',
    fix: 'Send the wallet, session or key that registered the endpoint, or the secret of the endpoint, as bearer token.',
  },
  workspace_denied: {
    status: 403,
    title: 'Share link role not sufficient',
    fix: 'Ask the owner of the workspace for a link with the role named in `detail`, or sign in as the owner.',
  },
  workspace_not_found: {
    status: 404,
    title: 'Workspace not found',
    fix: 'Send its share link as `workspace`, or its id with the bearer token of its owner. POST /api/workspaces creates a workspace.',
  },
  item_not_found: {
    status: 404,
    title: 'Workspace item not found',
    fix: 'Read the workspace (GET /api/workspaces/{id} or show_workspace) and send an item number or name from it.',
  },
  workspace_full: {
    status: 413,
    title: 'Workspace limit reached',
    fix: 'Empty the trash of the workspace, or create another workspace. You were not charged.',
  },
  too_many_streams: {
    status: 429,
    title: 'Too many open event streams',
    fix: 'Close event streams that you do not need, wait `Retry-After` seconds and connect again.',
    retryAfterSeconds: 5,
  },
  not_found: { status: 404, title: 'Not found', fix: 'Use a path listed in /openapi.json.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    fix: 'Use a method named in the Allow header.',
  },
  body_too_slow: {
    status: 408,
    title: 'Request body timeout',
    fix: 'Send the request again over a faster connection, or send a smaller body.',
  },
  seller_not_set: {
    status: 409,
    title: 'Invoices not configured',
    fix: 'Ask the operator to set SELLER_NAME. Signed receipts for calls are available from GET /api/wallet/receipts/{id}.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Idempotency key in use',
    fix: 'Wait `Retry-After` seconds, then send the same call again. The first call with this key is still running.',
  },
  upload_link_used: {
    status: 422,
    title: 'Upload link already used',
    fix: 'Use the handle of the uploaded file, or request another link with request_upload. Each link accepts one file.',
  },
  payload_too_large: {
    status: 413,
    title: 'Request body too large',
    fix: 'Send a smaller body, or upload the file once with POST /api/uploads and send the handle it returns.',
  },
  image_too_large: {
    status: 413,
    title: 'Image too large',
    fix: 'Send an image with fewer pixels. You were not charged.',
  },
  claim_not_found: {
    status: 404,
    title: 'Account claim not found',
    fix: 'Use the link that open_account returned. It works once: the private key is shown to the first person who opens it.',
  },
  claim_unreadable: {
    status: 503,
    title: 'Account key cannot be decrypted',
    fix: 'Ask the operator to restore the earlier SIGNING_SECRET: it has changed since the account was created. The link stays valid.',
  },
  unreadable_zip: {
    status: 422,
    title: 'Unreadable ZIP file',
    fix: 'Create the ZIP file again without encryption, or send its files one by one.',
  },
  zip_too_large: {
    status: 413,
    title: 'ZIP file too large',
    fix: 'Create several smaller ZIP files, each with at most 100 files and 200 MB unpacked.',
  },
  asset_too_large: { status: 413, title: 'Asset too large', fix: 'Save at most 10 MB per key.' },
  storage_quota_exceeded: {
    status: 413,
    title: 'Wallet storage quota exceeded',
    fix: 'Delete assets with delete_asset, then save again.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    fix: 'Send JSON with Content-Type: application/json.',
  },
  unsupported_image: {
    status: 415,
    title: 'Unsupported image format',
    fix: 'Send a PNG, JPEG, WebP, AVIF, TIFF or GIF image.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    fix: 'Request a range within the file size given in the `Content-Range` header.',
  },
  undecodable_image: {
    status: 422,
    title: 'Image cannot be decoded',
    fix: 'Open the image in a viewer and save it again as PNG or JPEG. You were not charged.',
  },
  bytes_differ: {
    status: 422,
    title: 'Checksum or size mismatch',
    fix: 'Send the file again, or correct the expected size or checksum. `arrived` gives the size and checksum that the server received.',
  },
  unsuitable_image: {
    status: 422,
    title: 'Unsuitable image',
    fix: 'Send an image that meets the requirement in `detail`. You were not charged.',
  },
  prompt_declined: {
    status: 422,
    title: 'The image model declined this request',
    fix: 'Describe something else, or rephrase the description. You were not charged.',
  },
  subject_unclear: {
    status: 422,
    title: 'Unclear subject',
    fix: 'Send `where`, or an image of the subject on a plain background. You were not charged.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    fix: 'Use a new Idempotency-Key for each new call. You were not charged.',
  },
  too_many_jobs: {
    status: 429,
    title: 'Too many active jobs',
    fix: 'Wait until one of your jobs has ended, or cancel one.',
  },
  too_much_kept: {
    status: 429,
    title: 'Temporary storage quota exceeded',
    fix: 'Wait until older files have expired, or use files that are already stored.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    fix: 'Wait `Retry-After` seconds, then send the request again.',
  },
  headers_too_large: {
    status: 431,
    title: 'URL and headers too long',
    fix: 'Keep the URL and headers together under 16 kB. Send longer values in the body of a POST request.',
  },
  internal_error: {
    status: 500,
    title: 'Internal server error',
    fix: 'Try again. If the error persists, send the request_id to the operator.',
  },
  stored_file_damaged: {
    status: 500,
    title: 'Stored file damaged',
    fix: 'Do not repeat the call: the server keeps rejecting these bytes. Save the file again, restore an earlier version (GET /api/assets/versions), or ask the operator to restore it from a backup. You were not charged.',
    isPermanent: true,
  },
  database_damaged: {
    status: 500,
    title: 'Database damaged',
    fix: 'Do not repeat the call. Send the request_id to the operator, who has to restore the database from a backup. You were not charged.',
    isPermanent: true,
  },
  upstream_failed: {
    status: 502,
    title: 'Invalid response from a remote server',
    fix: 'Check the URL, or upload the file instead.',
  },
  picture_unavailable: {
    status: 503,
    title: 'Artwork image unavailable',
    fix: 'Wait `Retry-After` seconds, then request the image again. `detail` names the museum that does not return it.',
  },
  busy: {
    status: 503,
    title: 'Server at capacity',
    fix: 'Wait `Retry-After` seconds, then send the same call again. You were not charged.',
    retryAfterSeconds: 10,
  },
  database_unavailable: {
    status: 503,
    title: 'Database unavailable',
    fix: 'Wait `Retry-After` seconds, then send the same call again. For paid calls, reuse the same `Idempotency-Key`.',
  },
  maintenance: {
    status: 503,
    title: 'Server in maintenance mode',
    fix: 'Reads still work. Wait `Retry-After` seconds, then send the same call again. For paid calls, reuse the same `Idempotency-Key`.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Storage unavailable',
    fix: 'Wait `Retry-After` seconds, then send the same call again. For paid calls, reuse the same `Idempotency-Key`.',
  },
  storage_full: {
    status: 503,
    title: 'Server storage full',
    fix: 'Try again later, or ask the operator to free disk space. You were not charged.',
  },
  model_unavailable: {
    status: 503,
    title: 'Model not installed',
    fix: 'Choose another model, or ask the operator to install this one. You were not charged.',
    retryAfterSeconds: 3600,
  },
  vision_budget_spent: {
    status: 503,
    title: 'Daily vision model budget exceeded',
    fix: 'Wait `Retry-After` seconds, or send enrich_metadata with `observations`, which needs no model. You were not charged.',
  },
  image_budget_spent: {
    status: 503,
    title: 'Daily image model budget exceeded',
    fix: 'Wait `Retry-After` seconds, or use edit_image or compose_image, which need no model. You were not charged.',
  },
  chain_unavailable: {
    status: 503,
    title: 'Blockchain node unavailable',
    fix: 'Try again later, or sign with a wallet that has a private key. The operator has to check EVM_RPC_URL.',
  },
  timed_out: {
    status: 504,
    title: 'Time limit exceeded',
    fix: 'Send a smaller image or a smaller request, or send the call with `async: true`: jobs have a longer time limit.',
  },
} as const satisfies Record<string, Failure>;

export interface Failure {
  readonly status: number;
  readonly title: string;
  readonly fix: string;
  /** A retry cannot succeed, although the status is 500. */
  readonly isPermanent?: true;
  /** Default for errors thrown without a specific delay: every 503 has one. */
  readonly retryAfterSeconds?: number;
}
