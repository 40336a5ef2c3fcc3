import type { Queryable } from '../../../core/database/types.ts';
import type { Scope } from '../../../core/principal.ts';
import type { CallToApprove, KeyDecision, KeyWish, SpendingRules } from './types.ts';

export interface KeyRequestRow extends KeyWish {
  readonly id: string;
  readonly askedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isGranted: boolean | null;
  readonly redeemedAt: Date | null;
}

/** False at the maximum of open requests. */
export async function insertKeyRequest(
  database: Queryable,
  request: KeyWish & {
    id: string;
    codeSha256: string;
    askedBy: string;
    at: Date;
    expiresAt: Date;
    openMax: number;
    openOfAllMax: number;
  },
): Promise<boolean> {
  const { id, codeSha256, askedBy, name, tools, withFiles, maxTotal, maxDaily, at, expiresAt } = request;
  const { openMax, openOfAllMax } = request;
  const rows = await database.query(
    `insert into key_requests (id, code_sha256, asked_by, name, tools, max_total, max_daily, created_at, expires_at, with_files)
     select $1, $2, $3, $4, $5::text[], $6::int8, $7::int8, $8::timestamptz, $9::timestamptz, $12::boolean
     where (select count(*) from key_requests where asked_by = $3 and decided_at is null and expires_at > $8) < $10
       and (select count(*) from key_requests where decided_at is null and expires_at > $8) < $11
     returning id`,
    [
      id,
      codeSha256,
      askedBy,
      name,
      tools,
      maxTotal,
      maxDaily,
      at,
      expiresAt,
      openMax,
      openOfAllMax,
      withFiles,
    ],
  );
  return rows.length === 1;
}

export async function selectKeyRequest(database: Queryable, id: string): Promise<KeyRequestRow | undefined> {
  const [row] = await database.query<KeyRequestRow>(
    `select id, asked_by as "askedBy", name, tools, with_files as "withFiles", max_total as "maxTotal", max_daily as "maxDaily",
       created_at as "createdAt", expires_at as "expiresAt", is_granted as "isGranted", redeemed_at as "redeemedAt"
     from key_requests where id = $1`,
    [id],
  );
  return row;
}

/** Id of the oldest unused approval of a call. */
export async function selectGiven(
  database: Queryable,
  call: Omit<CallToApprove, 'shown' | 'address'> & { at: Date },
): Promise<string | undefined> {
  const { wallet, tool, paramsSha256, amount, askedBy, at } = call;
  const [row] = await database.query<{ id: string }>(
    `select id from approvals
     where wallet = $1 and tool = $2 and params_sha256 = $3 and amount = $4 and asked_by = $5
       and is_approved and hold_id is null and expires_at > $6
     order by created_at limit 1`,
    [wallet, tool, paramsSha256, amount, askedBy, at],
  );
  return row?.id;
}

/** False where it was decided before, or has expired. */
export async function decideKeyRequest(
  database: Queryable,
  decision: KeyDecision & { id: string; signature: string; scopes: Scope[]; at: Date; expiresAt: Date },
): Promise<boolean> {
  const { id, isGranted, wallet, tools, maxTotal, maxDaily, keyExpiresAt, signature, scopes, at, expiresAt } =
    decision;
  const rows = await database.query(
    `update key_requests set decided_at = $2, is_granted = $3, wallet = $4, given_tools = $5, given_total = $6,
       given_daily = $7, key_expires_at = $8, signature = $9, expires_at = $10, given_scopes = $11
     where id = $1 and decided_at is null and expires_at > $2 returning id`,
    [id, at, isGranted, wallet, tools, maxTotal, maxDaily, keyExpiresAt, signature, expiresAt, scopes],
  );
  return rows.length === 1;
}

export async function redeemKeyRequest(
  database: Queryable,
  code: { codeSha256: string; keyId: string; tokenSha256: string; at: Date; activeMax: number },
): Promise<{ outcome: string; wallet: string | null }> {
  const [row] = await database.query<{ outcome: string; wallet: string | null }>(
    'select outcome, wallet from redeem_key_request($1, $2, $3, $4, $5)',
    [code.codeSha256, code.keyId, code.tokenSha256, code.at, code.activeMax],
  );
  return row!;
}

