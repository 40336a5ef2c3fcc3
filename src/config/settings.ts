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
/** A list whose items all pass; the message names the rule for an item. */
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
  PORT: [count(8080, 0, 65_535), 'Port to listen on; 0 takes a free one.'],
  HOST: [text('127.0.0.1'), 'Address to listen on. 0.0.0.0 opens the service to the network.'],
  PUBLIC_URL: [
    httpUrl.optional(),
    'Address under which callers reach the service; links in answers start with it. Absent: http://HOST:PORT.',
  ],
  DATA_DIR: [
    text('./data'),
    'Folder for the embedded database, and for all stored bytes without STORAGE_URL.',
  ],
  DATABASE_URL: [
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    'PostgreSQL connection string. Absent: the embedded database in DATA_DIR.',
  ],
  MIGRATION_SNAPSHOTS: [
    count(3, 0, 100),
    'Snapshots of the database kept in DATA_DIR, one made before each start that changes its tables; "atelier rollback" goes back to one. 0 makes none.',
  ],
  STORAGE_URL: [
    httpUrl
      .refine(isBucketUrl, 'must be an endpoint and a bucket such as https://s3.example.org/bucket')
      .optional(),
    'Bucket of an S3-compatible object store, as https://endpoint/bucket or https://endpoint/bucket/prefix: assets, uploads, results, kept answers and mirrored pictures lie there, and servers need no common folder. Absent: in DATA_DIR.',
  ],
  STORAGE_REGION: [text('us-east-1'), 'Region that requests to STORAGE_URL are signed for.'],
  STORAGE_KEY_ID: [z.string().optional(), 'Access key id for STORAGE_URL.'],
  STORAGE_SECRET_KEY: [z.string().optional(), 'Secret access key for STORAGE_URL.'],
  BACKUP_REGION: [
    z.string().optional(),
    'Region that requests to a bucket of backups (atelier backup https://…) are signed for. Absent: STORAGE_REGION.',
  ],
  BACKUP_KEY_ID: [z.string().optional(), 'Access key id for a bucket of backups. Absent: STORAGE_KEY_ID.'],
  BACKUP_SECRET_KEY: [
    z.string().optional(),
    'Secret access key for a bucket of backups. Absent: STORAGE_SECRET_KEY.',
  ],
  STORAGE_LINKS: [
    z.enum(['server', 'store']).default('server'),
    'Who answers links to results and assets that lie in STORAGE_URL. server: this server passes the bytes on. store: it checks the link and sends the caller on (303) to the bucket, with an address that is good for five minutes; the bucket stays private.',
  ],
  STORAGE_PUBLIC_URL: [
    httpUrl.optional(),
    'Where callers reach the bucket, if not at STORAGE_URL: the address of a CDN or proxy that asks the bucket for what is behind it, with the host of STORAGE_URL and the whole query. With STORAGE_LINKS=store. Absent: the bucket itself.',
  ],
  ADOPT_STORAGE: [
    flag,
    'Ties DATA_DIR, or the bucket of STORAGE_URL, and the database of DATABASE_URL to each other at this start, though one of them belonged elsewhere. Once, after a loss; take it out again.',
  ],
  LOG_LEVEL: [
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('info'),
    'How much is logged.',
  ],
  METRICS_TOKEN: [
    z
      .string()
      .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without spaces')
      .optional(),
    'Bearer token that opens /metrics, from anywhere, beside those of operators. Absent: callers of this machine or its private network may read it as well, but not on a server whose PUBLIC_URL is on the internet.',
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    httpUrl.optional(),
    'Collector that traces and metrics are sent to by OTLP over HTTP, such as http://127.0.0.1:4318. The OTEL settings are those of OpenTelemetry; further ones of its SDK count as well. Absent: nothing is sent, and nothing is loaded for it.',
  ],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: [
    httpUrl.optional(),
    'Whole address that traces are sent to, where it is another, such as http://127.0.0.1:4318/v1/traces.',
  ],
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: [
    httpUrl.optional(),
    'Whole address that metrics are sent to, where it is another.',
  ],
  OTEL_EXPORTER_OTLP_PROTOCOL: [
    z.enum(['http/protobuf', 'http/json']).default('http/protobuf'),
    'How they are encoded.',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: [
    z.string().optional(),
    'Headers sent with them, as name=value with commas between: the key of a collector.',
  ],
  OTEL_SERVICE_NAME: [text('atelier'), 'What this server is called there.'],
  OTEL_RESOURCE_ATTRIBUTES: [
    z.string().optional(),
    'What else is said of it there, as name=value with commas between, such as deployment.environment.name=test.',
  ],
  OTEL_TRACES_EXPORTER: [z.enum(['otlp', 'none']).default('otlp'), 'none: no traces are sent.'],
  OTEL_METRICS_EXPORTER: [z.enum(['otlp', 'none']).default('otlp'), 'none: no metrics are sent.'],
  OTEL_METRIC_EXPORT_INTERVAL: [
    count(60_000, 100, 3_600_000),
    'Milliseconds between two sendings of metrics.',
  ],
  OTEL_TRACES_SAMPLER: [
    z
      .enum([
        ...(['always_on', 'always_off', 'traceidratio'] as const),
        ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
      ])
      .default('parentbased_always_on'),
    'Which traces are recorded. parentbased: as the caller has decided, where the caller is trusted (see the page on monitoring).',
  ],
  OTEL_TRACES_SAMPLER_ARG: [
    z.coerce.number().min(0).max(1).default(1),
    'Part of the traces that traceidratio records.',
  ],
  OTEL_SDK_DISABLED: [flag, 'true: nothing is sent, whatever the other settings say.'],
  WORKERS: [
    count(0, 0, 64),
    'Processes that work on pixels; 0 means one per processor core and one more, which receives its picture while the others compute. Work below 0.25 s of processor time has one beside them.',
  ],
  PIXELS_IN_FLIGHT_MAX: [
    count(160_000_000, 1_000_000, 10_000_000_000),
    'Sum of pixels over all running calls. Further ones wait for their turn, at most half of TOOL_DEADLINE_MS.',
  ],
  CALLER_SHARE_PERCENT: [
    count(100 * CALLER_SHARE, 1, 100),
    'Part of the pixels, processes and jobs at work that one network address may hold, all its wallets together. One piece of work may always be larger.',
  ],
  TOOL_DEADLINE_MS: [
    count(60_000, 100, 600_000),
    'Longest time a tool may run before it is stopped and the caller gets 504.',
  ],
  DRAIN_MS: [
    count(0, 0, 300_000),
    'After SIGTERM: how long /health says 503 while calls are still taken, before the server stops. Behind a proxy twice the interval in which it asks /health.',
  ],
  // Totals over all callers: memory, connections, disk.
  BYTES_IN_MEMORY_MAX: [
    count(BYTES_IN_MEMORY_MAX, 2 * JSON_BODY_BYTES_MAX * JSON_BODY_COPIES, 2 ** 40),
    'Bytes of bodies, pictures and answers that all calls together may hold in the memory of this process. Calls beyond wait a moment, then get 503.',
  ],
  CONNECTIONS_MAX: [
    count(CONNECTIONS_MAX, 1, 1_000_000),
    'Open connections of all clients. At this number each new one replaces a connection that waits for its client.',
  ],
  CONNECTIONS_PER_ADDRESS: [
    count(CONNECTIONS_PER_ADDRESS_MAX, 1, 1_000_000),
    'Open connections of one address; further ones get 429. An IPv6 /64, /56 and /48 may have 4, 16 and 64 times as many. Connections of TRUSTED_PROXIES are not counted.',
  ],
  REFUSALS_PER_MINUTE: [
    count(REFUSALS_PER_MINUTE, 1, 1_000_000_000),
    'Requests a minute from one address that may be refused for a mistake of theirs (400 to 428); then none is read for a while.',
  ],
  CPU_SECONDS_BURST: [
    z.coerce.number().min(0).max(1_000_000_000).default(CPU_SECONDS_BURST),
    'CPU-seconds one network address can use at once on this server; a call beyond gets 429 before its body is read. A wallet with credits has 4 times that, IPv6 networks /64, /56 and /48 have 4, 16 and 64 times. 0 turns the budgets off.',
  ],
  CPU_SECONDS_REFILL: [
    z.coerce.number().min(0.001).max(1_000_000).default(CPU_SECONDS_REFILL),
    'CPU-seconds per second by which that budget is refilled: what one address can use all the time. Without effect where CPU_SECONDS_BURST is 0.',
  ],
  UPLOADS_BYTES_MAX: [bytes(UPLOADS_BYTES_MAX), 'Bytes of uploads kept at once.'],
  RESULTS_BYTES_MAX: [bytes(RESULTS_BYTES_MAX), 'Bytes of results kept at once.'],
  ANSWERS_BYTES_MAX: [
    bytes(ANSWERS_BYTES_MAX),
    'Bytes of answers kept for an Idempotency-Key or a job, without their files, in a day.',
  ],
  ASSETS_BYTES_MAX: [bytes(ASSETS_BYTES_MAX), 'Bytes of assets kept for all wallets together.'],
  MANIFESTS_BYTES_MAX: [
    bytes(MANIFESTS_BYTES_MAX),
    'Bytes of C2PA manifests kept apart from their pictures, of all callers together.',
  ],
  WORKSPACES_BYTES_MAX: [bytes(WORKSPACES_BYTES_MAX), 'Bytes of images in all workspaces together.'],
  KEPT_SHARE_PERCENT: [
    count(KEPT_SHARE_PERCENT, 1, 100),
    'Part of each of these six that one address, and one wallet, may fill.',
  ],
  DISK_FREE_MIN_BYTES: [
    z.coerce
      .number()
      .int()
      .min(0)
      .max(2 ** 50)
      .optional(),
    'Below so much free space in DATA_DIR nothing new is kept (503 storage_full); reading goes on. Absent: 1 GiB, or a twentieth of the disk where that is less.',
  ],
  JOBS_AT_ONCE: [
    count(3, 1, 64),
    'Jobs (calls that are long, or sent with async: true) this server works on at once; the others wait.',
  ],
  JOBS_HERE: [
    z
      .string()
      .regex(/^(all|none|[a-z_]+( *, *[a-z_]+)*)$/, 'must be all, none, or tools with commas between them')
      .default('all'),
    'Jobs this server works on: all, none, or those of some tools with commas between them. The others are left to workers (atelier worker) and servers on the same database.',
  ],
  WORKER_TOOLS: [
    z
      .string()
      .regex(/^(all|[a-z_]+( *, *[a-z_]+)*)$/, 'must be all, or tools with commas between them')
      .default('all'),
    'Tools whose jobs atelier worker takes, with commas between them. Named ones need their networks.',
  ],
  WORKER_HEALTH_PORT: [
    count(0, 0, 65_535),
    'Port on HOST where atelier worker serves its health and metrics, without authentication; 0: none.',
  ],
  WEBHOOKS_AT_ONCE: [
    count(64, 0, 1000),
    'Deliveries to webhooks this server has under way at once; with 0 it leaves them to other servers on the same database.',
  ],
  JOB_DEADLINE_MS: [
    count(10 * 60_000, 100, JOB_RUN_MS_MAX),
    'Longest time a job may run before it is stopped and fails.',
  ],
  JOBS_LIVE_MAX: [
    count(100_000, 1, 1_000_000),
    'Jobs that may wait or run, of all callers together; above it callers get 503.',
  ],
  JOBS_PER_CALLER: [
    count(20, 1, 1_000_000),
    'Jobs that may wait or run of one caller; above it the caller gets 429.',
  ],
  JOBS_PER_ADDRESS: [
    count(100, 1, 1_000_000),
    'Jobs that may wait or run of one network address, all its wallets together; above it the caller gets 429.',
  ],
  MODEL_MIRROR: [
    httpUrl.optional(),
    'Base address to download network weights from, with the files under their official names. Absent: where their makers published them.',
  ],
  MODELS_PULL: [
    listOf(isName, 'a name', 'recommended'),
    'Networks this server fetches in its background where they are not here, and atelier call before the first tool that lacks its own: none; recommended: those tools use by themselves; all; or names with commas between them (vision: all that look at pictures). What fails is tried again later, and told in /health.',
  ],
  PRESS_PROFILES_DIR: [
    z.string().min(1).optional(),
    'Folder with ICC profiles of presses (name.icc), offered to callers by name beside those that come with the service.',
  ],
  EXECUTION_PROVIDER: [
    z.enum(['cpu', 'auto', 'cuda', 'coreml', 'dml', 'webgpu']).default('cpu'),
    'Where networks run, as onnxruntime names it; auto: cuda where it opens, else cpu, and engine.provider in answers says which. Anything but cpu needs hardware and libraries that are not part of this project.',
  ],
  VISION_PROVIDER: [
    z.enum(['openai_compatible', 'openai', 'anthropic', 'google']).optional(),
    'Whose wire format the vision model speaks that reads pictures for enrich_metadata; openai_compatible serves local servers and most others. Absent: callers observe images themselves.',
  ],
  VISION_MODEL: [z.string().max(200).optional(), 'Name of the vision model, as its provider writes it.'],
  VISION_API_KEY: [z.string().optional(), 'Key for it. A local server may need none.'],
  VISION_BASE_URL: [
    httpUrl.optional(),
    'Where it is, such as http://127.0.0.1:11434/v1. Absent: the provider itself; openai_compatible needs it.',
  ],
  VISION_TIMEOUT_MS: [
    count(45_000, 100, 600_000),
    'Longest time it may take for one picture, retries included.',
  ],
  VISION_OUTPUT_TOKENS_MAX: [count(4000, 500, 100_000), 'Most tokens of one of its answers.'],
  VISION_INPUT_USD: [
    price,
    'What a million input tokens cost, in US dollars. Absent: answers name tokens only.',
  ],
  VISION_OUTPUT_USD: [price, 'What a million output tokens cost, in US dollars.'],
  VISION_USD_A_DAY: [
    z.coerce.number().positive().max(1_000_000).optional(),
    'What its answers may cost in a day (UTC), in US dollars, over all servers of one database; then calls get 503 until midnight, and engine built_in goes on. Needs both prices. Absent: no bound.',
  ],
  VISION_TOKENS_A_DAY: [
    z.coerce.number().int().positive().max(1e12).optional(),
    'The same in tokens, read and written together, for models without prices.',
  ],
  VISION_SHARE_PERCENT: [
    count(50, 1, 100),
    'Part of both that one network address, and one wallet, may use in a day. 100 on a server of one person.',
  ],
  GENERATION_PROVIDER: [
    z.enum(['openai_compatible', 'openai', 'google', 'black_forest_labs']).optional(),
    'Wire format of the image model behind generate_image and edit_with_words; openai_compatible is for local servers with /v1/images/generations and /v1/images/edits. Unset: these tools are not offered.',
  ],
  GENERATION_MODEL: [
    z.string().max(200).optional(),
    'Name of the image model, as its provider writes it. GENERATION_PROVIDER needs it.',
  ],
  GENERATION_API_KEY: [z.string().optional(), 'Key for it. A local server may need none.'],
  GENERATION_BASE_URL: [
    httpUrl.optional(),
    'Base address of the API, such as http://127.0.0.1:8081/v1. Default: that of the provider; openai_compatible needs it.',
  ],
  GENERATION_USD: [
    price,
    'Highest price of one image at the provider, in US dollars, for the size and quality of this model. Every provider but openai_compatible needs it. Unset: 0.',
  ],
  GENERATION_MARGIN_PERCENT: [
    count(20, 0, 1000),
    'Margin of the operator on that price. A call costs both together, rounded up to whole credits, at least 1.',
  ],
  GENERATION_USD_A_DAY: [
    z.coerce.number().positive().max(1_000_000).optional(),
    'Budget for images in a day (UTC), in US dollars, over all servers of one database; then calls get 503 until midnight. Unset: no limit.',
  ],
  GENERATION_SHARE_PERCENT: [
    count(50, 1, 100),
    'Part of that budget that one network address, and one wallet, may use in a day.',
  ],
  GENERATION_QUALITY: [
    z.enum(['low', 'medium', 'high']).optional(),
    'Quality requested from OpenAI models, which bill by it. Unset: medium.',
  ],
  GENERATION_EDITS: [
    z.stringbool().default(true),
    'false: the model cannot change an existing image, and edit_with_words is not offered.',
  ],
  GENERATION_TIMEOUT_MS: [
    count(55_000, 100, 600_000),
    'Longest time the provider may take for one image, retries included.',
  ],
  EMBEDDINGS_URL: [
    z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    'Base address of an OpenAI-compatible endpoint for embeddings, such as http://127.0.0.1:11434/v1: search_artworks then finds by meaning too. Queries and records are sent there. Absent: by words alone.',
  ],
  EMBEDDINGS_MODEL: [z.string().max(200).optional(), 'Name of the embedding model. EMBEDDINGS_URL needs it.'],
  EMBEDDINGS_API_KEY: [z.string().optional(), 'Key for it. A local server may need none.'],
  VECTORS_INDEX: [
    z.enum(['memory', 'pgvector']).default('memory'),
    'Where embeddings are searched. memory: exactly, in the memory of each process. pgvector: by HNSW indexes in PostgreSQL (approximate), which needs DATABASE_URL and the extension pgvector 0.8 or newer.',
  ],
  LIVE_WORKS: [
    z.stringbool().default(true),
    'Completes a work known only by its number from the API of its museum when it is requested: record, rights and image. false: single works are not requested from museums.',
  ],
  IIIF: [
    z.stringbool().default(true),
    'Shows the pictures of the dataset to everybody by the IIIF interfaces, free: image tiles, manifests, collections and changes under /iiif. false: nothing is served there.',
  ],
  OPERATOR_CONTACT: [
    z
      .string()
      .max(200)
      .regex(/^[\x20-\x7e]+$/, 'must be plain characters')
      .optional(),
    'Mail or web address of the operator of this server, sent to museums in the User-Agent of every request, as they require.',
  ],
  SELLER_NAME: [
    sellerText,
    'Who sells the credits of this server, for invoices and the export of purchases. Absent: no invoices.',
  ],
  SELLER_ADDRESS: [sellerText, 'Its postal address, in one line.'],
  SELLER_TAX_ID: [sellerText, 'Its tax number.'],
  SELLER_TAX_PERCENT: [
    z.coerce.number().min(0).max(100).optional(),
    'Tax that the prices include, in percent of the net price. Absent: invoices and the export state no tax.',
  ],
  OIDC_ISSUER: [
    httpUrl.optional(),
    'OpenID provider whose tokens operators may bring to /api/operator, as it names itself. May be in a private network. Absent: only tokens made with atelier admin token.',
  ],
  OIDC_AUDIENCE: [
    z.string().max(200).optional(),
    'Audience (aud) its tokens must be made for. Absent: OIDC_CLIENT_ID; OIDC_ISSUER needs one of the two.',
  ],
  OIDC_CLIENT_ID: [
    z.string().max(200).optional(),
    'Name of this service at the provider. With it operators sign in on /operate; the provider has to know <PUBLIC_URL>/operate/callback as redirect URI.',
  ],
  OIDC_CLIENT_SECRET: [
    z.string().max(1000).optional(),
    'Secret that goes with OIDC_CLIENT_ID. Absent: a public client, for which PKCE alone speaks.',
  ],
  OIDC_SCOPE: [
    z
      .string()
      .max(400)
      .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be words with one space between them')
      .default('openid profile email'),
    'What is asked for at such a sign-in, words with spaces between them; the ID token has to have OIDC_CLAIM then.',
  ],
  OIDC_CLAIM: [
    z.string().max(200).default('groups'),
    'Claim of its tokens that says who is an operator: a list, or words with spaces between them. email counts only where it is verified.',
  ],
  OIDC_OPERATORS: [list, 'Values of OIDC_CLAIM, with commas between them, that may do everything.'],
  OIDC_READERS: [list, 'Values of OIDC_CLAIM that may only look.'],
  SMITHSONIAN_API_KEY: [
    z.string().optional(),
    'Key of api.data.gov (free). Absent: works of the Smithsonian are not completed one by one.',
  ],
  PARIS_MUSEES_TOKEN: [
    z.string().optional(),
    'Token of the interface of Paris Musées (free account). Absent: works of Paris Musées are not completed one by one.',
  ],
  MUSEUM_MIRROR: [
    httpUrl.optional(),
    'Base address asked in place of all hosts of museums, for single works and for the files they publish, with the host as the first part of the path (<base>/api.artic.edu/api/v1/…): a cache of yours, or a stand-in for tests. In a private network it needs ALLOW_PRIVATE_FETCH.',
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
    'DOIs you have registered for snapshots of the dataset, with commas between them (3=10.5281/zenodo.1234); citations name them.',
  ],
  MUSEUMS_PULL: [
    listOf(isName, 'a name'),
    'Museums whose share of works this server fetches and imports in its background where nothing of them was imported yet, by name with commas between them; recommended: all that publish files. Of several servers on one database one does it.',
  ],
  TRUSTED_PROXIES: [
    listOf(isAddress, 'an IP address or a CIDR range'),
    'Comma-separated addresses or CIDR ranges whose X-Forwarded-For is believed.',
  ],
  ALLOWED_ORIGINS: [
    listOf(isOrigin, 'an origin such as https://example.org, without a path'),
    'Comma-separated web origins whose pages may use /mcp, and on a server that is not on the internet anything but public reads, beside this server itself and localhost.',
  ],
  SIGNING_SECRET: [
    z.string().min(SIGNING_SECRET_CHARACTERS_MIN).optional(),
    'Key for signed links. Absent: one is made and kept in DATA_DIR. Replicas need the same.',
  ],
  IMPORT_KEYS: [
    listOf((item) => /^[\w-]{43}$/.test(item), 'a kid of 43 characters, as /.well-known/jwks.json has them'),
    'Keys of other servers, by their kid with commas between them, whose archives of wallets are imported though those servers cannot be asked any more.',
  ],
  EVM_RPC_URL: [
    httpUrl.optional(),
    'JSON-RPC address of a node, which is asked about signatures of contract wallets (ERC-1271, ERC-6492) of its chain, and what became of x402 payments there whose outcome is not known. Absent: only wallets with a private key can prove themselves.',
  ],
  RECEIPT_KEY: [
    z.string().optional(),
    'Ed25519 private key that signs receipts: PKCS#8 as PEM, or the base64 of its bytes. Absent: one is made and kept in DATA_DIR. A new key takes over; the public halves of all stay published.',
  ],
  VOUCHING_DOMAINS: [
    listOf(isDomain, 'a domain such as example.org').refine((items) => items.length <= VOUCHING_DOMAINS_MAX, {
      error: `at most ${VOUCHING_DOMAINS_MAX} domains`,
    }),
    'Domains that vouch for the key this server signs with, separated by commas: /.well-known/atelier-identity.json says what each has to publish, and tells readers to look there.',
  ],
  VOUCHING_WALLET: [
    z
      .string()
      .regex(/^0[xX][0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Wallet that vouches for it. Needs VOUCHING_SIGNATURE.',
  ],
  VOUCHING_SIGNATURE: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{130}$/, 'must be 0x followed by 130 hex digits')
      .optional(),
    'What VOUCHING_WALLET has signed (EIP-191): the text that /.well-known/atelier-identity.json names. A new key needs a new one.',
  ],
  ARWEAVE_KEY_FILE: [
    z.string().optional(),
    'File with the key of an Arweave wallet (JSON Web Key), whose account with the bundler pays: store_permanent then keeps files on Arweave. Absent: in the archive of this server.',
  ],
  ARWEAVE_UPLOAD_URL: [
    httpUrl.default('https://upload.ardrive.io/v1/tx'),
    'Where a bundler takes signed data items (ANS-104). May be in a private network.',
  ],
  ARWEAVE_GATEWAY_URL: [
    httpUrl.default('https://arweave.net'),
    'Gateway that answers name, and that /ar/<id> reads from. With http: one of a private network, whose redirects are not followed.',
  ],
  C2PA_CERTIFICATE: [
    z.string().optional(),
    'Certificate chain as PEM, the signer first, that infuse_metadata signs C2PA manifests with, and other tools where a picture came with one. Needs C2PA_KEY. Absent: files get no manifest. scripts/make_c2pa_certificate.sh makes one for development.',
  ],
  C2PA_KEY: [
    z.string().optional(),
    'Private key of C2PA_CERTIFICATE, P-256 or Ed25519: PKCS#8 as PEM, or the base64 of its bytes.',
  ],
  TSA_URL: [
    listOf(isHttpUrl, 'an http or https URL without a user name'),
    'Time-stamping authorities (RFC 3161), comma-separated, tried in this order. They stamp the signatures of C2PA manifests, waiting at most 3 s each and 5 s in total, and the heads of the transparency log in the background. May be in a private network. Redirects are not followed. Unset: nothing is stamped, and answers say so.',
  ],
  TSA_TRUST: [
    list,
    'Files of trusted certificates of time-stamping authorities as PEM, comma-separated: roots, intermediates or the certificates of the authorities themselves. Stamps of other authorities are shown as untrusted, and not requested. Unset: every sound stamp is shown as untrusted, because no list was checked.',
  ],
  TSA_POLICY: [
    z
      .string()
      .regex(/^[0-2](\.(0|[1-9]\d{0,9})){2,19}$/, 'must be an object identifier such as 1.3.6.1.4.1.4146.2.3')
      .optional(),
    'Object identifier of the policy that time stamps are requested under. Unset: the default of the authority.',
  ],
  C2PA_TRUST_LIST: [
    z.string().optional(),
    'File of certificates as PEM, such as the C2PA trust list. verify_provenance reports a signer as trusted where its certificate leads to one of them. Absent: trust is not judged.',
  ],
  PAYMENTS: [
    z.enum(['stripe', 'simulated', 'off']).optional(),
    'Who takes cards. Absent: stripe where STRIPE_SECRET_KEY is set; else simulated, which moves no money and lets anybody pay with a test card, where HOST and PUBLIC_URL are of this machine alone; else off: no cards.',
  ],
  STRIPE_SECRET_KEY: [
    z
      .string()
      .regex(/^(sk|rk)_(live|test)_\w+$/, 'must be a secret or restricted key such as sk_live_…')
      .optional(),
    'Secret key of the Stripe API. One with _test_ moves no money.',
  ],
  STRIPE_WEBHOOK_SECRET: [
    z
      .string()
      .regex(/^whsec_\S+$/, 'must start with whsec_')
      .optional(),
    'Secret of the Stripe webhook that points to /api/webhooks/stripe. Stripe needs it.',
  ],
  STRIPE_PUBLISHABLE_KEY: [
    z
      .string()
      .regex(/^pk_(live|test)_\w+$/, 'must be a publishable key such as pk_live_…')
      .optional(),
    'Publishable key of Stripe, for the page where a person pays for calls. Absent: only clients that bring their own card form can.',
  ],
  STRIPE_PROFILE_ID: [
    z
      .string()
      .regex(/^profile_\w+$/, 'must be a profile such as profile_…')
      .optional(),
    'Profile of this business on Stripe, to which agents grant shared payment tokens. With it a 402 carries a challenge of the Payment scheme (MPP) beside every other way to pay. Absent: none.',
  ],
  STRIPE_API_URL: [httpUrl.optional(), 'Where the Stripe API is. Absent: Stripe itself. For tests.'],
  FREE_TOOLS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Free tool calls an hour per caller.'],
  PAID_TOOLS_PER_MINUTE: [count(100, 1, 1_000_000_000), 'Paid tool calls a minute per caller.'],
  MCP_PER_MINUTE: [count(600, 1, 1_000_000_000), 'Requests a minute per caller on /mcp.'],
  REGISTRATIONS_PER_HOUR: [count(100, 1, 1_000_000_000), 'New wallets an hour per address.'],
  REGISTRATIONS_PER_DAY: [count(200, 1, 1_000_000_000), 'New wallets a day per address.'],
  REGISTRATIONS_PER_DAY_OF_ALL: [count(2000, 1, 1_000_000_000), 'New wallets a day of all callers together.'],
  BONUS_NEEDS_PROOF: [
    flag,
    'Grants the welcome bonus only once a wallet has proved itself (POST /api/wallet/session, or a signed request) and not at registration.',
  ],
  GUEST_BONUSES_PER_DAY: [
    count(3, 0, 1_000_000),
    'Welcome bonuses a day for guest accounts (open_account) and first sign-ins, per address and per /48 of IPv6. 0: none.',
  ],
  ADDRESS_LIMIT_FACTOR: [
    count(4, 1, 1_000_000),
    'How many times the limit of one caller all callers of one address may use together; IPv6 by /64.',
  ],
  SIGNED_REQUESTS_PER_MINUTE: [
    count(600, 1, 1_000_000_000),
    'Signed requests a minute per address that are checked.',
  ],
  UPLOADS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Uploads an hour per caller.'],
  CAFE_POSTS_PER_DAY: [count(20, 1, 1_000_000_000), 'Cafe posts a day per address.'],
  GALLERY_POSTS_PER_DAY: [count(10, 1, 1_000_000_000), 'Gallery posts a day per address.'],
  REGISTRY_SIGNATURES_PER_DAY: [count(10, 1, 1_000_000_000), 'Registry signatures a day per address.'],
  ALLOW_PRIVATE_FETCH: [
    flag,
    'Lets image URLs and webhooks reach private addresses and plain http. For tests on one machine only.',
  ],
  X402_PAY_TO: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Address that x402 payments go to. Needs X402_FACILITATOR_URL. Absent: x402 is off.',
  ],
  X402_FACILITATOR_URL: [
    httpUrl.optional(),
    'Facilitator that verifies and settles x402 payments; /verify and /settle are added. May be in a private network.',
  ],
  X402_CAPTURE_AUTHORIZER: [
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x followed by 40 hex digits')
      .optional(),
    'Address from which the facilitator acts on holds in escrow (captureAuthorizer in its /supported). Offers the x402 scheme auth-capture besides "exact": the price is held before a call, captured after it, and given back where it fails. For facilitators without a fee. Absent: only "exact".',
  ],
  X402_EXTENSIONS: [
    listOf(
      (item) => /^(offer-receipt|sign-in-with-x|none)$/.test(item),
      'offer-receipt, sign-in-with-x or none',
      'none',
    ),
    'Comma-separated extensions of x402 where PUBLIC_URL is set: offer-receipt signs the terms of a 402 and a receipt for its payment, with sign-in-with-x a wallet pays from its credits by signing a challenge. Both make PAYMENT-REQUIRED longer: a proxy has to take 16 kB of response headers.',
  ],
  X402_NETWORKS: [
    z
      .string()
      .default('eip155:8453')
      .transform((value) => value.split(',').map((item) => item.trim())),
    'Comma-separated networks to be paid on in USDC (eip155:8453 Base, eip155:84532 Base Sepolia, whose money is worth nothing, eip155:137 Polygon, eip155:43114 Avalanche), or other dollar tokens written out: eip155:8453/erc20:0x…/6/USD Coin/2.',
  ],
  MCP_FIXTURES: [
    flag,
    'Mounts the tools of the official MCP conformance suite at /mcp-fixtures. For tests only.',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>;
