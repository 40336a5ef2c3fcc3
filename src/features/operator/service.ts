import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import type { Database, Queryable } from '../../core/database/types.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import { fetchPublic } from '../../core/outbound_http/fetch_public.ts';
import { ANY_NETWORK, type Reach, resolveBySystem } from '../../core/outbound_http/reach.ts';
import { endJob } from '../../core/queue/end_job.ts';
import { runHere } from '../../core/workers/run_here.ts';
import { createInvoices } from '../billing/invoices/invoices.ts';
import type { Seller } from '../billing/invoices/types.ts';
import { revokeKey } from '../billing/receipts/receipts.ts';
import type { RevocationReason } from '../billing/receipts/types.ts';
import { createCommunity } from '../community/community.ts';
import type { Community } from '../community/types.ts';
import { openModels } from '../models/service.ts';
import { endFetch, insertFetch, selectFetches } from '../models/setup/fetch_store.ts';
import { requireFetchable } from '../models/setup/require_fetchable.ts';
import { deleteStore } from '../provenance/stored_manifests/store.ts';
import { endKey } from '../wallets/ownership/keys.ts';
import type { Wallets } from '../wallets/types.ts';
import { createWallets } from '../wallets/wallets.ts';
import { deleteEndpoint } from '../webhooks/store.ts';
import { createDeadLetters } from './dead_letters/dead_letters.ts';
import { PROVIDER_BYTES_MAX, PROVIDER_TIMEOUT_MS, SEEN_MAX, SIGNED_IN_MS } from './limits.ts';
import { operatorRequired } from './operator_required.ts';
import { RULES_MAX, TIERS_SHOWN_MAX } from './prices/limits.ts';
import * as prices from './prices/store.ts';
import { createSales } from './sales/sales.ts';
import { openData } from './storage/open_data.ts';
import * as store from './store.ts';
import {
  insertAdminAction,
  insertToken,
  revokeToken,
  selectSystemStatus,
  selectToken,
  selectTokens,
} from './store.ts';
import type {
  AdminAction,
  Attribution,
  BrowserSignIn,
  Grant,
  Moved,
  NewToken,
  Operator,
  OperatorIdentity,
  Operators,
  OperatorToken,
  Refund,
  RevokedKind,
} from './types.ts';

/** Applies an action to an id, in the transaction that records it. False where the id is unknown. */
type ById = (tx: Queryable, id: string) => Promise<boolean>;

interface OperatorDeps {
  readonly database: Database;
  readonly community: Pick<Community, 'hide' | 'unhide'>;
  readonly wallets: Pick<Wallets, 'find' | 'history'>;
  /** Actions to end or revoke something, by id prefix. */
  readonly endings: Readonly<Record<string, ById>>;
  readonly keys: Readonly<Record<string, readonly [RevokedKind, ById]>>;
  readonly revokeSigner: (tx: Queryable, kid: string, reason: RevocationReason) => Promise<boolean>;
  /** @throws AtelierError invalid_input for an unknown name, or one that is installed */
  readonly requireFetchable: (name: string) => Promise<void>;
  readonly seller?: Seller;
  readonly clock?: () => Date;
}

export function createOperator(parts: OperatorDeps): Operator {
  const { database, community, endings, clock = () => new Date() } = parts;

  /** Records the action only if it happened. */
  async function done<T>(
    { who, why }: Attribution,
    [act, about]: readonly [AdminAction['act'], string],
    work: (tx: Queryable, at: Date) => Promise<T>,
    { hasHappened = Boolean, what = () => '' }: RecordOptions<T> = {},
  ): Promise<T> {
    const at = clock();
    return database.transaction(async (tx) => {
      const outcome = await work(tx, at);
      if (hasHappened(outcome))
        await store.insertAdminAction(tx, { at, who, act, about, why: `${what(outcome)}${why}` });
      return outcome;
    });
  }
  return {
    grant: (by, grant) => done(by, ['grant', grant.wallet], (tx, at) => grantCredits(tx, grant, at), MONEY),
    refund: (by, refund) => done(by, ['refund', refund.call], (tx, at) => refundCall(tx, refund, at), MONEY),
    block: (by, wallet) =>
      done(by, ['block', wallet], (tx, at) => store.insertBlock(tx, { wallet, at, ...by })),
    unblock: (by, wallet) => done(by, ['unblock', wallet], (tx) => store.deleteBlock(tx, wallet)),
    ...deskActions(database, done),
    sales: createSales(database, parts.seller ?? {}),
    deadLetters: createDeadLetters({ database, clock, record: done }),
    hide: (by, id) => done(by, ['hide', id], (tx) => community.hide(id, tx)),
    unhide: (by, id) => done(by, ['unhide', id], (tx) => community.unhide(id, tx)),
    async end(by, id) {
      const end = ofKind(endings, id);
      return end ? done(by, ['end', id], (tx) => end(tx, id)) : false;
    },
    async revoke(by, key, reason) {
      const [kind, revoke] = ofKind(parts.keys, key) ?? [
        'signing key' as const,
        (tx: Queryable) => parts.revokeSigner(tx, key, reason),
      ];
      const what = () => `${reason}: `;
      return (await done(by, ['revoke', key], (tx) => revoke(tx, key), { what })) ? kind : undefined;
    },
    async fetch(by, name) {
      await parts.requireFetchable(name);
      const begin = (tx: Queryable, at: Date) => insertFetch(tx, { name, at, who: by.who });
      if (!(await done(by, ['fetch', name], begin))) throw fetchingAnother();
    },
    fetches: () => selectFetches(database),
    acts: (page) => store.selectAdminActions(database, page),
    async wallet(wallet) {
      const [account, recent, around] = await Promise.all([
        parts.wallets.find(wallet),
        parts.wallets.history(wallet, SEEN_MAX),
        store.selectSurroundings(database, { wallet, limit: SEEN_MAX }),
      ]);
      return { ...(account && { account }), recent, ...around };
    },
    world: () => selectSystemStatus(database),
    entries: (limit) => store.selectEntries(database, limit),
  };
}

