import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

export const STRIPE_SECRET = 'sk_test_atelier';
export const STRIPE_WEBHOOK = 'whsec_atelier_test';

// biome-ignore lint/suspicious/noExplicitAny: an object of Stripe has any fields
type Thing = Record<string, any>;
type Reply = { status: number; body: Thing };

export interface Fault {
  /** Path of the request, such as `/capture`. */
  readonly path: RegExp;
  /**
   * lost: processed, but the response never arrives; deaf: not processed; broken: 500, stored under its key
   * as Stripe does.
   */
  readonly how: 'lost' | 'deaf' | 'broken';
  times: number;
}

export interface GrantedToken {
  readonly cents: number;
  /** asks: the bank requires confirmation by the cardholder. */
  readonly card: 'pays' | 'declined' | 'asks';
  isUsed?: boolean;
}

/**
 * A stateful Stripe: intents, checkouts, refunds and disputes with their states, idempotency keys with their
 * parameters, and network failures. The official library talks to it over HTTP. Written from Stripe's public
 * reference; unused parts are omitted and return 404.
 */
export class FakeStripe {
  readonly requests: { method: string; path: string; key: string | undefined }[] = [];
  readonly faults: Fault[] = [];
  /** Shared payment tokens granted by agents, by id. */
  readonly tokens = new Map<string, GrantedToken>();
  /** Called when a request was processed, before the response is sent. */
  onDone: (request: { method: string; path: string }) => void = () => {};
  readonly #things = new Map<string, Thing>();
  readonly #kept = new Map<string, { asked: string; reply: Reply }>();
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  url = '';

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  thing(id: string): Thing {
    const found = this.#things.get(id);
    if (!found) throw new Error(`The fake Stripe has no ${id}.`);
    return found;
  }

