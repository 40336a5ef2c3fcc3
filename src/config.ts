import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  JOB_DEADLINE_MS,
  JOB_RUN_MS_MAX,
  JOBS_LIVE_MAX,
  JOBS_PER_CALLER_MAX,
  PIXELS_IN_FLIGHT_MAX,
  TOOL_DEADLINE_MS,
} from './limits.ts';

const text = (fallback: string) => z.string().default(fallback);
const count = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback);
const list = z
  .string()
  .default('')
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
/** A list whose every item passes; the message names what an item has to be. */
const listOf = (isRight: (item: string) => boolean, rule: string) =>
  list.refine((items) => items.every(isRight), `every item must be ${rule}`);
const isAddress = (item: string) => (item.includes('/') ? ipaddr.isValidCIDR(item) : ipaddr.isValid(item));
const isOrigin = (item: string) => URL.canParse(item) && new URL(item).origin === item;
const flag = z.stringbool().default(false);

/** Every setting: name, check with default, meaning. The only reader of the environment is `readConfig` below. */
export const SETTINGS = {
  PORT: [count(8080, 0, 65_535), 'Port to listen on; 0 takes a free one.'],
  HOST: [text('127.0.0.1'), 'Address to listen on. 0.0.0.0 opens the service to the network.'],
  PUBLIC_URL: [
    z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    'Address under which callers reach the service; links in answers start with it. Absent: http://HOST:PORT.',
  ],
  DATA_DIR: [text('./data'), 'Folder for the embedded database and all stored bytes.'],
  DATABASE_URL: [
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
      .optional(),
    'PostgreSQL connection string. Absent: the embedded database in DATA_DIR.',
  ],
  LOG_LEVEL: [
    z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug']).default('info'),
    'How much is logged.',
  ],
  WORKERS: [
    count(0, 0, 64),
    'Processes that work on pixels; 0 means one per processor core and one more, which receives its picture while the others compute.',
  ],
  PIXELS_IN_FLIGHT_MAX: [
    count(PIXELS_IN_FLIGHT_MAX, 1_000_000, 10_000_000_000),
    'Sum of pixels over all running calls; above it callers get 503 at once.',
  ],
  TOOL_DEADLINE_MS: [
    count(TOOL_DEADLINE_MS, 100, 600_000),
    'Longest time a tool may run before it is stopped and the caller gets 504.',
  ],
  JOBS_AT_ONCE: [
    count(2, 1, 64),
    'Jobs (calls with Prefer: respond-async) this server works on at once; the others wait.',
  ],
  JOB_DEADLINE_MS: [
    count(JOB_DEADLINE_MS, 100, JOB_RUN_MS_MAX),
    'Longest time a job may run before it is stopped and fails.',
  ],
  JOBS_LIVE_MAX: [
    count(JOBS_LIVE_MAX, 1, 1_000_000),
    'Jobs that may wait or run, of all callers together; above it callers get 503.',
  ],
  JOBS_PER_CALLER: [
    count(JOBS_PER_CALLER_MAX, 1, 1_000_000),
    'Jobs that may wait or run of one caller; above it the caller gets 429.',
  ],
  TRUSTED_PROXIES: [
    listOf(isAddress, 'an IP address or a CIDR range'),
    'Comma-separated addresses or CIDR ranges whose X-Forwarded-For is believed.',
  ],
  ALLOWED_ORIGINS: [
    listOf(isOrigin, 'an origin such as https://example.org, without a path'),
    'Comma-separated web origins that may use /mcp beside this server itself and localhost.',
  ],
  SIGNING_SECRET: [
    z.string().min(32).optional(),
    'Key for signed links. Absent: one is made and kept in DATA_DIR. Replicas need the same.',
  ],
  FREE_TOOLS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Free tool calls an hour per caller.'],
  PAID_TOOLS_PER_MINUTE: [count(100, 1, 1_000_000_000), 'Paid tool calls a minute per caller.'],
  MCP_PER_MINUTE: [count(600, 1, 1_000_000_000), 'Requests a minute per caller on /mcp.'],
  REGISTRATIONS_PER_HOUR: [count(100, 1, 1_000_000_000), 'New wallets an hour per address.'],
  UPLOADS_PER_HOUR: [count(600, 1, 1_000_000_000), 'Uploads an hour per caller.'],
  CAFE_POSTS_PER_DAY: [count(20, 1, 1_000_000_000), 'Cafe posts a day per address.'],
  GALLERY_POSTS_PER_DAY: [count(10, 1, 1_000_000_000), 'Gallery posts a day per address.'],
  REGISTRY_SIGNATURES_PER_DAY: [count(10, 1, 1_000_000_000), 'Registry signatures a day per address.'],
  ALLOW_PRIVATE_FETCH: [
    flag,
    'Lets image URLs reach private addresses and plain http. For tests on one machine only.',
  ],
  MCP_FIXTURES: [
    flag,
    'Mounts the tools of the official MCP conformance suite at /mcp-fixtures. For tests only.',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string]>;

export type Config = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name][0]> };

/**
 * Reads all settings at once. Empty values count as absent.
 * @throws Error naming every bad setting with what it should be
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, [check, meaning]]) => {
    const result = check.safeParse(environment[name] || undefined);
    if (!result.success) problems.push(`${name}: ${result.error.issues[0]?.message}. ${meaning}`);
    return [name, result.data];
  });
  if (problems.length > 0) throw new Error(`Some settings need correcting:\n  ${problems.join('\n  ')}`);
  return Object.fromEntries(entries) as Config;
}

/** What the command line takes from the environment; flags go before. */
export interface CliSettings {
  /** ATELIER_URL: server to call instead of one on this machine. */
  readonly url?: string | undefined;
  /** ATELIER_WALLET: wallet that pays. */
  readonly wallet?: string | undefined;
}

export const readCliSettings = (
  environment: Record<string, string | undefined> = process.env,
): CliSettings => ({
  url: environment.ATELIER_URL || undefined,
  wallet: environment.ATELIER_WALLET || undefined,
});
