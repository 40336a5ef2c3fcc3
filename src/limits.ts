/** Every bound of the service, named with its unit. The first block is the specification's own table. */

export * from './bound_limits.ts';
export * from './payment_limits.ts';

// From the specification.
export const CREDIT_USD = 0.1;
export const CREDIT_CENTS = 10;
/** Money is kept in whole thousandths of a credit. */
export const MILLICREDITS_PER_CREDIT = 1000;
export const WELCOME_CREDITS = 10;
export const CREDIT_BACK_PERCENT = 5 as const;
export const CARD_PAYMENT_USD_MIN = 0.5;
export const CARD_PAYMENT_CENTS_MIN = 50;
export const ASSET_BYTES_MAX = 10 * 1024 * 1024;
export const WALLET_STORAGE_BYTES_MAX = 100 * 1024 * 1024;
export const SOUL_WHISPER_CHARACTERS_MAX = 1000;
export const REGISTRY_MODEL_CHARACTERS_MAX = 50;
export const RESIZE_SIDE_PX_MAX = 8192;
export const PALETTE_COLORS_MIN = 3;
export const PALETTE_COLORS_MAX = 12;
export const COLOR_DPI_MIN = 72;
export const COLOR_DPI_MAX = 1200;
export const COLOR_PRECISION_MAX = 10;
export const FILTER_SPECKLE_MAX = 100;
export const WATERMARK_CHARACTERS_MAX = 256;
export const WATERMARK_STRENGTH_MIN = 0.1;
/** Payloads of callers without a wallet are looked up by their id for so long. */
export const ANONYMOUS_MARK_LIFETIME_MS = 180 * 86_400_000;

// Bodies and text.
export const UPLOAD_BYTES_MAX = 25 * 1024 * 1024;
/** An upload as base64 inside JSON, with room for the other fields. */
export const JSON_BODY_BYTES_MAX = Math.ceil((UPLOAD_BYTES_MAX * 4) / 3) + 256 * 1024;
/** What a body may hold beside long strings: parsing millions of small values would hold up every other call. */
export const JSON_STRUCTURE_BYTES_MAX = 1024 * 1024;
/** Of an endpoint that is not a tool and names no other: no picture comes in there. */
export const OPERATION_BODY_BYTES_MAX = 1024 * 1024;
export const JSON_DEPTH_MAX = 32;
export const ASSET_KEY_CHARACTERS_MAX = 256;
export const ASSET_METADATA_BYTES_MAX = 64 * 1024;
export const ASSETS_PER_PAGE_MAX = 1000;
export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;
export const REQUEST_ID_CHARACTERS_MAX = 128;
export const URL_CHARACTERS_MAX = 2048;
/** Of the key for signed links; ours has 64 hex digits. */
export const SIGNING_SECRET_CHARACTERS_MIN = 32;

// Pixels. A cap per picture and a cap on the sum over running calls (decompression bombs are small files).
export const IMAGE_PIXELS_MAX = 64_000_000;
/** An AVIF is decoded whole, in 18 to 25 bytes a pixel; every other format takes three to nine. */
export const AVIF_PIXELS_MAX = 24_000_000;
export const PIXELS_OF_AN_AVIF_PIXEL = 5;
/** A JPEG is gone through once for each; programs write about ten. */
export const JPEG_SCANS_MAX = 50;
export const PIXELS_IN_FLIGHT_MAX = 160_000_000;
export const PIXEL_QUEUE_LENGTH_MAX = 64;
export const IMAGE_SIDE_PX_MAX = 32_768;
export const PREVIEW_SIDE_PX = 768;
export const PREVIEW_BYTES_MAX = 150 * 1024;
export const SVG_BYTES_MAX = 8 * 1024 * 1024;
/** More nodes make a drawing that nobody can edit and that browsers are slow to paint. */
export const VECTOR_NODES_DEFAULT = 100_000;
export const VECTOR_NODES_MIN = 100;
export const VECTOR_NODES_MAX = 250_000;
export const VECTOR_PALETTE_MAX = 64;
/** A larger picture is traced smaller: detail below this is lost in shapes anyway. */
export const VECTORIZE_PIXELS_MAX = 1_500_000;
/** What tracing a pixel holds beside the picture, in pixels of four bytes. */
export const PIXELS_OF_A_TRACED_PIXEL = 40;

