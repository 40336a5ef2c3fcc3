import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../core/database/types.ts';
import { SIGNED_IN_MS } from './limits.ts';
import { operatorRequired } from './operator_required.ts';
import { insertAct } from './store.ts';
import { insertToken, revokeToken, selectToken, selectTokens } from './token_store.ts';
import type { BrowserSignIn, By, NewToken, OperatorIdentity, Operators, OperatorToken } from './types.ts';

interface Parts {
  readonly database: Database;
  /** Judges tokens of an identity provider; absent: there is none. @throws AtelierError operator_required, upstream_failed */
  identifyByProvider?(token: string): Promise<OperatorIdentity>;
  /** Sign-in in a browser; absent: there is none. `by` names the provider. */
  readonly browser?: BrowserSignIn & { readonly by: string };
  readonly clock?: () => Date;
}

/** Begins the names of those an identity provider knows; names of tokens made by hand have no space. */
const OIDC = 'oidc ';

const OWN_TOKEN = /^atl_op_[A-Za-z0-9_-]{43}$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Operators by tokens made here, of which only the sha256 is kept, and by those of an identity provider. */
export function createOperators(parts: Parts): Operators {
  const { database, identifyByProvider, browser, clock = () => new Date() } = parts;

  async function createToken({ who, why }: By, wanted: NewToken, act: 'token' | 'sign_in') {
    const token = `atl_op_${randomBytes(32).toString('base64url')}`;
    const id = `opk_${randomBytes(8).toString('hex')}`;
    const at = clock();
    const made: OperatorToken = { id, ...wanted, createdAt: at, createdBy: who, revokedAt: null };
    await database.transaction(async (tx) => {
      await insertToken(tx, made, sha256Of(token));
      const may = `${wanted.name} may ${wanted.scopes.join(', ')}: `;
      await insertAct(tx, { at, who, act, about: id, why: `${may}${why}` });
    });
    return { token, made };
  }
  return {
    async identify(bearer) {
      if (identifyByProvider && JWT.test(bearer)) return identifyByProvider(bearer);
      if (!OWN_TOKEN.test(bearer)) throw operatorRequired('It is no token of an operator.');
      const token = await selectToken(database, sha256Of(bearer));
      if (!token) throw operatorRequired('The token is unknown.');
      if (token.revokedAt) throw operatorRequired('The token was revoked.');
      if (token.expiresAt <= clock()) throw operatorRequired('The token has expired.');
      return { who: token.name.startsWith(OIDC) ? token.name : `token ${token.name}`, scopes: token.scopes };
    },
    ...(browser && {
      signIn: {
        begin: browser.begin,
        endAddress: browser.endAddress,
        async finish(returned) {
          const { who, scopes } = await browser.identify(returned);
          const expiresAt = new Date(clock().getTime() + SIGNED_IN_MS);
          return createToken({ who, why: `with ${browser.by}` }, { name: who, scopes, expiresAt }, 'sign_in');
        },
      },
    }),
    async signOut(bearer) {
      const token = OWN_TOKEN.test(bearer) ? await selectToken(database, sha256Of(bearer)) : undefined;
      if (!token?.name.startsWith(OIDC)) return false;
      const at = clock();
      await database.transaction(async (tx) => {
        if (await revokeToken(tx, token.id, at))
          await insertAct(tx, { at, who: token.name, act: 'sign_out', about: token.id, why: 'on Operate' });
      });
      return true;
    },
    createToken: (by, wanted) => createToken(by, wanted, 'token'),
    tokens: (limit) => selectTokens(database, limit),
  };
}

const sha256Of = (token: string): string => createHash('sha256').update(token).digest('hex');
