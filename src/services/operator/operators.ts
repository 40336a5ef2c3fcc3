import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../database/contract.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import type { OperatorIdentity, Operators, OperatorToken } from './contract.ts';
import { insertAct } from './store.ts';
import { insertToken, selectToken, selectTokens } from './token_store.ts';

interface Parts {
  readonly database: Database;
  /** Judges tokens of an identity provider; absent: there is none. @throws AtelierError operator_required, upstream_failed */
  identifyByProvider?(token: string): Promise<OperatorIdentity>;
  readonly clock?: () => Date;
}

const OWN_TOKEN = /^atl_op_[A-Za-z0-9_-]{43}$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Operators by tokens made here, of which only the sha256 is kept, and by those of an identity provider. */
export function createOperators(parts: Parts): Operators {
  const { database, identifyByProvider, clock = () => new Date() } = parts;
  return {
    async identify(bearer) {
      if (identifyByProvider && JWT.test(bearer)) return identifyByProvider(bearer);
      if (!OWN_TOKEN.test(bearer)) throw operatorRequired('It is no token of an operator.');
      const token = await selectToken(database, sha256Of(bearer));
      if (!token) throw operatorRequired('The token is unknown.');
      if (token.revokedAt) throw operatorRequired('The token was revoked.');
      if (token.expiresAt <= clock()) throw operatorRequired('The token has expired.');
      return { who: `token ${token.name}`, scopes: token.scopes };
    },
    async createToken({ who, why }, wanted) {
      const token = `atl_op_${randomBytes(32).toString('base64url')}`;
      const id = `opk_${randomBytes(8).toString('hex')}`;
      const at = clock();
      const made: OperatorToken = { id, ...wanted, createdAt: at, createdBy: who, revokedAt: null };
      await database.transaction(async (tx) => {
        await insertToken(tx, made, sha256Of(token));
        const may = `${wanted.name} may ${wanted.scopes.join(', ')}: `;
        await insertAct(tx, { at, who, act: 'token', about: id, why: `${may}${why}` });
      });
      return { token, made };
    },
    tokens: (limit) => selectTokens(database, limit),
  };
}

export const operatorRequired = (what: string): AtelierError =>
  new AtelierError('operator_required', `${what} Only an operator of this server may do this.`);

const sha256Of = (token: string): string => createHash('sha256').update(token).digest('hex');
