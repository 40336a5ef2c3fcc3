import type { Config } from '../../config/config.ts';
import type { Database, Queryable } from '../../core/database/types.ts';
import { parseBoundedJson } from '../../core/json/parse_bounded_json.ts';
import { fetchPublic } from '../../core/outbound_http/fetch_public.ts';
import { ANY_NETWORK, type Reach, resolveBySystem } from '../../core/outbound_http/reach.ts';
import { endJob } from '../../core/queue/end_job.ts';
import { revokeKey } from '../billing/receipts/revoke_key.ts';
import { createCommunity } from '../community/community.ts';
import { openModels } from '../models/open.ts';
import { endFetch } from '../models/setup/fetch_store.ts';
import { requireFetchable } from '../models/setup/require_fetchable.ts';
import { deleteStore } from '../provenance/stored_manifests/store.ts';
import { endKey } from '../wallets/ownership/end_key.ts';
import { createWallets } from '../wallets/wallets.ts';
import { deleteEndpoint } from '../webhooks/store.ts';
import { PROVIDER_BYTES_MAX, PROVIDER_TIMEOUT_MS } from './limits.ts';
import { createOperator } from './operator.ts';
import { createOperators } from './operators.ts';
import { openData } from './storage/open_data.ts';
import { revokeToken } from './token_store.ts';
import type { BrowserSignIn, OperatorIdentity } from './types.ts';

/** The operator's hand, and who may use it. */
export function openHand(config: Config, database: Database) {
  const clock = () => new Date();
  const wallets = createWallets(database);
  const release = async (tx: Queryable, id: string) => void (await wallets.release({ id }, tx));
  const within = (tx: Queryable): Pick<Database, 'transaction'> => ({ transaction: (work) => work(tx) });
  const key = (tx: Queryable, id: string) => endKey({ database: tx, clock }, id);
  const models = openModels(config);
  const provider = openProvider(config);
  return {
    operator: createOperator({
      ...{ database, wallets, clock },
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

/** The hand in the data folder the settings name; also while a server runs. */
export async function openOperator(config: Config) {
  const database = await openData(config, { mayJoin: true });
  return { ...openHand(config, database), close: () => database.close() };
}

export type OpenedOperator = Awaited<ReturnType<typeof openOperator>>;

/** The identity provider of operators, and whom its tokens are made for. @throws Error saying which setting is missing */
export function providerSettings(config: Config) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = config;
  const audience = config.OIDC_AUDIENCE ?? clientId;
  if (issuer === undefined) return undefined;
  if (audience === undefined)
    throw new Error(
      'OIDC_ISSUER needs OIDC_AUDIENCE (whom the tokens of operators are made for) or OIDC_CLIENT_ID.',
    );
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
        ...{ ...known, documents, clientId: clientId ?? '', scope: config.OIDC_SCOPE },
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

/** JSON of an address, asked for by GET, or with a form by POST. */
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
      ...{ field: 'OIDC_ISSUER', maxBytes: PROVIDER_BYTES_MAX, timeoutMs: PROVIDER_TIMEOUT_MS },
      ...{ redirectsMax: 0, signal: new AbortController().signal, ...sent },
    });
    return parseBoundedJson(bytes);
  };

/** The operator names it, so it may be in his own network; over https all the same. */
const OWN_PROVIDER: Reach = {
  schemes: ['https:'],
  allows: () => true,
  resolve: resolveBySystem,
};