// Time.
/** A connection that sends its headers or its body slower than this is closed. */
export const HEADERS_TIMEOUT_MS = 30_000;
export const REQUEST_TIMEOUT_MS = 120_000;
/** When stopping: what has not arrived by then is not waited for. */
export const STOP_ARRIVING_MS = 3_000;
export const TOOL_DEADLINE_MS = 60_000;
/** Longer than any deadline: a hold that outlives its call is dead and may be expired. */
export const HOLD_LIFETIME_MS = 15 * 60_000;
export const RESULT_LIFETIME_MS = 24 * 3_600_000;
/** Answers kept under an Idempotency-Key name their result, and live as long from a little later on. */
export const KEPT_RESULT_GRACE_MS = 2 * 3_600_000;
/** Longest run a setting may allow a job. */
export const JOB_RUN_MS_MAX = 3_600_000;
/** A job that has not ended by then is given up. */
export const JOB_LIFETIME_MS = 6 * 3_600_000;
/** A hold of a job outlives the longest run begun in the last moment, and two crashes of it. */
export const JOB_HOLD_LIFETIME_MS = JOB_LIFETIME_MS + 4 * JOB_RUN_MS_MAX;
export const UPLOAD_LIFETIME_MS = 3_600_000;
export const IDEMPOTENCY_LIFETIME_MS = 24 * 3_600_000;
export const IDENTICAL_CALL_LIFETIME_MS = 30 * 86_400_000;
/** A blob no row names is swept at this age: until then a call may be about to name it. */
export const UNUSED_BLOB_AGE_MS = 3_600_000;
export const FETCH_TIMEOUT_MS = 10_000;
export const FETCH_REDIRECTS_MAX = 3;
/** No failure to reach an address is told before: longer than names take, inner and outer ones. */
export const FETCH_REFUSAL_MS = 300;

// Community.
export const NAME_CHARACTERS_MAX = 100;
export const CAFE_MESSAGE_CHARACTERS_MAX = 1000;
export const REGISTRY_MESSAGE_CHARACTERS_MAX = 500;
export const GALLERY_DESCRIPTION_CHARACTERS_MAX = 500;
export const GALLERY_TITLE_CHARACTERS_MAX = 200;
export const GALLERY_TAGS_MAX = 10;
export const GALLERY_TAG_CHARACTERS_MAX = 40;
export const FEED_LENGTH_MAX = 200;
export const REPOST_WINDOW_MS = 10 * 60_000;
export const WEBHOOK_EVENTS_MAX = 50;
export const WEBHOOK_EVENT_CHARACTERS_MAX = 100;
export const WEBHOOKS_PER_CALLER_MAX = 20;

// Print.
export const BLEED_MM_MAX = 10;
export const SHEET_SIDE_MM_MIN = 10;
export const SHEET_SIDE_MM_MAX = 2000;
/** Trim and bleed; a poster of 24 × 36 inches at 600 dpi with the widest bleed has 328 million. */
export const SHEET_PIXELS_MAX = 330_000_000;
/** Of what is printed or shown on a product: less is a mistake. */
export const ART_SIDE_PX_MIN = 8;
/** Long to short side of what is shown on a product. */
export const MOCKUP_ASPECT_MAX = 8;
/** Part of the art that must be left when it is cut to the proportions of the sheet. */
export const PRINT_ASPECT_KEPT_MIN = 0.2;
/** It is written while it is made, and held nowhere. */
export const PRINT_FILE_BYTES_MAX = 1024 * 1024 * 1024;
/** From this size on a few strips of a sheet are made first, to know how long it takes and how large its file becomes. */
export const SHEET_SAMPLED_PIXELS_MIN = 60_000_000;
export const PRESS_PROFILE_BYTES_MAX = 4 * 1024 * 1024;
export const PRESS_PROFILE_NAME_CHARACTERS_MAX = 60;

export const ASSETS_PER_WALLET_MAX = 10_000;
export const ASSET_LINK_LIFETIME_MS = 24 * 3_600_000;
export const CONTENT_TYPE_CHARACTERS_MAX = 255;

/** Of an input repeated in a next step. */
export const NEXT_STEP_CHARACTERS_MAX = 2000;

/** Of progress, between two messages that say the same. */
export const PROGRESS_STEP_PERCENT = 5;

// MCP.
export const MCP_SUBSCRIPTIONS_MAX = 256;
/** Messages of one request. They run side by side, and a hundred lists of tools took half a second. */
export const MCP_BATCH_MAX = 20;
/** A longer text, such as a drawing's source, is left to its link. */
export const MCP_TEXT_FIELD_CHARACTERS_MAX = 4096;

