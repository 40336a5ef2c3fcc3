import { encodeAbiParameters, type Hex, keccak256, toHex, verifyTypedData } from 'viem';

/**
 * The escrow of x402's auth-capture and a facilitator that operates it, in memory. Written from the
 * specification of the scheme (EVM, v1.1) with viem only, so that the encodings of the service are verified
 * independently. No public facilitator of the scheme was available.
 */
export interface FakeEscrow {
  /** Payments by their id in the escrow. */
  readonly payments: Map<string, { capturable: bigint; refundable: bigint; payer: string; value: bigint }>;
  /** Operations so far, in order. */
  readonly acts: string[];
  /** Reason why a payment is refused, or undefined. */
  verify(body: Wire): Promise<string | undefined>;
  settle(body: Wire): Promise<{ reason?: string; transaction?: string }>;
}

// biome-ignore lint/suspicious/noExplicitAny: a message of the wire format, read by name
type Wire = any;

export const OPERATOR = '0x00000000000000000000000000000000000face1';
const ESCROW = '0xf96815976523E00e65Be8f34cA5e64b4f41EB19c';
const COLLECTOR = '0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88';
const ZERO = `0x${'0'.repeat(40)}` as Hex;
const P = 'invalid_auth_capture_evm_';

const INFO = [
  ['operator', 'address'],
  ['payer', 'address'],
  ['receiver', 'address'],
  ['token', 'address'],
  ['maxAmount', 'uint120'],
  ['preApprovalExpiry', 'uint48'],
  ['authorizationExpiry', 'uint48'],
  ['refundExpiry', 'uint48'],
  ['minFeeBps', 'uint16'],
  ['maxFeeBps', 'uint16'],
  ['feeReceiver', 'address'],
  ['salt', 'uint256'],
] as const;
const typeOf = (text: string): Hex => keccak256(toHex(text));
const INFO_TYPE = typeOf(`PaymentInfo(${INFO.map(([name, type]) => `${type} ${name}`).join(',')})`);
const field = (name: string, type: string) => ({ name, type });
const AMOUNTS = [field('expectedCapturableAmount', 'uint256'), field('expectedRefundableAmount', 'uint256')];
const CONSENTS: Record<string, { name: string; type: string }[]> = {
  capture: [
    field('amount', 'uint256'),
    field('feeAmount', 'uint256'),
    field('feeReceiver', 'address'),
    ...AMOUNTS,
  ],
  void: [],
};

function nameOf(chainId: number, info: Wire): Hex {
  const inner = encodeAbiParameters(
    [field('typehash', 'bytes32'), ...INFO.map(([name, type]) => field(name, type))],
    [
      INFO_TYPE,
      ...INFO.map(([name, type]) => (type === 'address' ? info[name] : BigInt(info[name]))),
    ] as never,
  );
  return keccak256(
    encodeAbiParameters([field('chain', 'uint256'), field('escrow', 'address'), field('hash', 'bytes32')], [
      BigInt(chainId),
      ESCROW,
      keccak256(inner),
    ] as never),
  );
}

const boundSalt = (authorizer: Hex, nonce: Hex): Hex =>
  keccak256(
    encodeAbiParameters(
      [field('t', 'bytes32'), field('a', 'address'), field('p', 'address'), field('n', 'uint256')],
      [
        typeOf('x402AuthCaptureSaltBinding(address receiverAuthorizer,address policy,uint256 saltNonce)'),
        authorizer,
        ZERO,
        BigInt(nonce),
      ] as never,
    ),
  );

export function createFakeEscrow(): FakeEscrow {
  const self: FakeEscrow = {
    payments: new Map(),
    acts: [],
    verify: async (body) => (await collectReason(self, body)).reason,
    async settle(body) {
      const { type } = body.paymentPayload.payload;
      const outcome = type === undefined ? await collect(self, body) : await act(self, type, body);
      self.acts.push(`${type ?? 'authorize'}${outcome === undefined ? '' : `: ${outcome}`}`);
      return outcome === undefined
        ? { transaction: `0x${self.acts.length.toString(16).padStart(64, '0')}` }
        : { reason: outcome };
    },
  };
  return self;
}

const nowS = (): number => Math.floor(Date.now() / 1000);