const RULES = 'stopped_at as "stoppedAt", approval_above as "approvalAbove"';

export async function selectRules(database: Queryable, wallet: string): Promise<SpendingRules | undefined> {
  const [row] = await database.query<SpendingRules>(`select ${RULES} from spending_rules where wallet = $1`, [
    wallet,
  ]);
  return row;
}

export async function setRules(
  database: Queryable,
  change: {
    wallet: string;
    isStopped: boolean | undefined;
    approvalAbove: number | null | undefined;
    at: Date;
  },
): Promise<SpendingRules> {
  const { wallet, isStopped, approvalAbove, at } = change;
  const [row] = await database.query<SpendingRules>(
    `select ${RULES} from set_spending_rules($1, $2::boolean, $3::boolean, $4::int8, $5::timestamptz)`,
    [wallet, isStopped, approvalAbove !== undefined, approvalAbove, at],
  );
  return row!;
}

interface NewQuestion extends CallToApprove {
  readonly id: string;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly openMax: number;
  readonly openPerAddressMax: number;
}

/** The id of the request, which may be an older one; undefined at the maximum of open requests. */
export async function askApproval(database: Queryable, asked: NewQuestion): Promise<string | undefined> {
  const { id, wallet, tool, paramsSha256, amount, shown, askedBy, address, at, expiresAt } = asked;
  const { openMax, openPerAddressMax } = asked;
  const [row] = await database.query<{ id: string | null }>(
    'select ask_approval($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as id',
    [
      id,
      wallet,
      tool,
      paramsSha256,
      amount,
      shown,
      askedBy,
      address,
      at,
      expiresAt,
      openMax,
      openPerAddressMax,
    ],
  );
  return row!.id ?? undefined;
}

export interface ApprovalRow extends Omit<CallToApprove, 'address'> {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly isApproved: boolean | null;
  readonly holdId: string | null;
}

const APPROVAL = `id, wallet, tool, params_sha256 as "paramsSha256", amount, shown, asked_by as "askedBy",
  created_at as "createdAt", expires_at as "expiresAt", is_approved as "isApproved", hold_id as "holdId"`;

export async function selectApproval(database: Queryable, id: string): Promise<ApprovalRow | undefined> {
  const [row] = await database.query<ApprovalRow>(`select ${APPROVAL} from approvals where id = $1`, [id]);
  return row;
}

/** Open requests first, then the newest. */
export const selectApprovals = (
  database: Queryable,
  { wallet, at, most }: { wallet: string; at: Date; most: number },
): Promise<readonly ApprovalRow[]> =>
  database.query<ApprovalRow>(
    `select ${APPROVAL} from approvals where wallet = $1
     order by (is_approved is null and expires_at > $2) desc, created_at desc, id limit $3`,
    [wallet, at, most],
  );

/** False where it was decided before, or has expired. */
export async function decideApproval(
  database: Queryable,
  decision: { id: string; isGranted: boolean; signature: string; at: Date; expiresAt: Date },
): Promise<boolean> {
  const { id, isGranted, signature, at, expiresAt } = decision;
  const rows = await database.query(
    `update approvals set decided_at = $2, is_approved = $3, signature = $4, expires_at = $5
     where id = $1 and decided_at is null and expires_at > $2 returning id`,
    [id, at, isGranted, signature, expiresAt],
  );
  return rows.length === 1;
}

/** Returns the number of deleted rows; a deleted request cannot be used again. */
export async function sweep(database: Queryable, before: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with requests as (delete from key_requests where expires_at <= $1 returning 1),
       questions as (delete from approvals where expires_at <= $1 returning 1)
     select (select count(*) from requests) + (select count(*) from questions) as count`,
    [before],
  );
  return row!.count;
}