  /** Pays with a valid card. */
  pay(id: string): void {
    const thing = this.thing(id);
    if (thing.object === 'payment_intent') {
      this.#charge(thing);
      thing.status = 'requires_capture';
      thing.amount_capturable = thing.amount;
      return;
    }
    const { amount_total: amount, currency, hidden } = thing;
    const intent = this.#newIntent({
      amount,
      currency,
      metadata: hidden.payment_intent_data?.metadata ?? {},
    });
    this.#charge(intent);
    Object.assign(intent, { status: 'succeeded', amount_received: amount });
    Object.assign(thing, { status: 'complete', payment_status: 'paid', payment_intent: intent.id });
  }

  decline(id: string): void {
    Object.assign(this.thing(id), {
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
  }

  thingsOf(object: string): Thing[] {
    return [...this.#things.values()].filter((thing) => thing.object === object);
  }

  /** A token for the card of an agent's owner, as Stripe issues it. */
  grantToken(more: Partial<GrantedToken> = {}): string {
    const id = newId('spt');
    this.tokens.set(id, { cents: 50, card: 'pays', ...more });
    return id;
  }

  /** The intent of a checkout, or the intent itself. */
  intentOf(id: string): Thing {
    const thing = this.thing(id);
    return thing.object === 'checkout.session' ? this.thing(thing.payment_intent) : thing;
  }

  reverse(id: string, how: 'refund' | 'dispute' | 'dispute_won', cents?: number): Thing {
    const intent = this.intentOf(id);
    const charge = this.thing(intent.latest_charge);
    if (how === 'refund') {
      charge.amount_refunded = Math.min(charge.amount, charge.amount_refunded + (cents ?? charge.amount));
      charge.refunded = charge.amount_refunded === charge.amount;
      return charge;
    }
    charge.disputed = true;
    const status = how === 'dispute' ? 'needs_response' : 'won';
    const dispute = [...this.#things.values()].find(
      ({ object, payment_intent }) => object === 'dispute' && payment_intent === intent.id,
    );
    if (dispute) return Object.assign(dispute, { status });
    return this.#add('dp', { object: 'dispute', amount: charge.amount, payment_intent: intent.id, status });
  }

  /** An event as Stripe would send it now. */
  event(
    type: string,
    object: Thing,
    more: { id?: string; livemode?: boolean; secret?: string; timestamp?: number } = {},
  ): { body: string; headers: Record<string, string> } {
    const { hidden: _hidden, ...shown } = object;
    const body = JSON.stringify({
      id: more.id ?? newId('evt'),
      object: 'event',
      type,
      livemode: more.livemode ?? false,
      data: { object: shown },
    });
    return { body, headers: { 'Stripe-Signature': signature(body, more) } };
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stripe');
    const text = await textOf(request);
    const key = request.headers['idempotency-key'] as string | undefined;
    const method = request.method ?? 'GET';
    this.requests.push({ method, path: url.pathname, key });
    const fault = this.faults.find(({ path, times }) => times > 0 && path.test(`${method} ${url.pathname}`));
    if (fault) fault.times -= 1;
    if (fault?.how === 'deaf') return void request.socket.destroy();
    const asked = `${method} ${url.pathname} ${text}`;
    const { status, body } =
      request.headers.authorization === `Bearer ${STRIPE_SECRET}`
        ? this.#once(key, asked, () =>
            fault?.how === 'broken'
              ? failed(500, 'api_error', 'server_error', 'Something broke.')
              : this.#answer(method, url, nested(text)),
          )
        : failed(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API key.');
    this.onDone({ method, path: url.pathname });
    if (fault?.how === 'lost') return void request.socket.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': newId('req') });
    response.end(JSON.stringify(body));
  }

  #once(key: string | undefined, asked: string, work: () => Reply): Reply {
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept && kept.asked !== asked) {
      return failed(
        400,
        'idempotency_error',
        'idempotency_key_in_use',
        'The key came with other parameters.',
      );
    }
    const reply = kept?.reply ?? structuredClone(work());
    if (key !== undefined) this.#kept.set(key, { asked, reply });
    return reply;
  }

  #answer(method: string, { pathname, searchParams }: URL, sent: Thing): Reply {
    const [, , noun, id, verb] = pathname.split('/');
    const route = `${method} ${noun}`;
    if (pathname === '/v1/checkout/sessions') return this.#createSession(sent);
    if (pathname.startsWith('/v1/checkout/sessions/')) return this.#show(pathname.split('/')[4]!);
    if (route === 'POST payment_intents' && id === undefined) return this.#createIntent(sent);
    if (pathname === '/v1/payment_intents/search') return this.#search(searchParams.get('query') ?? '');
    if (route === 'POST refunds') return this.#refund(sent);
    if (route === 'GET disputes') {
      const wanted = searchParams.get('payment_intent');
      const data = [...this.#things.values()].filter(
        ({ object, payment_intent }) => object === 'dispute' && payment_intent === wanted,
      );
      return { status: 200, body: { object: 'list', has_more: false, data } };
    }
    if (noun !== 'payment_intents' || id === undefined) return missing(pathname);
    const intent = this.#things.get(id);
    if (intent?.object !== 'payment_intent') return missing(id);
    if (verb === 'capture') return this.#capture(intent);
    if (verb === 'cancel') return this.#cancel(intent);
    const expands = [...searchParams.values()].includes('latest_charge');
    const charge = expands && intent.latest_charge ? this.thing(intent.latest_charge) : intent.latest_charge;
    return { status: 200, body: { ...intent, latest_charge: charge } };
  }

  #createIntent(sent: Thing): Reply {
    const amount = Number(sent.amount);
    if (!Number.isInteger(amount) || amount < 50 || amount > 99_999_999) {
      return failed(400, 'invalid_request_error', 'amount_too_small', 'The amount is not allowed.');
    }
    const token = sent.shared_payment_granted_token;
    const refused = token === undefined ? undefined : this.#useToken(token, amount);
    const intent = this.#newIntent({
      amount,
      currency: sent.currency,
      metadata: sent.metadata ?? {},
      capture_method: sent.capture_method,
    });
    if (refused) return refused;
    if (token !== undefined && sent.confirm === 'true') this.#confirm(intent, this.tokens.get(token)!);
    return { status: 200, body: intent };
  }

  /** A token pays once, up to the granted amount. */
  #useToken(token: string, amount: number): Reply | undefined {
    const granted = this.tokens.get(token);
    if (!granted || granted.isUsed || amount > granted.cents) {
      const why = granted?.isUsed ? 'has been used' : granted ? 'is for less' : 'does not exist';
      return failed(400, 'invalid_request_error', 'shared_payment_token', `The token ${token} ${why}.`);
    }
    granted.isUsed = true;
    return granted.card === 'declined'
      ? failed(402, 'card_error', 'card_declined', 'Your card was declined.')
      : undefined;
  }

  #confirm(intent: Thing, { card }: GrantedToken): void {
    if (card === 'asks') return void Object.assign(intent, { status: 'requires_action' });
    this.pay(intent.id);
  }

  #search(query: string): Reply {
    const [, name, value] = /^metadata\['(\w+)'\]:'([\w-]+)'$/.exec(query) ?? [];
    const data = [...this.#things.values()].filter(
      ({ object, metadata }) => object === 'payment_intent' && metadata?.[name!] === value,
    );
    return { status: 200, body: { object: 'search_result', has_more: false, data } };
  }

  #newIntent(more: Thing): Thing {
    const id = newId('pi');
    return this.#add('pi', {
      id,
      object: 'payment_intent',
      status: 'requires_payment_method',
      client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
      amount_received: 0,
      latest_charge: null,
      ...more,
    });
  }

  #charge(intent: Thing): void {
    const { amount, id } = intent;
    const charge = this.#add('ch', {
      object: 'charge',
      amount,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      payment_intent: id,
    });
    intent.latest_charge = charge.id;
  }

  #capture(intent: Thing): Reply {
    if (intent.declineCapture) {
      intent.status = 'requires_payment_method';
      return failed(402, 'card_error', 'card_declined', 'Your card was declined.');
    }
    if (intent.status !== 'requires_capture') return unexpectedState(intent);
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount });
    return { status: 200, body: intent };
  }

  #cancel(intent: Thing): Reply {
    if (intent.status === 'succeeded' || intent.status === 'canceled') return unexpectedState(intent);
    intent.status = 'canceled';
    return { status: 200, body: intent };
  }

  #refund({ payment_intent: id }: Thing): Reply {
    const charge = this.thing(this.thing(id).latest_charge);
    if (charge.refunded) {
      return failed(400, 'invalid_request_error', 'charge_already_refunded', 'Already refunded.');
    }
    this.reverse(id, 'refund');
    return { status: 200, body: { id: newId('re'), object: 'refund', payment_intent: id } };
  }

  #createSession(sent: Thing): Reply {
    const seconds = Number(sent.expires_at) - Date.now() / 1000;
    if (seconds < 30 * 60 || seconds > 24 * 3600) {
      return failed(
        400,
        'invalid_request_error',
        'parameter_invalid',
        'expires_at must be 30 minutes to 24 hours from now.',
      );
    }
    const [{ price_data: price, quantity }] = sent.line_items;
    const id = newId('cs_test');
    const session = this.#add('cs', {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.test/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: Number(price.unit_amount) * Number(quantity),
      currency: price.currency,
      metadata: sent.metadata,
      expires_at: Number(sent.expires_at),
      hidden: { payment_intent_data: sent.payment_intent_data, success_url: sent.success_url },
    });
    return this.#show(session.id);
  }

  #show(id: string): Reply {
    const thing = this.#things.get(id);
    if (!thing) return missing(id);
    const { hidden: _hidden, ...body } = thing;
    return { status: 200, body };
  }

  #add(prefix: string, fields: Thing): Thing {
    const thing = { id: newId(prefix), livemode: false, ...fields };
    this.#things.set(thing.id, thing);
    return thing;
  }
}

