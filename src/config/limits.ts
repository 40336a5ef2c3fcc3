/** Limits that several features share, with their units. Limits of a single feature are in its limits.ts. */

// From the specification.
export const CREDIT_USD = 0.1;
export const CREDIT_CENTS = 10;
/** Amounts are stored in whole thousandths of a credit. */
export const MILLICREDITS_PER_CREDIT = 1000;
export const WELCOME_CREDITS = 10;
export const CREDIT_BACK_PERCENT = 5 as const;
export const CARD_PAYMENT_USD_MIN = 0.5;
export const CARD_PAYMENT_CENTS_MIN = 50;
export const ASSET_BYTES_MAX = 10 * 1024 * 1024;
export const WALLET_STORAGE_BYTES_MAX = 100 * 1024 * 1024;

// Workspaces.
/** Images of one workspace, including the trash. */
export const WORKSPACE_ITEMS_MAX = 1_000;
/** A larger result is not added to the workspace. */
export const WORKSPACE_ITEM_BYTES_MAX = 64 * 1024 ** 2;
export const WORKSPACES_PER_WALLET_MAX = 200;

// Bodies and text.
export const UPLOAD_BYTES_MAX = 25 * 1024 * 1024;
/** An upload as base64 inside JSON, with room for the other fields. */
export const JSON_BODY_BYTES_MAX = Math.ceil((UPLOAD_BYTES_MAX * 4) / 3) + 256 * 1024;
export const ASSET_KEY_CHARACTERS_MAX = 256;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
export const URL_CHARACTERS_MAX = 2048;
/** Minimum length of a configured key for signing links; a generated one has 64 hex digits. */
export const SIGNING_SECRET_CHARACTERS_MIN = 32;

// Time.
/** Longer than any deadline: a hold that outlives its call is dead and may be expired. */
export const HOLD_LIFETIME_MS = 15 * 60_000;
export const RESULT_LIFETIME_MS = 24 * 3_600_000;
/**
 * Responses stored under an Idempotency-Key name their result. They are stored a little later, so the result lives longer by this
 * much.
 */
export const KEPT_RESULT_GRACE_MS = 2 * 3_600_000;
/** Upper bound of the setting for the run time of a job. */
export const JOB_RUN_MS_MAX = 3_600_000;
export const UPLOAD_LIFETIME_MS = 3_600_000;
export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;
export const FETCH_TIMEOUT_MS = 10_000;
export const FETCH_REDIRECTS_MAX = 3;

export const CONTENT_TYPE_CHARACTERS_MAX = 255;

// Pixel workers.
/** Retry-After at capacity. */
export const BUSY_RETRY_SECONDS = 2;

/** Side of the crop that models are compared on, in pixels: two seconds of two cores with the largest model. */
export const COMPARISON_CROP_PX = 96;

// Ownership of wallets.
export const SIWE_MESSAGE_CHARACTERS_MAX = 4000;
/** From `created` to `expires` of a signed request; ERC-8128 has the same bound. */
export const SIGNED_REQUEST_LIFETIME_S_MAX = 300;
export const KEY_NAME_CHARACTERS_MAX = 60;

// Perceptual hashes.
/** Maximum distance in bits between PDQ hashes of the same image: the threshold of its authors. */
export const HASH_DISTANCE_MAX = 31;
/** Hashes of lower quality are refused, as the authors of PDQ advise: flat images resemble each other. */
export const HASH_QUALITY_MIN = 50;

// Bytes in memory, of all requests.
export const BYTES_IN_MEMORY_MAX = 256 * 1024 * 1024;
/** Share of it per address, except for a single request. */
export const MEMORY_ADDRESS_SHARE = 0.5;
/** A JSON body counts twice: its images are decoded beside it. */
export const JSON_BODY_COPIES = 2;
/** Memory of bytes sent as base64: the bytes, the text, and the encoded response. */
export const BASE64_COPIES = 11 / 3;
/** Limit of a resources/read response; larger results are fetched by their link. */
export const RESOURCE_BYTES_MAX = 25 * 1024 * 1024;

// Connections.
/** Malformed requests per address; beyond it, all its requests are rejected for a while. */
export const REFUSALS_PER_MINUTE = 600;

/** CPU-seconds one network address can use at once; see docs/decisions/0005-admission-by-cpu-seconds.md. */
export const CPU_SECONDS_BURST = 120;
/**
 * CPU-seconds per second that one address can use continuously: a quarter of the two cores of a small server.
 */
export const CPU_SECONDS_REFILL = 0.5;
/** Minimum rate of a request body, checked per interval of this length. */
export const BODY_SPAN_MS = 5_000;
export const BODY_BYTES_PER_SECOND_MIN = 16 * 1024;
/** From the accepted connection, or the first byte of a later request, to the end of the request head. */
export const HEADERS_TIMEOUT_MS = 10_000;
/**
 * A client that reads nothing of its response for this time is disconnected. Linux reports progress in steps of up to half a send
 * buffer of 4 MB.
 */
export const RESPONSE_STALL_MS = 60_000;
export const CONNECTIONS_MAX = 4_096;
export const CONNECTIONS_PER_ADDRESS_MAX = 256;

// Bytes on disk. Above these totals, new files are refused until old ones expire.
export const UPLOADS_BYTES_MAX = 4 * 1024 ** 3;
/** Uploads in progress; one address gets half of it. */
export const SPOOL_BYTES_MAX = 1024 ** 3;
export const RESULTS_BYTES_MAX = 32 * 1024 ** 3;
export const ANSWERS_BYTES_MAX = 4 * 1024 ** 3;
export const ASSETS_BYTES_MAX = 64 * 1024 ** 3;
/** C2PA manifests stored apart from their images. */
export const MANIFESTS_BYTES_MAX = 8 * 1024 ** 3;
/** Total of all workspaces. */
export const WORKSPACES_BYTES_MAX = 64 * 1024 ** 3;
/** Share per client, counted by address and by wallet. */
export const KEPT_SHARE_PERCENT = 12;
/** Below this free space, or this share of the disk if that is less, new files are refused. */
export const DISK_FREE_BYTES_MIN = 1024 ** 3;
export const DISK_FREE_SHARE_MIN = 0.05;

// Scheduling of pixel work.
/** Share of pixels, processes and running jobs per address. */
export const CALLER_SHARE = 0.75;

// The dataset.
export const SEARCHES_PER_HOUR_MAX = 50;