// Inside picture files.
/** What the compressed profile and texts of a PNG may inflate to, together. */
export const PNG_METADATA_BYTES_MAX = 4 * 1024 * 1024;
export const TIFF_CHANNELS_MAX = 8;
/** Of one XMP packet, also put together or inflated. */
export const XMP_BYTES_MAX = 16 * 1024 * 1024;
export const XML_DEPTH_MAX = 64;
export const XML_ELEMENTS_MAX = 200_000;
export const IFD_ENTRIES_MAX = 4096;
/** Entries that come into the log in one transaction. */
export const LOG_BATCH_MAX = 1000;
export const LOG_ENTRIES_SHOWN_MAX = 1000;
export const LOG_ENTRY_CHARACTERS_MAX = 300;
/** Of a codex in its canonical form. */
export const CODEX_BYTES_MAX = 1024 * 1024;
/** Of one field of metadata. */
export const METADATA_TEXT_CHARACTERS_MAX = 32_000;
export const METADATA_LIST_LENGTH_MAX = 500;
/** What could not be read is told up to this many times. */
export const METADATA_PROBLEMS_MAX = 20;

/** Above this the main process looks for garbage once in so long. It holds about 400 MB with a fresh database. */
export const SERVER_MEMORY_BYTES_MIN = 640 * 1024 * 1024;
export const MEMORY_LOOK_MS = 2_000;

// Processes that work on pixels.
/** A process that holds more while it works is stopped; its job fails, the others go on. */
export const WORKER_MEMORY_BYTES_MAX = 896 * 1024 * 1024;
export const NETWORK_MEMORY_BYTES_MAX = 1_536 * 1024 * 1024;
/** A process that still holds more than this after a job is replaced by a fresh one. */
export const WORKER_IDLE_MEMORY_BYTES_MAX = 160 * 1024 * 1024;
export const WORKER_MEMORY_CHECK_MS = 100;
/** How long a process may go on with a job whose caller hung up. */
export const WORKER_GRACE_MS = 250;
/** When a full workshop asks callers to come back. */
export const BUSY_RETRY_SECONDS = 2;

// Jobs.
export const JOBS_LIVE_MAX = 1000;
export const JOBS_PER_CALLER_MAX = 20;
export const JOBS_PER_ADDRESS_MAX = 100;
export const JOB_DEADLINE_MS = 10 * 60_000;
/** Runs that may end by the death of the server before the job is given up. */
export const JOB_CRASHES_MAX = 2;
/** Progress is written no oftener. */
export const JOB_REPORT_MS = 1000;
export const JOB_POLL_SECONDS = 2;
/** A server that is silent for so long has died, and its jobs go to another. */
export const JOB_HEARTBEAT_SECONDS = 30;
/** When a caller is told to look again. */
export const JOB_RETRY_SECONDS = 2;
/** What is held for a job that was never written down is given back at this age. */
export const UNUSED_HOLD_AGE_MS = 5 * 60_000;

// Networks.
/** Larger than any file of the manifest. */
export const MODEL_FILE_BYTES_MAX = 512 * 1024 * 1024;
/** A download that brings nothing for so long is given up. */
export const MODEL_DOWNLOAD_STALL_MS = 60_000;
/** Enlarged pictures; 24 million pixels twice as wide and high still fit. */
export const UPSCALE_OUTPUT_PIXELS_MAX = 100_000_000;
/** A measured speed this old is taken again before a call is refused for it: the machine may have been busy then. */
export const SPEED_FRESH_MS = 10 * 60_000;
/** Side of the picture a network's speed is measured on, in pixels: half a second of two idle cores with the largest. */
export const SPEED_SAMPLE_PX = 64;
/** Side of the part of a picture that networks are compared on, in pixels: two seconds of two cores with the largest. */
export const COMPARISON_CROP_PX = 96;
/** No network is started that would not have ended by then, at the pace of the one before. */
export const COMPARISON_MS_MAX = 30_000;
export const COMPARISONS_PER_HOUR = 60;
/** Above this a picture is left to its link: as base64 it would make an answer few clients can take. */
export const BASE64_ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Weights kept open in the process for networks: the two largest and all small ones. */
export const OPEN_WEIGHTS_BYTES_MAX = 192 * 1024 * 1024;
/** The process for networks keeps its sessions up to this much, and for this long without a call. */
export const NETWORK_IDLE_MEMORY_BYTES_MAX = 768 * 1024 * 1024;
export const NETWORK_IDLE_MS = 5 * 60_000;
/** Where the machine has less than this to spare, an idle process for networks is ended at once. */
export const SPARE_MEMORY_BYTES_MIN = 512 * 1024 * 1024;
export const SPARE_MEMORY_CHECK_MS = 5_000;