const signer = new Stripe(STRIPE_SECRET);

/** The signature header of Stripe for this body. */
export const signature = (body: string, more: { secret?: string; timestamp?: number } = {}): string =>
  signer.webhooks.generateTestHeaderString({
    payload: body,
    secret: more.secret ?? STRIPE_WEBHOOK,
    ...(more.timestamp !== undefined && { timestamp: more.timestamp }),
  } as Parameters<typeof signer.webhooks.generateTestHeaderString>[0]);

const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

const failed = (status: number, type: string, code: string, message: string): Reply => ({
  status,
  body: { error: { type, code, message } },
});

const missing = (what: string): Reply =>
  failed(404, 'invalid_request_error', 'resource_missing', `No such object: ${what}`);

const unexpectedState = ({ status }: Thing): Reply =>
  failed(400, 'invalid_request_error', 'payment_intent_unexpected_state', `Its status is ${status}.`);

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** `a[b][0]=c`, as sent by the library → {a: {b: {0: 'c'}}}. */
function nested(text: string): Thing {
  const root: Thing = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/[[\]]+/).filter(Boolean);
    let at = root;
    for (const key of keys.slice(0, -1)) {
      at[key] ??= {};
      at = at[key];
    }
    at[keys.at(-1)!] = value;
  }
  if (root.line_items) root.line_items = Object.values(root.line_items);
  return root;
}
