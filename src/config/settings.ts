import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  ANSWERS_BYTES_MAX,
  ASSETS_BYTES_MAX,
  BYTES_IN_MEMORY_MAX,
  CALLER_SHARE,
  CONNECTIONS_MAX,
  CONNECTIONS_PER_ADDRESS_MAX,
  CPU_SECONDS_BURST,
  CPU_SECONDS_REFILL,
  JOB_RUN_MS_MAX,
  JSON_BODY_BYTES_MAX,
  JSON_BODY_COPIES,
  KEPT_SHARE_PERCENT,
  MANIFESTS_BYTES_MAX,
  REFUSALS_PER_MINUTE,
  RESULTS_BYTES_MAX,
  SIGNING_SECRET_CHARACTERS_MIN,
  UPLOADS_BYTES_MAX,
  WORKSPACES_BYTES_MAX,
} from './limits.ts';

const text = (fallback: string) => z.string().default(fallback);
const count = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const bytes = (fallback: number) => count(fallback, 1_048_576, 2 ** 50);
const listFrom = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );
const list = listFrom('');
/** A list whose items all pass the check; the message states the rule for an item. */
const listOf = (isRight: (item: string) => boolean, rule: string, fallback = '') =>
  listFrom(fallback).refine((items) => items.every(isRight), `every item must be ${rule}`);
const isAddress = (item: string) => (item.includes('/') ? ipaddr.isValidCIDR(item) : ipaddr.isValid(item));
const isDomain = (item: string) =>
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/.test(item);
const VOUCHING_DOMAINS_MAX = 10;
const isName = (item: string) => /^\w{1,60}$/.test(item);
const isOrigin = (item: string) => URL.canParse(item) && new URL(item).origin === item;
/** "3=10.5281/zenodo.1234" */
const isEditionDoi = (item: string) => /^[1-9]\d{0,8}=10\.\d{4,9}\/[^\s,]{1,200}$/.test(item);
const price = z.coerce.number().min(0).max(10_000).optional();
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const isHttpUrl = (item: string) => {
  const url = URL.parse(item);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
};
const isBucketUrl = (item: string) => {
  if (!URL.canParse(item)) return false;
  const { pathname, search, hash, username, password } = new URL(item);
  return /^\/[^/]/.test(pathname) && !(search || hash || username || password);
};
const flag = z.stringbool().default(false);
const sellerText = z
  .string()
  .max(300)
  .regex(/^\P{Cc}+$/u, 'must be one line of text')
  .optional();