async function collectReason(self: FakeEscrow, body: Wire): Promise<{ reason?: string; name?: Hex }> {
  const { paymentRequirements: required, paymentPayload } = body;
  const { authorization: a, signature, salt, saltNonce } = paymentPayload.payload;
  const { extra } = required;
  const no = (reason: string) => ({ reason: P + reason });
  if (paymentPayload.accepted.scheme !== 'auth-capture') return no('scheme');
  if (extra.captureAuthorizer !== OPERATOR) return no('operator_not_admitted');
  if (extra.maxFeeBps !== 0 || extra.authCaptureEscrow !== ESCROW) return no('extra');
  const now = nowS();
  if (extra.captureDeadline <= now + 6) return no('capture_deadline_expired');
  const isOrdered =
    extra.refundDeadline >= extra.captureDeadline &&
    now + required.maxTimeoutSeconds <= extra.captureDeadline &&
    Number(a.validBefore) <= extra.captureDeadline;
  if (!isOrdered) return no('deadline_ordering');
  if (Number(a.validBefore) <= now + 6) return no('authorization_expired');
  if (a.to !== COLLECTOR) return no('token_collector_mismatch');
  if (a.value !== required.amount) return no('amount_mismatch');
  const info = infoOf(required, a, salt);
  const chainId = Number(required.network.split(':')[1]);
  if (nameOf(chainId, { ...info, payer: ZERO }) !== a.nonce) return no('nonce_mismatch');
  if (boundSalt(extra.receiverAuthorizer, saltNonce) !== salt) return no('salt_binding_mismatch');
  const isSigned = await verifyTypedData({
    address: a.from,
    domain: { name: extra.name, version: extra.version, chainId, verifyingContract: required.asset },
    types: {
      ReceiveWithAuthorization: [
        field('from', 'address'),
        field('to', 'address'),
        field('value', 'uint256'),
        field('validAfter', 'uint256'),
        field('validBefore', 'uint256'),
        field('nonce', 'bytes32'),
      ],
    },
    primaryType: 'ReceiveWithAuthorization',
    message: a,
    signature,
  });
  if (!isSigned) return no('signature');
  const name = nameOf(chainId, info);
  return self.payments.has(name) ? { ...no('payment_already_collected'), name } : { name };
}

const infoOf = (required: Wire, a: Wire, salt: Hex) => ({
  operator: required.extra.captureAuthorizer,
  payer: a.from,
  receiver: required.payTo,
  token: required.asset,
  maxAmount: required.amount,
  preApprovalExpiry: a.validBefore,
  authorizationExpiry: required.extra.captureDeadline,
  refundExpiry: required.extra.refundDeadline,
  minFeeBps: required.extra.minFeeBps,
  maxFeeBps: required.extra.maxFeeBps,
  feeReceiver: required.extra.feeRecipient,
  salt,
});

async function collect(self: FakeEscrow, body: Wire): Promise<string | undefined> {
  const { reason, name } = await collectReason(self, body);
  if (reason !== undefined) return reason;
  const { from, value } = body.paymentPayload.payload.authorization;
  self.payments.set(name!, { capturable: BigInt(value), refundable: 0n, payer: from, value: BigInt(value) });
  return undefined;
}

/** Only the operations of the specification, each with its signed consent and the state it expects. */
async function act(self: FakeEscrow, type: string, body: Wire): Promise<string | undefined> {
  const { paymentRequirements: required, paymentPayload } = body;
  const { paymentInfo: info, saltNonce, authorizerSignature, ...sent } = paymentPayload.payload;
  const chainId = Number(required.network.split(':')[1]);
  const { extra } = required;
  if (info.operator !== extra.captureAuthorizer) return `${P}operator_mismatch`;
  if (boundSalt(extra.receiverAuthorizer, saltNonce) !== info.salt) return `${P}salt_binding_mismatch`;
  const name = nameOf(chainId, info);
  const primaryType = type[0]!.toUpperCase() + type.slice(1);
  const isConsent = await verifyTypedData({
    address: extra.receiverAuthorizer,
    domain: { name: 'x402 Auth Capture Operator', version: '1', chainId, verifyingContract: info.operator },
    types: { [primaryType]: [field('paymentInfoHash', 'bytes32'), ...CONSENTS[type]!] },
    primaryType,
    message: { ...sent, paymentInfoHash: name },
    signature: authorizerSignature,
  });
  if (!isConsent) return `${P}authorizer_signature`;
  const payment = self.payments.get(name);
  if (type === 'void') {
    if (!payment || payment.capturable === 0n) return `${P}zero_authorization`;
    payment.capturable = 0n;
    return undefined;
  }
  const expected = [sent.expectedCapturableAmount, sent.expectedRefundableAmount].map(BigInt);
  if (payment?.capturable !== expected[0] || payment?.refundable !== expected[1]) {
    return `${P}unexpected_payment_state`;
  }
  const amount = BigInt(sent.amount);
  if (nowS() >= info.authorizationExpiry) return `${P}capture_deadline_expired`;
  payment!.capturable -= amount;
  payment!.refundable += amount;
  return undefined;
}
