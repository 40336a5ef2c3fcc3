import { z } from 'zod';
import { MILLICREDITS_PER_CREDIT } from '../../../config/limits.ts';
import type { RecentRefusal } from '../../../core/audit/audit.ts';
import type { CpuBudget } from '../../../core/cpu_budget/types.ts';
import { MUSEUMS, type MuseumName } from '../../artworks/museums/museums.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import {
  createReadHealth,
  engineFields,
  type HealthParts,
  healthFields,
} from '../../discovery/routes/health.ts';
import type { Services } from '../../services.ts';
import type { EngineHealth } from '../health/health.ts';
import type { SystemStatus } from '../types.ts';
import { OPERATOR_LIMIT } from './admin_action.ts';
import { BOOKS_KEPT_MS } from './limits.ts';
import { fetchAnswer, fetchesField } from './upkeep.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const seconds = z.number().min(0).max(1e12);
const credits = z.number().min(-1e12).max(1e12);

const answer = z.object({
  health: healthFields,
  engines: engineFields.optional().describe('With deep=1: every loaded engine.'),
  servers: z
    .array(z.object({ host: z.string(), pid: count, seen_at: z.string() }))
    .describe('Servers of this database, with their last heartbeat; none if the database is embedded.'),
  takers: z
    .array(
      z.object({
        tools: z.array(z.string()).nullable(),
        lacks: z.array(z.string()),
        places: count,
        seen_at: z.string(),
      }),
    )
    .describe('Processes that run jobs: their tools (null: all), and features with lower quality.'),
  jobs: z
    .array(
      z.object({
        id: z.string(),
        tool: z.string(),
        state: z.string(),
        wallet: z.string().nullable(),
        accepted_at: z.string(),
      }),
    )
    .describe('The oldest active jobs.'),
  queue: z.array(z.object({ tool: z.string(), queued: count, running: count })).describe('Jobs, by tool.'),
  models: z.array(
    z.object({
      name: z.string(),
      installed: z.boolean(),
      can_be_fetched: z.boolean(),
      bytes: count.nullable(),
    }),
  ),
  museums: z.array(
    z.object({
      museum: z.string(),
      title: z.string(),
      works: count,
      pictures: count,
      whole: z.boolean(),
      read_at: z.string().nullable().describe('Time of the last import.'),
      can_be_fetched: z.boolean(),
    }),
  ),
  fetches: fetchesField,
  backup: z
    .object({
      name: z.string(),
      made_at: z.string(),
      folder: z.string(),
      bytes: count,
      added_bytes: count,
      damaged: count.describe('Missing blobs.'),
    })
    .nullable()
    .describe('The last backup of this database.'),
  damaged_files: z
    .array(z.object({ sha256: z.string(), state: z.enum(['changed', 'missing']), found_at: z.string() }))
    .describe(
      'Damaged stored files, unreadable until the same bytes are stored again; newest first, at most 100.',
    ),
  webhooks: z.object({
    active: count,
    disabled: count,
    pending: count,
    deliveries: z
      .array(
        z.object({
          id: z.string(),
          endpoint: z.string(),
          type: z.string(),
          state: z.string(),
          attempts: count,
          at: z.string(),
        }),
      )
      .describe('Newest first.'),
  }),
  books: z
    .object({
      balanced: z.boolean(),
      checked_at: z.string(),
      wallets: count,
      outstanding: credits,
      held: credits,
      spent: credits,
      refunded: credits,
      problems: z.array(z.string()),
    })
    .describe('Recomputed from the journal, at most once per minute.'),
  cpu: z
    .array(
      z.object({
        name: z.string(),
        scope: z.enum(['address', 'network', 'wallet']),
        used_s: seconds,
        wait_s: seconds.describe('Seconds until its calls are admitted again; 0 if they are.'),
      }),
    )
    .describe(
      'IP addresses, IPv6 networks and wallets with the highest CPU use on this server, minus refills.',
    ),
  hidden_entries: count,
  blocked_wallets: count,
  workspaces: count,
  refusals: z
    .array(
      z.object({
        at: z.string(),
        code: z.string(),
        status: count,
        about: z.string(),
        address: z.string(),
        request_id: z.string(),
      }),
    )
    .describe('Refused payments, proofs and admissions on this server since its start, newest first.'),
});

/** State of the server. */
export type Overview = z.output<typeof answer>;

type Needs = Pick<Services, 'operator' | 'wallets' | 'models' | 'artworks'>;
type Answer = z.input<typeof answer>;

interface OverviewParts extends HealthParts {
  readonly engines: EngineHealth;
  refusals(): readonly RecentRefusal[];
  readonly cpu: Pick<CpuBudget, 'heaviest'>;
}