type Done = <T>(
  by: Attribution,
  act: readonly [AdminAction['act'], string],
  work: (tx: Queryable, at: Date) => Promise<T>,
  telling?: RecordOptions<T>,
) => Promise<T>;

/** Price rules, tiers and weights. */
function deskActions(
  database: Database,
  done: Done,
): Pick<Operator, 'setRule' | 'endRule' | 'setTier' | 'setWeight' | 'terms'> {
  return {
    async setRule(by, rule) {
      const set = async (tx: Queryable, at: Date) => {
        await prices.insertRule(tx, rule, at);
        if ((await prices.countRules(tx)) > RULES_MAX) throw tooManyRules();
        return true;
      };
      await done(by, ['price', rule.name], set, { what: () => `${rule.percent} %: ` });
    },
    endRule: (by, name) => done(by, ['end_price', name], (tx, at) => prices.removeRule(tx, name, at)),
    setTier: (by, { wallet, tier }) =>
      done(by, ['tier', wallet], (tx, at) => prices.setTier(tx, { wallet, tier, at }), {
        what: () => `${tier ?? 'none'}: `,
      }),
    setWeight(by, { who, weight }) {
      const set = async (tx: Queryable, at: Date) => {
        if (weight > 1 && who.startsWith(KEY) && !(await prices.hasKey(tx, who, at))) throw noSuchKey(who);
        return prices.setWeight(tx, who, weight);
      };
      return done(by, ['weight', who], set, { what: () => `${weight}: ` });
    },
    async terms() {
      const [tiers, weights] = await Promise.all([
        prices.selectTiers(database, TIERS_SHOWN_MAX),
        prices.selectWeights(database),
      ]);
      return { tiers, weights };
    },
  };
}

/** Prefix of key ids, which tier names cannot have. */
const KEY = 'key_';

const noSuchKey = (id: string) =>
  invalidField(
    'who',
    `No active key has the id ${id}. Owners see the ids with GET /api/wallet/keys, operators with atelier admin show.`,
  );

const tooManyRules = () =>
  invalidField(
    'name',
    `The limit of ${RULES_MAX} price rules is reached. End one, or replace one by its name.`,
  );

const fetchingAnother = () =>
  invalidField(
    'name',
    'Another download is running. Wait until it ends, or end it by its name in the list of downloads.',
  );

/** How an outcome is recorded. */
interface RecordOptions<T> {
  /** Default: the outcome is true. */
  hasHappened?(outcome: T): boolean;
  /** Prefix of the reason. */
  what?(outcome: T): string;
}

const MONEY: RecordOptions<Moved> = {
  hasHappened: ({ isRepeat }) => !isRepeat,
  what: ({ amount }) => `${amount / MILLICREDITS_PER_CREDIT} credits: `,
};

/** The entry for the prefix of an id, up to its first underscore. */
function ofKind<T>(kinds: Readonly<Record<string, T>>, id: string): T | undefined {
  const [, kind = ''] = /^([a-z]+)_/.exec(id) ?? [];
  return Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}