/** All settings: name, validation with default, description. Only config.ts reads the environment. */
export const SETTINGS = {
  PORT: [count(8080, 0, 65_535), 'Port to listen on. 0 selects a free port.'],
  HOST: [
    text('127.0.0.1'),
    'IP address or host name to listen on. 0.0.0.0 accepts connections from the network.',
  ],
  PUBLIC_URL: [httpUrl.optional(), 'Public base URL, used in links. Default: http://HOST:PORT.'],
  DATA_DIR: [
    text('./data'),
    'Folder for the embedded database and, if STORAGE_URL is unset, for all stored files.',
  ],
  DATABASE_URL: [
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    'PostgreSQL connection string. Unset: the embedded database in DATA_DIR.',
  ],
  MIGRATION_SNAPSHOTS: [
    count(3, 0, 100),
    'Number of database snapshots to keep in DATA_DIR. The server takes one before each schema migration; restore it with "atelier rollback". 0 disables snapshots.',
  ],
  STORAGE_URL: [
    httpUrl
      .refine(isBucketUrl, 'must be an endpoint and a bucket such as https://s3.example.org/bucket')
      .optional(),
    'Bucket of an S3-compatible object store, as https://endpoint/bucket or https://endpoint/bucket/prefix. Holds assets, uploads, results, stored responses and cached images, so that servers need no shared folder. Unset: files are stored in DATA_DIR.',
  ],
  STORAGE_REGION: [text('us-east-1'), 'Region used to sign requests to STORAGE_URL.'],
  STORAGE_KEY_ID: [z.string().optional(), 'Access key id for STORAGE_URL.'],
  STORAGE_SECRET_KEY: [z.string().optional(), 'Secret access key for STORAGE_URL.'],
  BACKUP_REGION: [
    z.string().optional(),
    'Region used to sign requests to a backup bucket (atelier backup https://…). Default: STORAGE_REGION.',
  ],
  BACKUP_KEY_ID: [z.string().optional(), 'Access key id for a backup bucket. Default: STORAGE_KEY_ID.'],
  BACKUP_SECRET_KEY: [
    z.string().optional(),
    'Secret access key for a backup bucket. Default: STORAGE_SECRET_KEY.',
  ],
  STORAGE_LINKS: [
    z.enum(['server', 'store']).default('server'),
    'How to serve results and assets from STORAGE_URL. server: the server streams the file. store: the server validates the link and redirects (303) to a bucket URL signed for 5 minutes; the bucket stays private.',
  ],
  STORAGE_PUBLIC_URL: [
    httpUrl.optional(),
    'Public URL of the bucket, if clients cannot use STORAGE_URL: a CDN or proxy that forwards requests to the bucket with the host of STORAGE_URL and the complete query. Used with STORAGE_LINKS=store. Default: the bucket itself.',
  ],
  ADOPT_STORAGE: [
    flag,
    'Pairs the storage with the database at startup, even if one of them was paired with another installation. Use once for disaster recovery, then remove.',
  ],
  LOG_LEVEL: [
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('info'),
    'Minimum level of log entries.',
  ],
  METRICS_TOKEN: [
    z
      .string()
      .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without spaces')
      .optional(),
    'Bearer token for /metrics. Operator tokens also work. If unset, local and private-network clients need no token, unless PUBLIC_URL is on the internet.',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    httpUrl.optional(),
    'Base URL of the OpenTelemetry collector that receives traces and metrics by OTLP over HTTP, such as http://127.0.0.1:4318. Other settings of the OpenTelemetry SDK also apply. Unset: telemetry export is off and its libraries are not loaded.',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    httpUrl.optional(),
    'Complete URL for traces, if it differs from the endpoint above, such as http://127.0.0.1:4318/v1/traces.',
  ],
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: [
    httpUrl.optional(),
    'Complete URL for metrics, if it differs from the endpoint above.',
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
    'Encoding of traces and metrics.',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    z.string().optional(),
    'Headers sent with traces and metrics, as comma-separated name=value pairs, such as the API key of a collector.',
  ],
  OTEL_SERVICE_NAME: [text('atelier'), 'Service name reported to the collector.'],
  OTEL_RESOURCE_ATTRIBUTES: [
    z.string().optional(),
    'Additional resource attributes, as comma-separated name=value pairs, such as deployment.environment.name=test.',
  ],
  OTEL_TRACES_EXPORTER: [
    z.enum(['otlp', 'none']).default('otlp'),
    'Trace exporter. none: no traces are sent.',
  ],
  OTEL_METRICS_EXPORTER: [
    z.enum(['otlp', 'none']).default('otlp'),
    'Metric exporter. none: no metrics are sent.',
  ],
  OTEL_METRIC_EXPORT_INTERVAL: [count(60_000, 100, 3_600_000), 'Interval between metric exports, in ms.'],
  OTEL_TRACES_SAMPLER: [
    z
      .enum([
        ...(['always_on', 'always_off', 'traceidratio'] as const),
        ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
      ])
      .default('parentbased_always_on'),
    'Trace sampler. parentbased samplers follow the decision of a trusted client (see the page on monitoring).',
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    z.coerce.number().min(0).max(1).default(1),
    'Share of traces (0 to 1) that the traceidratio samplers record.',
  ],
  OTEL_SDK_DISABLED: [flag, 'true: telemetry export is off, whatever the other settings.'],
  WORKERS: [
    count(0, 0, 64),
    'Number of image-processing workers. 0: one more than the number of CPU cores. Tasks below 0.25 s of CPU time have one additional worker.',
  ],
  PIXELS_IN_FLIGHT_MAX: [
    count(160_000_000, 1_000_000, 10_000_000_000),
    'Maximum pixels processed at once across all calls. Further calls queue for up to half of TOOL_DEADLINE_MS.',
  ],
  CALLER_SHARE_PERCENT: [
    count(100 * CALLER_SHARE, 1, 100),
    'Maximum share (percent) of pixels, workers and running jobs for one IP address, across all its wallets. A single call may exceed it.',
  ],
  TOOL_DEADLINE_MS: [
    count(60_000, 100, 600_000),
    'Time limit for a tool call, in ms. The server then cancels the call and returns 504.',
  ],
  DRAIN_MS: [
    count(0, 0, 300_000),
    'Shutdown delay after SIGTERM, in ms. /health returns 503 while the server still accepts calls. Behind a proxy, set it to twice the health-check interval.',
  ],
  // Totals over all clients: memory, connections, disk.
  BYTES_IN_MEMORY_MAX: [
    count(BYTES_IN_MEMORY_MAX, 2 * JSON_BODY_BYTES_MAX * JSON_BODY_COPIES, 2 ** 40),
    'Maximum bytes of request bodies, images and responses that all calls together may hold in the memory of one process. Further calls wait briefly, then get 503.',
  ],
  CONNECTIONS_MAX: [
    count(CONNECTIONS_MAX, 1, 1_000_000),
    'Maximum open connections of all clients. At the limit, each new connection replaces one that is waiting for its client.',
  ],
  CONNECTIONS_PER_ADDRESS: [
    count(CONNECTIONS_PER_ADDRESS_MAX, 1, 1_000_000),
    'Maximum open connections of one IP address. Further connections get 429. The limit is 4, 16 and 64 times as high for an IPv6 /64, /56 and /48. Connections of TRUSTED_PROXIES do not count.',
  ],
  REFUSALS_PER_MINUTE: [
    count(REFUSALS_PER_MINUTE, 1, 1_000_000_000),
    'Maximum client errors (400 to 428) per minute and IP address. Further requests are rejected unread for a while.',
  ],
  CPU_SECONDS_BURST: [
    z.coerce.number().min(0).max(1_000_000_000).default(CPU_SECONDS_BURST),
    'CPU budget of one IP address on this server, in CPU-seconds. A call above the budget gets 429 before its body is read. A wallet with credits has 4 times the budget; an IPv6 /64, /56 and /48 have 4, 16 and 64 times. 0 disables CPU budgets.',
  ],
  CPU_SECONDS_REFILL: [
    z.coerce.number().min(0.001).max(1_000_000).default(CPU_SECONDS_REFILL),
    'Refill rate of the CPU budget, in CPU-seconds per second: the sustained use of one IP address. No effect if CPU_SECONDS_BURST is 0.',
  ],
  UPLOADS_BYTES_MAX: [bytes(UPLOADS_BYTES_MAX), 'Storage limit for uploads, in bytes.'],
  RESULTS_BYTES_MAX: [bytes(RESULTS_BYTES_MAX), 'Storage limit for results, in bytes.'],
  ANSWERS_BYTES_MAX: [
    bytes(ANSWERS_BYTES_MAX),
    'Storage limit for responses stored for an Idempotency-Key or a job, without their files, in bytes per day.',
  ],
  ASSETS_BYTES_MAX: [
    bytes(ASSETS_BYTES_MAX),
    'Storage limit for the assets of all wallets together, in bytes.',
  ],
  MANIFESTS_BYTES_MAX: [
    bytes(MANIFESTS_BYTES_MAX),
    'Storage limit for C2PA manifests stored separately from their images, in bytes.',
  ],
  WORKSPACES_BYTES_MAX: [
    bytes(WORKSPACES_BYTES_MAX),
    'Storage limit for the images of all workspaces together, in bytes.',
  ],
  KEPT_SHARE_PERCENT: [
    count(KEPT_SHARE_PERCENT, 1, 100),
    'Maximum share (percent) of UPLOADS_BYTES_MAX, RESULTS_BYTES_MAX, ANSWERS_BYTES_MAX, ASSETS_BYTES_MAX, MANIFESTS_BYTES_MAX and WORKSPACES_BYTES_MAX for one IP address or wallet.',
  ],
  DISK_FREE_MIN_BYTES: [
    z.coerce
      .number()
      .int()
      .min(0)
      .max(2 ** 50)
      .optional(),
    'Minimum free space in DATA_DIR, in bytes. Below it, the server stores no new files (503 storage_full); reads still work. Default: 1 GiB, or 5% of the disk if that is less.',
  ],
  JOBS_AT_ONCE: [
    count(3, 1, 64),
    'Maximum jobs that this server runs at once. Further jobs wait in the queue. Jobs are long calls and calls with async: true.',
  ],
  JOBS_HERE: [
    z
      .string()
      .regex(/^(all|none|[a-z_]+( *, *[a-z_]+)*)$/, 'must be all, none, or tools with commas between them')
      .default('all'),
    'Jobs that this server runs: all, none, or those of comma-separated tools. Workers (atelier worker) and other servers on the same database run the others.',
  ],
  WORKER_TOOLS: [
    z
      .string()
      .regex(/^(all|[a-z_]+( *, *[a-z_]+)*)$/, 'must be all, or tools with commas between them')
      .default('all'),
    'Comma-separated tools whose jobs atelier worker runs. The worker does not start if a model of a listed tool is missing.',
  ],
  WORKER_HEALTH_PORT: [
    count(0, 0, 65_535),
    'Port on HOST for the health endpoint (unauthenticated) and /metrics of atelier worker. 0 disables both.',
  ],
  WEBHOOKS_AT_ONCE: [
    count(64, 0, 1000),
    'Maximum concurrent webhook deliveries of this server. 0 leaves them to other servers on the same database.',
  ],
  JOB_DEADLINE_MS: [
    count(10 * 60_000, 100, JOB_RUN_MS_MAX),
    'Time limit for a job, in ms. The server then cancels the job, and it fails.',
  ],
  JOBS_LIVE_MAX: [
    count(100_000, 1, 1_000_000),
    'Maximum queued and running jobs of all clients together. Further jobs get 503.',
  ],
  JOBS_PER_CALLER: [
    count(20, 1, 1_000_000),
    'Maximum queued and running jobs of one client. Further jobs get 429.',
  ],
  JOBS_PER_ADDRESS: [
    count(100, 1, 1_000_000),
    'Maximum queued and running jobs of one IP address, across all its wallets. Further jobs get 429.',
  ],
  MODEL_MIRROR: [
    httpUrl.optional(),
    'Base URL to download model weights from, under their official file names. Default: the URLs of the publishers.',
  ],
  MODELS_PULL: [
    listOf(isName, 'a name', 'recommended'),
    'Comma-separated models to download if missing, in the background on a server and before the first tool that needs them with atelier call. none; recommended: the models that tools use by default; all; vision: all vision models; or model names. Failed downloads are retried and shown in /health.',
  ],
  PRESS_PROFILES_DIR: [
    z.string().min(1).optional(),
    'Folder with ICC output profiles (name.icc), offered to clients by name in addition to the bundled profiles.',
  ],
  EXECUTION_PROVIDER: [
    z.enum(['cpu', 'auto', 'cuda', 'coreml', 'dml', 'webgpu']).default('cpu'),
    'Execution provider of ONNX Runtime for models. auto: cuda if available, otherwise cpu; engine.provider in responses names the provider used. Providers other than cpu need hardware and libraries that Atelier does not include.',
  ],
  VISION_PROVIDER: [
    z.enum(['openai_compatible', 'openai', 'anthropic', 'google']).optional(),
    'Wire format of the vision model that describes images for enrich_metadata. openai_compatible works with local servers and most providers. Unset: clients describe images themselves.',
  ],
  VISION_MODEL: [z.string().max(200).optional(), 'Model name at the vision provider.'],
  VISION_API_KEY: [z.string().optional(), 'API key for the vision model. Local servers may not need one.'],
  VISION_BASE_URL: [
    httpUrl.optional(),
    'Base URL of the vision API, such as http://127.0.0.1:11434/v1. Required for openai_compatible. Default: the URL of the provider.',
  ],
  VISION_TIMEOUT_MS: [
    count(45_000, 100, 600_000),
    'Time limit of the vision model for one image, in ms, including retries.',
  ],
  VISION_OUTPUT_TOKENS_MAX: [
    count(4000, 500, 100_000),
    'Maximum tokens in one response of the vision model.',
  ],
  VISION_INPUT_USD: [price, 'Price of 1,000,000 input tokens, in USD. Unset: responses report tokens only.'],
  VISION_OUTPUT_USD: [price, 'Price of 1,000,000 output tokens, in USD.'],
  VISION_USD_A_DAY: [
    z.coerce.number().positive().max(1_000_000).optional(),
    'Daily budget (UTC) for the vision model, in USD, across all servers on one database. Above it, calls get 503 until midnight; engine built_in still works. Requires both prices. Unset: no limit.',
  ],
  VISION_TOKENS_A_DAY: [
    z.coerce.number().int().positive().max(1e12).optional(),
    'Daily budget (UTC) for the vision model, in input and output tokens, for models without prices. Unset: no limit.',
  ],
  VISION_SHARE_PERCENT: [
    count(50, 1, 100),
    'Maximum share (percent) of both daily budgets for one IP address or wallet. Set to 100 on a single-user server.',
  ],
  GENERATION_PROVIDER: [
    z.enum(['openai_compatible', 'openai', 'google', 'black_forest_labs']).optional(),
    'Wire format of the image model for generate_image and edit_with_words. openai_compatible works with local servers that have /v1/images/generations and /v1/images/edits. Unset: these tools are not offered.',
  ],
  GENERATION_MODEL: [
    z.string().max(200).optional(),
    'Model name at the image provider. Required with GENERATION_PROVIDER.',
  ],
  GENERATION_API_KEY: [z.string().optional(), 'API key for the image model. Local servers may not need one.'],
  GENERATION_BASE_URL: [
    httpUrl.optional(),
    'Base URL of the image API, such as http://127.0.0.1:8081/v1. Required for openai_compatible. Default: the URL of the provider.',
  ],
  GENERATION_USD: [
    price,
    'Maximum price that the provider charges for one image, in USD, at the size and quality of this model. Required for all providers except openai_compatible. Unset: 0.',
  ],
  GENERATION_MARGIN_PERCENT: [
    count(20, 0, 1000),
    'Operator margin on the provider price, in percent. A call costs the price plus the margin, rounded up to whole credits, at least 1.',
  ],
  GENERATION_USD_A_DAY: [
    z.coerce.number().positive().max(1_000_000).optional(),
    'Daily budget (UTC) for images, in USD, across all servers on one database. Above it, calls get 503 until midnight. Unset: no limit.',
  ],
  GENERATION_SHARE_PERCENT: [
    count(50, 1, 100),
    'Maximum share (percent) of the daily image budget for one IP address or wallet.',
  ],
  GENERATION_QUALITY: [
    z.enum(['low', 'medium', 'high']).optional(),
    'Quality requested from OpenAI models, which determines their price. Unset: medium.',
  ],
  GENERATION_EDITS: [
    z.stringbool().default(true),
    'Whether the image model can edit existing images. false: edit_with_words is not offered.',
  ],
  GENERATION_TIMEOUT_MS: [
    count(55_000, 100, 600_000),
    'Time limit of the image provider for one image, in ms, including retries.',
  ],
  EMBEDDINGS_URL: [
    z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    'Base URL of an OpenAI-compatible embeddings endpoint, such as http://127.0.0.1:11434/v1. Adds semantic search to search_artworks; queries and records are sent to the endpoint. Unset: full-text search only.',
  ],
  EMBEDDINGS_MODEL: [
    z.string().max(200).optional(),
    'Name of the embedding model. Required with EMBEDDINGS_URL.',
  ],
  EMBEDDINGS_API_KEY: [
    z.string().optional(),
    'API key for the embeddings endpoint. Local servers may not need one.',
  ],
  VECTORS_INDEX: [
    z.enum(['memory', 'pgvector']).default('memory'),
    'Embedding index. memory: exact search in the memory of each process. pgvector: approximate search with HNSW indexes in PostgreSQL; requires DATABASE_URL and the extension pgvector 0.8 or later.',
  ],
  LIVE_WORKS: [
    z.stringbool().default(true),
    'Whether to fetch the record, rights and image of a single work from the API of its museum on request, if only its number is known. false: no requests for single works.',
  ],
  IIIF: [
    z.stringbool().default(true),
    'Whether to publish the images of the dataset through the IIIF APIs, free and without authentication: image tiles, manifests, collections and changes under /iiif. false: /iiif returns 404.',
  ],
  OPERATOR_CONTACT: [
    z
      .string()
      .max(200)
      .regex(/^[\x20-\x7e]+$/, 'must be plain characters')
      .optional(),
    'Operator contact (email or URL), sent to museum APIs in the User-Agent header, as they require.',
  ],
  SELLER_NAME: [
    sellerText,
    'Name of the seller of credits, for invoices and the export of purchases. Unset: no invoices.',
  ],
  SELLER_ADDRESS: [sellerText, 'Postal address of the seller, on one line.'],
  SELLER_TAX_ID: [sellerText, 'Tax number of the seller.'],
  SELLER_TAX_PERCENT: [
    z.coerce.number().min(0).max(100).optional(),
    'Tax included in the prices, in percent of the net price. Unset: invoices and the export state no tax.',
  ],
  OIDC_ISSUER: [
    httpUrl.optional(),
    'Issuer URL of the OpenID provider whose tokens are accepted on /api/operator. May be in a private network. Unset: only tokens created by atelier admin token are accepted.',
  ],
  OIDC_AUDIENCE: [
    z.string().max(200).optional(),
    'Required audience (aud) of operator tokens. Default: OIDC_CLIENT_ID. OIDC_ISSUER requires one of the two.',
  ],
  OIDC_CLIENT_ID: [
    z.string().max(200).optional(),
    'Client id of this server at the OpenID provider. Enables operator sign-in on /operate. Register <PUBLIC_URL>/operate/callback as redirect URI at the provider.',
  ],
  OIDC_CLIENT_SECRET: [
    z.string().max(1000).optional(),
    'Client secret for OIDC_CLIENT_ID. Unset: a public client, protected by PKCE only.',
  ],
  OIDC_SCOPE: [
    z
      .string()
      .max(400)
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be words with one space between them')
      .default('openid profile email'),
    'Space-separated scopes requested at operator sign-in. The ID token must then contain OIDC_CLAIM.',
  ],
  OIDC_CLAIM: [
    z.string().max(200).default('groups'),
    'Token claim that identifies operators: a list, or space-separated values. email counts only if the provider has verified it.',
  ],
  OIDC_OPERATORS: [list, 'Comma-separated values of OIDC_CLAIM with full operator access.'],
  OIDC_READERS: [list, 'Comma-separated values of OIDC_CLAIM with read-only operator access.'],
  SMITHSONIAN_API_KEY: [
    z.string().optional(),
    'API key from api.data.gov (free). Unset: single works of the Smithsonian are not fetched.',
  ],
  PARIS_MUSEES_TOKEN: [
    z.string().optional(),
    'API token of Paris Musées (free account). Unset: single works of Paris Musées are not fetched.',
  ],
  MUSEUM_MIRROR: [
    httpUrl.optional(),
    'Base URL that replaces all museum hosts, for single works and for published files, with the host as the first path segment (<base>/api.artic.edu/api/v1/…): a cache, or a test server. In a private network it requires ALLOW_PRIVATE_FETCH.',
  ],
  DATASET_DOIS: [
    listOf(isEditionDoi, 'a snapshot and its DOI, such as 3=10.5281/zenodo.1234').transform(
      (items) =>
        new Map(
          items.map((item) => {
            const [number, doi] = item.split(/=(.*)/s);
            return [Number(number), doi!] as const;
          }),
        ),
    ),
    'Comma-separated DOIs that you registered for dataset snapshots (3=10.5281/zenodo.1234). Citations include them.',
  ],
  MUSEUMS_PULL: [
    listOf(isName, 'a name'),
    'Comma-separated museums whose works this server downloads and imports in the background, if none of their works are imported yet. recommended: all museums that publish files. Of several servers on one database, one does the import.',
  ],
  TRUSTED_PROXIES: [
    listOf(isAddress, 'an IP address or a CIDR range'),
    'Comma-separated IP addresses or CIDR ranges of proxies whose X-Forwarded-For header is trusted.',
  ],
  ALLOWED_ORIGINS: [
    listOf(isOrigin, 'an origin such as https://example.org, without a path'),
    'Comma-separated web origins whose pages may call this server, in addition to its own origin and localhost: /mcp and, on a server that is not on the internet, everything except public reads.',
  ],
  SIGNING_SECRET: [
    z.string().min(SIGNING_SECRET_CHARACTERS_MIN).optional(),
    'Secret that signs links. Unset: the server creates one and stores it in DATA_DIR. All servers on one database need the same secret.',
  ],
  IMPORT_KEYS: [
    listOf((item) => /^[\w-]{43}$/.test(item), 'a kid of 43 characters, as /.well-known/jwks.json has them'),
    'Comma-separated key ids (kid) of other servers. Wallet archives signed with these keys are imported even if those servers can no longer be reached.',
  ],
  EVM_RPC_URL: [
    httpUrl.optional(),
    'JSON-RPC URL of an EVM node. Used to verify signatures of contract wallets (ERC-1271, ERC-6492) and to look up x402 payments whose outcome is unknown. Unset: only wallets with a private key can prove ownership.',
  ],
  RECEIPT_KEY: [
    z.string().optional(),
    'Ed25519 private key that signs receipts, as PKCS#8 PEM or base64. Unset: the server creates one and stores it in DATA_DIR. After a change, all earlier public keys stay published.',
  ],
  VOUCHING_DOMAINS: [
    listOf(isDomain, 'a domain such as example.org').refine((items) => items.length <= VOUCHING_DOMAINS_MAX, {
      error: `at most ${VOUCHING_DOMAINS_MAX} domains`,
    }),
    'Comma-separated domains that confirm the signing key of this server. /.well-known/atelier-identity.json lists the record that each domain has to publish, for readers to check.',
  ],
  VOUCHING_WALLET: [
    z
      .string()
      .regex(/^0[xX][0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Wallet that confirms the signing key of this server. Requires VOUCHING_SIGNATURE.',
  ],
  VOUCHING_SIGNATURE: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x followed by 130 hex digits')
      .optional(),
    'Signature (EIP-191) by VOUCHING_WALLET of the text in /.well-known/atelier-identity.json. A new signing key requires a new signature.',
  ],
  ARWEAVE_KEY_FILE: [
    z.string().optional(),
    'File with the key of an Arweave wallet (JSON Web Key) whose account with the bundler pays for uploads. store_permanent then stores files on Arweave. Unset: in the archive of this server.',
  ],
  ARWEAVE_UPLOAD_URL: [
    httpUrl.default('https://upload.ardrive.io/v1/tx'),
    'Upload URL of an Arweave bundler for signed data items (ANS-104). May be in a private network.',
  ],
  ARWEAVE_GATEWAY_URL: [
    httpUrl.default('https://arweave.net'),
    'Arweave gateway, named in responses and read by /ar/<id>. An http URL must be in a private network, and its redirects are not followed.',
  ],
  C2PA_CERTIFICATE: [
    z.string().optional(),
    'Certificate chain as PEM, signer first, used to sign C2PA manifests by infuse_metadata, and by other tools if the input image has a manifest. Requires C2PA_KEY. Unset: no manifests are written. scripts/make_c2pa_certificate.sh creates one for development.',
  ],
  C2PA_KEY: [
    z.string().optional(),
    'Private key of C2PA_CERTIFICATE (P-256 or Ed25519), as PKCS#8 PEM or base64.',
  ],
  TSA_URL: [
    listOf(isHttpUrl, 'an http or https URL without a user name'),
    'Comma-separated time-stamping authorities (RFC 3161), tried in this order. They time-stamp the signatures of C2PA manifests (at most 3 s per authority and 5 s in total) and, in the background, the heads of the transparency log. May be in a private network. Redirects are not followed. Unset: no time stamps, and responses say so.',
  ],
  TSA_TRUST: [
    list,
    'Comma-separated PEM files of trusted certificates of time-stamping authorities: roots, intermediates or the certificates of the authorities. Stamps of other authorities are reported as untrusted and not requested. Unset: every valid stamp is reported as untrusted, because no list was checked.',
  ],
  TSA_POLICY: [
    z
      .string()
      .regex(/^[0-2](\.(0|[1-9]\d{0,9})){2,19}$/, 'must be an object identifier such as 1.3.6.1.4.1.4146.2.3')
      .optional(),
    'Object identifier of the policy for requested time stamps. Unset: the default of the authority.',
  ],
  C2PA_TRUST_LIST: [
    z.string().optional(),
    'PEM file of trusted certificates, such as the C2PA trust list. verify_provenance reports a signer as trusted if its certificate chain ends in one of them. Unset: trust is not evaluated.',
  ],
  PAYMENTS: [
    z.enum(['stripe', 'simulated', 'off']).optional(),
    'Card payment provider. Default: stripe if STRIPE_SECRET_KEY is set; otherwise simulated (test cards, no real money) if HOST and PUBLIC_URL are loopback addresses; otherwise off.',
  ],
  STRIPE_SECRET_KEY: [
    z
      .string()
      .regex(/^(sk|rk)_(live|test)_\w+$/, 'must be a secret or restricted key such as sk_live_…')
      .optional(),
    'Secret key of the Stripe API. A key with _test_ moves no money.',
  ],
  STRIPE_WEBHOOK_SECRET: [
    z
      .string()
      .regex(/^whsec_\S+$/, 'must start with whsec_')
      .optional(),
    'Signing secret of the Stripe webhook endpoint /api/webhooks/stripe. Required with Stripe.',
  ],
  STRIPE_PUBLISHABLE_KEY: [
    z
      .string()
      .regex(/^pk_(live|test)_\w+$/, 'must be a publishable key such as pk_live_…')
      .optional(),
    'Publishable key of Stripe, for the payment page. Unset: only clients with their own card form can pay by card.',
  ],
  STRIPE_PROFILE_ID: [
    z
      .string()
      .regex(/^profile_\w+$/, 'must be a profile such as profile_…')
      .optional(),
    'Stripe profile of this business, to which agents grant shared payment tokens. Adds a challenge of the Payment scheme (MPP) to 402 responses. Unset: no MPP.',
  ],
  STRIPE_API_URL: [httpUrl.optional(), 'Base URL of the Stripe API, for tests. Default: Stripe.'],
  FREE_TOOLS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Maximum free tool calls per hour and client.'],
  PAID_TOOLS_PER_MINUTE: [count(100, 1, 1_000_000_000), 'Maximum paid tool calls per minute and client.'],
  MCP_PER_MINUTE: [count(600, 1, 1_000_000_000), 'Maximum requests to /mcp per minute and client.'],
  REGISTRATIONS_PER_HOUR: [count(100, 1, 1_000_000_000), 'Maximum new wallets per hour and IP address.'],
  REGISTRATIONS_PER_DAY: [count(200, 1, 1_000_000_000), 'Maximum new wallets per day and IP address.'],
  REGISTRATIONS_PER_DAY_OF_ALL: [
    count(2000, 1, 1_000_000_000),
    'Maximum new wallets per day, all clients together.',
  ],
  BONUS_NEEDS_PROOF: [
    flag,
    'Grants the welcome bonus only after proof of ownership (POST /api/wallet/session, or a signed request) instead of at registration.',
  ],
  GUEST_BONUSES_PER_DAY: [
    count(3, 0, 1_000_000),
    'Maximum welcome bonuses per day for guest accounts (open_account) and first sign-ins, per IP address and per IPv6 /48. 0: none.',
  ],
  ADDRESS_LIMIT_FACTOR: [
    count(4, 1, 1_000_000),
    'Limit of all clients at one IP address (IPv6: per /64), as a multiple of the limit of one client.',
  ],
  SIGNED_REQUESTS_PER_MINUTE: [
    count(600, 1, 1_000_000_000),
    'Maximum signed requests verified per minute and IP address.',
  ],
  UPLOADS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Maximum uploads per hour and client.'],
  CAFE_POSTS_PER_DAY: [count(20, 1, 1_000_000_000), 'Maximum cafe posts per day and IP address.'],
  GALLERY_POSTS_PER_DAY: [count(10, 1, 1_000_000_000), 'Maximum gallery posts per day and IP address.'],
  REGISTRY_SIGNATURES_PER_DAY: [
    count(10, 1, 1_000_000_000),
    'Maximum registry signatures per day and IP address.',
  ],
  ALLOW_PRIVATE_FETCH: [
    flag,
    'Allows image URLs and webhooks to use private IP addresses and http. For tests on one machine only.',
  ],
  X402_PAY_TO: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Blockchain address that receives x402 payments. Requires X402_FACILITATOR_URL. Unset: x402 is off.',
  ],
  X402_FACILITATOR_URL: [
    httpUrl.optional(),
    'Base URL of the facilitator that verifies and settles x402 payments; the server appends /verify and /settle. May be in a private network.',
  ],
  X402_CAPTURE_AUTHORIZER: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Blockchain address that the facilitator uses for escrow holds (captureAuthorizer in its /supported response). Adds the x402 scheme auth-capture to "exact": the price is held before a call, captured after it, and released if the call fails. For facilitators without a fee. Unset: only "exact".',
  ],
  X402_EXTENSIONS: [
    listOf(
      (item) => /^(offer-receipt|sign-in-with-x|none)$/.test(item),
      'offer-receipt, sign-in-with-x or none',
      'none',
    ),
    'Comma-separated x402 extensions; they require PUBLIC_URL. offer-receipt: signs the terms of a 402 response and a receipt for its payment. sign-in-with-x: a wallet pays with its credits by signing a challenge. Both lengthen the PAYMENT-REQUIRED header: a proxy has to accept 16 kB of response headers.',
  ],
  X402_NETWORKS: [
    z
      .string()
      .default('eip155:8453')
      .transform((value) => value.split(',').map((item) => item.trim())),
    'Comma-separated networks to accept USDC on (eip155:8453 Base; eip155:84532 Base Sepolia, a test network; eip155:137 Polygon; eip155:43114 Avalanche), or other dollar tokens in full: eip155:8453/erc20:0x…/6/USD Coin/2.',
  ],
  MCP_FIXTURES: [
    flag,
    'Serves the tools of the official MCP conformance suite at /mcp-fixtures. For tests only.',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>;
