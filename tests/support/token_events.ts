import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbiItem } from 'viem';

const EVENTS = {
  used: parseAbiItem('event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)'),
  canceled: parseAbiItem('event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)'),
};
const TRANSFER = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

interface Where {
  readonly token: string;
  readonly transaction: string;
}

/**
 * The event of a token for a used authorization (EIP-3009), as returned by a node. Encoded by viem,
 * independently of the code under test.
 */
export const authorizationEvent = (
  event: keyof typeof EVENTS,
  { payer, nonce, token, transaction }: Where & { payer: string; nonce: string },
) => ({
  address: token.toLowerCase(),
  topics: encodeEventTopics({ abi: [EVENTS[event]], args: { authorizer: payer, nonce } } as never),
  data: '0x',
  transactionHash: transaction,
});

/** The transfer event. */
export const transferEvent = ({
  from,
  to,
  value,
  token,
  transaction,
}: Where & { from: string; to: string; value: bigint }) => ({
  address: token.toLowerCase(),
  topics: encodeEventTopics({ abi: [TRANSFER], args: { from: from as Hex, to: to as Hex } }),
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  transactionHash: transaction,
});
