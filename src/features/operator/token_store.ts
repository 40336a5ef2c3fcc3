import type { Queryable } from '../../core/database/types.ts';
import type { OperatorToken } from './types.ts';

/** Tokens are passed as their sha256. */

const COLUMNS = `id, name, scopes, created_at as "createdAt", created_by as "createdBy",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function insertToken(
  tx: Queryable,
  { id, name, scopes, createdAt, createdBy, expiresAt }: OperatorToken,
  tokenSha256: string,
): Promise<void> {
  await tx.query(
    `insert into operator_tokens (id, token_sha256, name, scopes, created_at, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, tokenSha256, name, scopes, createdAt, createdBy, expiresAt],
  );
}

/** A token has 256 random bits, so the timing of the hash lookup reveals nothing useful. */
export async function selectToken(
  database: Queryable,
  tokenSha256: string,
): Promise<OperatorToken | undefined> {
  const [row] = await database.query<OperatorToken>(
    `select ${COLUMNS} from operator_tokens where token_sha256 = $1`,
    [tokenSha256],
  );
  return row;
}

/** Newest first. */
export const selectTokens = (database: Queryable, limit: number): Promise<OperatorToken[]> =>
  database.query<OperatorToken>(
    `select ${COLUMNS} from operator_tokens order by created_at desc, id limit $1`,
    [limit],
  );

/** False where the id is unknown, or the token no longer valid. */
export async function revokeToken(tx: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'update operator_tokens set revoked_at = $2 where id = $1 and revoked_at is null returning id',
    [id, at],
  );
  return rows.length > 0;
}