/** Transfers credits to a wallet from the adjustment account. @throws AtelierError not_found, invalid_input */
async function grantCredits(
  tx: Queryable,
  { wallet, amount, reference = randomUUID() }: Grant,
  at: Date,
): Promise<Moved> {
  const id = `grant:${reference}`;
  const balance = await balanceOf(tx, wallet);
  const credit = `wallet:${wallet}`;
  const transfer = { id, at, debit: 'adjustment:manual', credit, amount, code: 'adjustment' } as const;
  const first = await store.insertTransfer(tx, transfer);
  if (first && (first.credit !== credit || first.amount !== amount))
    throw invalidField(
      'reference',
      `The reference ${reference} was used for another wallet or amount. Send a new reference for a new grant.`,
    );
  return { id, wallet, amount, balance: balance + (first ? 0 : amount), isRepeat: first !== undefined };
}

/**
 * Refunds the cost of a call from the income of its tool to the paying wallet. The id of the refund is derived from the call, so a
 * call is refunded once at most. @throws AtelierError not_found, invalid_input
 */
async function refundCall(tx: Queryable, { call, amount }: Refund, at: Date): Promise<Moved> {
  const charge = await store.selectCharge(tx, call);
  if (!charge)
    throw new AtelierError(
      'not_found',
      'No wallet has paid for a call with that id. Find call ids (post:call_…) in the statement of the wallet, or use a receipt id (rcpt_…).',
    );
  const { wallet, income, tool } = charge;
  const cost = charge.amount - charge.creditBack;
  if (amount !== undefined && amount > cost)
    throw invalidField(
      'credits',
      `The call cost ${cost / MILLICREDITS_PER_CREDIT} credits, minus credit-back. Refund at most that amount.`,
    );
  const id = `refund:${charge.id.replace('post:', '')}`;
  const balance = await balanceOf(tx, wallet);
  const given = amount ?? cost;
  const transfer = { id, at, debit: income, credit: `wallet:${wallet}`, amount: given, tool } as const;
  const first = await store.insertTransfer(tx, { ...transfer, code: 'refund' });
  if (first) return { id, wallet, amount: first.amount, balance, isRepeat: true };
  return { id, wallet, amount: given, balance: balance + given, isRepeat: false };
}

async function balanceOf(tx: Queryable, wallet: string): Promise<number> {
  const balance = await store.lockWallet(tx, wallet);
  if (balance !== undefined) return balance;
  throw new AtelierError('not_found', `The wallet ${wallet} is not registered on this server.`);
}

interface OperatorsDeps {
  readonly database: Database;
  /**
   * Verifies tokens of the identity provider; absent: none is configured. @throws AtelierError operator_required, upstream_failed
   */
  identifyByProvider?(token: string): Promise<OperatorIdentity>;
  /** Browser sign-in; absent: not configured. `by` names the provider. */
  readonly browser?: BrowserSignIn & { readonly by: string };
  readonly clock?: () => Date;
}

/** Prefix of operators of an identity provider; names of local tokens have no space. */
const OIDC = 'oidc ';

const OWN_TOKEN = /^atl_op_[A-Za-z0-9_-]{43}$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Operators with local tokens, stored as sha256, and with tokens of an identity provider. */
export function createOperators(parts: OperatorsDeps): Operators {
  const { database, identifyByProvider, browser, clock = () => new Date() } = parts;

  async function createToken({ who, why }: Attribution, wanted: NewToken, act: 'token' | 'sign_in') {
    const token = `atl_op_${randomBytes(32).toString('base64url')}`;
    const id = `opk_${randomBytes(8).toString('hex')}`;
    const at = clock();
    const made: OperatorToken = { id, ...wanted, createdAt: at, createdBy: who, revokedAt: null };
    await database.transaction(async (tx) => {
      await insertToken(tx, made, sha256Of(token));
      const may = `${wanted.name} may ${wanted.scopes.join(', ')}: `;
      await insertAdminAction(tx, { at, who, act, about: id, why: `${may}${why}` });
    });
    return { token, made };
  }
  return {
    async identify(bearer) {
      if (identifyByProvider && JWT.test(bearer)) return identifyByProvider(bearer);
      if (!OWN_TOKEN.test(bearer)) throw operatorRequired('It is not an operator token.');
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
          await insertAdminAction(tx, {
            at,
            who: token.name,
            act: 'sign_out',
            about: token.id,
            why: 'on Operate',
          });
      });
      return true;
    },
    createToken: (by, wanted) => createToken(by, wanted, 'token'),
    tokens: (limit) => selectTokens(database, limit),
  };
}