/** The contents of the operator page. */
export function operatorOverview({ refusals, engines, cpu, ...parts }: OverviewParts): AnyOperation {
  const readHealth = createReadHealth(parts);
  let books: { readonly at: number; readonly read: Promise<Answer['books']> } | undefined;
  const booksOf = ({ wallets }: Needs): Promise<Answer['books']> => {
    if (!books || performance.now() - books.at > BOOKS_KEPT_MS)
      books = { at: performance.now(), read: readBooks(wallets) };
    return books.read;
  };
  return defineOperation({
    name: 'operator_overview',
    methods: ['GET'],
    path: '/api/operator/overview',
    tag: 'operator',
    summary: 'Status overview: health, servers, queue, networks, museums, webhooks, ledger, refusals.',
    input: z.object({
      deep: z
        .enum(['0', '1'])
        .optional()
        .describe('1: also runs every engine on a small image, at most once per minute.'),
    }),
    answer,
    operator: 'read',
    limit: OPERATOR_LIMIT,
    async run({ deep }, services: Needs) {
      const [health, world, models, statistics, checked, tried] = await Promise.all([
        readHealth(),
        services.operator.world(),
        services.models.list(),
        services.artworks.statistics(),
        booksOf(services),
        deep === '1' ? engines.check() : undefined,
      ]);
      return {
        health,
        ...(tried && { engines: tried }),
        ...worldOf(world),
        museums: museumsOf(statistics),
        models: models.map(({ name, installed, bytes }) => ({
          name,
          installed: installed !== undefined,
          can_be_fetched: bytes !== undefined,
          bytes: bytes ?? null,
        })),
        books: checked,
        cpu: cpu.heaviest(HEAVIEST_SHOWN).map(({ usedSeconds, waitSeconds, ...use }) => ({
          ...use,
          used_s: round(usedSeconds),
          wait_s: round(waitSeconds),
        })),
        refusals: refusals().map(({ at, requestId, ...refusal }) => ({
          at: at.toISOString(),
          ...refusal,
          request_id: requestId,
        })),
      };
    },
  });
}

const HEAVIEST_SHOWN = 10;

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** The part that comes from the database. */
function worldOf({
  servers,
  takers,
  queue,
  jobs,
  webhooks,
  fetches,
  backup,
  damaged,
  hidden,
  blockedWallets,
  workspaces,
}: SystemStatus) {
  return {
    servers: servers.map(({ seenAt, ...server }) => ({ ...server, seen_at: seenAt.toISOString() })),
    takers: takers.map(({ tools, lacks, places, seenAt }) => ({
      tools: tools && [...tools],
      lacks: [...lacks],
      places,
      seen_at: seenAt.toISOString(),
    })),
    queue: [...queue],
    jobs: jobs.map(({ acceptedAt, ...job }) => ({ ...job, accepted_at: acceptedAt.toISOString() })),
    webhooks: {
      ...webhooks,
      deliveries: webhooks.deliveries.map(({ at, ...one }) => ({ ...one, at: at.toISOString() })),
    },
    fetches: fetches.map(fetchAnswer),
    backup: backup
      ? {
          name: backup.name,
          made_at: backup.madeAt.toISOString(),
          folder: backup.folder,
          bytes: backup.bytes,
          added_bytes: backup.addedBytes,
          damaged: backup.damaged,
        }
      : null,
    damaged_files: damaged.map(({ sha256, isMissing, foundAt }) => ({
      sha256,
      state: isMissing ? ('missing' as const) : ('changed' as const),
      found_at: foundAt.toISOString(),
    })),
    hidden_entries: hidden,
    blocked_wallets: blockedWallets,
    workspaces,
  };
}

async function readBooks(wallets: Needs['wallets']): Promise<Answer['books']> {
  const { balanced, checkedAt, wallets: count, problems, ...audited } = await wallets.audit();
  const { outstanding, held, spent, refunded } = audited;
  const inCredits = (amount: number) => amount / MILLICREDITS_PER_CREDIT;
  return {
    balanced,
    checked_at: checkedAt.toISOString(),
    wallets: count,
    outstanding: inCredits(outstanding),
    held: inCredits(held),
    spent: inCredits(spent),
    refunded: inCredits(refunded),
    problems,
  };
}

type Statistics = Awaited<ReturnType<Needs['artworks']['statistics']>>;

/** Works in the published dataset release; `whole` where they come from a museum export and not from the starter catalogue. */
function museumsOf({ rights, starterOnly, imports }: Statistics): Answer['museums'] {
  const names = [...new Set(rights.map(({ museum }) => museum))].sort();
  return names.map((museum) => {
    const groups = rights.filter((group) => group.museum === museum);
    const sum = (field: 'works' | 'pictures') => groups.reduce((all, group) => all + group[field], 0);
    const isStarter = starterOnly.some((name) => name === museum);
    const { name, hasFiles } = MUSEUMS[museum as MuseumName];
    const readAt = imports.findLast((edition) => edition.museum === museum)?.publishedAt;
    return {
      museum,
      title: name,
      works: sum('works'),
      pictures: sum('pictures'),
      whole: !isStarter,
      read_at: readAt?.toISOString() ?? null,
      can_be_fetched: hasFiles && readAt === undefined,
    };
  });
}