// Database.
export const DATABASE_CONNECTIONS_MAX = 10;
/** Also for a free connection of the pool. */
export const DATABASE_CONNECT_TIMEOUT_MS = 4_000;
/** A statement that waits for longer makes us ask whether the server is there at all. */
export const DATABASE_SILENT_MS = 2_000;
export const DATABASE_LOOK_MS = 1_000;
export const DATABASE_PROBE_TIMEOUT_MS = 2_000;
/** When callers are told to come back. */
export const DATABASE_RETRY_SECONDS = 5;
/** For so long a charge whose answer was lost is asked about again. */
export const CHARGE_AGAIN_MS = 8_000;
/** On a PostgreSQL server; the embedded database has no such timeout. */
export const STATEMENT_TIMEOUT_MS = 30_000;
export const REGISTERED_WALLETS_REMEMBERED_MAX = 100_000;

// Ownership of wallets.
export const CHALLENGE_LIFETIME_MS = 10 * 60_000;
export const SESSION_LIFETIME_MS = 12 * 3_600_000;
export const SIWE_MESSAGE_CHARACTERS_MAX = 4000;
/** A message or signature from a clock this far ahead of ours is still taken. */
export const CLOCK_SKEW_MS = 60_000;
/** From `created` to `expires` of a signed request; ERC-8128 has the same bound. */
export const SIGNED_REQUEST_LIFETIME_S_MAX = 300;
export const SIGNED_REQUEST_NONCE_CHARACTERS_MAX = 128;
/** Signature-Input and Signature each; Node takes 16 KiB of headers in all. */
export const SIGNATURE_HEADER_CHARACTERS_MAX = 12_000;
export const SIGNED_COMPONENTS_MAX = 32;
/** 0x and hex. A wallet that is not deployed yet brings the call that deploys it. */
export const SIGNATURE_CHARACTERS_MAX = 20_000;

/** What a node of a chain gets to answer one question about a contract wallet. */
export const CHAIN_TIMEOUT_MS = 5000;
export const CHAIN_ANSWER_BYTES_MAX = 256 * 1024;
/** Questions to it at once, over all callers. */
export const CHAIN_QUESTIONS_MAX = 16;
/** How far back a node is asked for events: about three hours of a chain with blocks of two seconds, and what most nodes allow. */
export const CHAIN_LOG_BLOCKS_MAX = 5000n;
/** EIP-155 sets no bound; larger numbers are not exact in JSON. */
export const CHAIN_ID_MAX = Number.MAX_SAFE_INTEGER;
export const KEYS_PER_WALLET_MAX = 100;
export const KEY_NAME_CHARACTERS_MAX = 60;
export const KEY_TOOLS_MAX = 100;
export const KEY_CAP_CREDITS_MAX = 1_000_000_000;
export const KEY_LIFETIME_MS_MAX = 10 * 365 * 86_400_000;
/** From this share of a cap on, every answer says how much is used. */
export const BUDGET_WARNING_PERCENT = 80;
export const WALLET_EVENTS_LIFETIME_MS = 90 * 86_400_000;
export const WALLET_EVENTS_SHOWN = 50;
export const KEYS_SHOWN = 200;
export const STATEMENT_ENTRIES_MAX = 1000;
export const STATEMENT_CSV_ROWS_MAX = 10_000;

// Arweave.
/** For one item; a file and its record are two. */
export const ARWEAVE_UPLOAD_TIMEOUT_MS = 25_000;
export const BUNDLER_ANSWER_BYTES_MAX = 64 * 1024;
/** Items read back an hour for one caller: each is asked of the gateway. */
export const ARWEAVE_READS_PER_HOUR = 300;

// Perceptual hashes.
/** Bits two PDQ hashes of the same picture differ in at most: the threshold of its authors. */
export const HASH_DISTANCE_MAX = 31;
/** A hash of lower quality is refused, as its authors advise: flat pictures resemble each other. */
export const HASH_QUALITY_MIN = 50;
export const REGISTERED_TITLE_CHARACTERS_MAX = 300;
export const PROVENANCE_URI_CHARACTERS_MAX = 2048;