const sha256Of = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Admin actions, and their authorisation. */
export function createAdminActions(config: Config, database: Database) {
  const clock = () => new Date();
  const wallets = createWallets(database);
  const release = async (tx: Queryable, id: string) => void (await wallets.release({ id }, tx));
  const within = (tx: Queryable): Pick<Database, 'transaction'> => ({ transaction: (work) => work(tx) });
  const key = (tx: Queryable, id: string) => endKey({ database: tx, clock }, id);
  const models = openModels(config);
  const provider = openProvider(config);
  const seller: Seller = {
    name: config.SELLER_NAME,
    address: config.SELLER_ADDRESS,
    taxId: config.SELLER_TAX_ID,
    taxPercent: config.SELLER_TAX_PERCENT,
  };
  return {
    invoices: createInvoices({ database, seller, clock }),
    operator: createOperator({
      database,
      wallets,
      clock,
      seller,
      community: createCommunity(database),
      endings: {
        job: (tx, id) => endJob({ database: within(tx), release, clock }, id),
        fetch: (tx, id) => endFetch(tx, id.replace('fetch_', ''), clock()),
        key,
        manifest: (tx, id) => deleteStore(tx, id.replace('manifest_', '')),
        whe: (tx, id) => deleteEndpoint(tx, id),
      },
      keys: {
        key: ['wallet key', key],
        opk: ['operator key', (tx, id) => revokeToken(tx, id, clock())],
      },
      requireFetchable: (name) => requireFetchable(database, models, name),
      revokeSigner: (tx, kid, reason) => revokeKey({ database: tx, clock }, kid, reason),
    }),
    operators: createOperators({ database, clock, ...provider }),
  };
}

/** Admin actions on the configured data folder, also while a server runs. */
export async function openOperator(config: Config) {
  const database = await openData(config, { mayJoin: true });
  return { ...createAdminActions(config, database), pixels: { run: runHere }, close: () => database.close() };
}

export type OpenedOperator = Awaited<ReturnType<typeof openOperator>>;

/** The identity provider of operators, and its audience. @throws Error naming a missing setting */
export function providerSettings(config: Config) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  const audience = config.OIDC_AUDIENCE ?? clientId;
  if (issuer === undefined) return undefined;
  if (audience === undefined)
    throw new Error('OIDC_ISSUER needs OIDC_AUDIENCE (the audience of operator tokens) or OIDC_CLIENT_ID.');
  if (new URL(issuer).protocol === 'http:' && !config.ALLOW_PRIVATE_FETCH)
    throw new Error('OIDC_ISSUER must start with https://; http is for tests, with ALLOW_PRIVATE_FETCH.');
  return { issuer, audience, clientId };
}

function openProvider(config: Config) {
  const settings = providerSettings(config);
  if (settings === undefined) return undefined;
  const { issuer, audience, clientId } = settings;
  const { OIDC_CLAIM: claim, OIDC_OPERATORS: operators, OIDC_READERS: readers } = config;
  const json = jsonAt(config.ALLOW_PRIVATE_FETCH ? ANY_NETWORK : OWN_PROVIDER);
  const load = async () => {
    const [{ createProvider }, { createBrowserSignIn }, { keepDocuments }] = await Promise.all([
      import('./identity_provider.ts'),
      import('./browser_sign_in.ts'),
      import('./provider_documents.ts'),
    ]);
    const known = { issuer, claim, operators, readers };
    const documents = keepDocuments({ issuer, fetchJson: json });
    return {
      identify: createProvider({ ...known, audience, fetchJson: json }, documents),
      browser: createBrowserSignIn({
        ...known,
        documents,
        clientId: clientId ?? '',
        scope: config.OIDC_SCOPE,
        clientSecret: config.OIDC_CLIENT_SECRET,
        postForm: (url, form, headers) => json(url, form, headers),
      }),
    };
  };
  let loading: ReturnType<typeof load> | undefined;
  const provider = () => {
    loading ??= load();
    return loading;
  };
  return {
    identifyByProvider: async (token: string): Promise<OperatorIdentity> =>
      (await provider()).identify(token),
    ...(clientId !== undefined && {
      browser: {
        by: issuer,
        begin: async (redirectUri: string) => (await provider()).browser.begin(redirectUri),
        endAddress: async (returnTo: string) => (await provider()).browser.endAddress(returnTo),
        identify: async (returned: Parameters<BrowserSignIn['identify']>[0]) =>
          (await provider()).browser.identify(returned),
      },
    }),
  };
}

/** Fetches JSON by GET, or by POST with a form. */
const jsonAt =
  (reach: Reach) =>
  async (url: string, form?: URLSearchParams, headers: Record<string, string> = {}): Promise<unknown> => {
    const sent = form && {
      body: form.toString(),
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
    };
    const { bytes } = await fetchPublic(reach, url, {
      field: 'OIDC_ISSUER',
      maxBytes: PROVIDER_BYTES_MAX,
      timeoutMs: PROVIDER_TIMEOUT_MS,
      redirectsMax: 0,
      signal: new AbortController().signal,
      ...sent,
    });
    return parseBoundedJson(bytes);
  };

/** The operator configures it, so it may be in a private network; https is required all the same. */
const OWN_PROVIDER: Reach = {
  schemes: ['https:'],
  allows: () => true,
  resolve: resolveBySystem,
};
