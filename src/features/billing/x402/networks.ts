/** A stablecoin with EIP-3009 (transferWithAuthorization) on one network, 1 unit for 1 US dollar. */
export interface Token {
  /** CAIP-2, `eip155:8453`. */
  readonly network: string;
  /** Network name in version 1 of the protocol; absent where it has none. */
  readonly v1Network?: string;
  /** Address of the contract. */
  readonly asset: string;
  readonly decimals: number;
  /** `name` and `version` of the contract's EIP-712 domain: part of the signed content. */
  readonly name: string;
  readonly version: string;
}

/** USDC by Circle. Addresses, domains and names as in the packages of the protocol (2.27.0). */
const USDC: readonly Token[] = [
  {
    network: 'eip155:8453',
    v1Network: 'base',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    decimals: 6,
    name: 'USD Coin',
    version: '2',
  },
  {
    network: 'eip155:84532',
    v1Network: 'base-sepolia',
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    decimals: 6,
    name: 'USDC',
    version: '2',
  },
  {
    network: 'eip155:137',
    v1Network: 'polygon',
    asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    decimals: 6,
    name: 'USD Coin',
    version: '2',
  },
  {
    network: 'eip155:43114',
    v1Network: 'avalanche',
    asset: '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E',
    decimals: 6,
    name: 'USD Coin',
    version: '2',
  },
];

const WRITTEN_OUT =
  /^(eip155:[1-9]\d{0,14})\/erc20:(0x[0-9a-fA-F]{40})\/([1-9]|1\d|2[0-4])\/([^/]{1,64})\/([^/]{1,16})$/;

/**
 * Parses a token setting: a network with a known USDC contract (`eip155:8453`), or any token as CAIP-19, decimals, domain name and
 * domain version (`eip155:8453/erc20:0x…/6/USD Coin/2`).
 * @throws Error naming the valid forms
 */
export function tokenOf(setting: string): Token {
  const known = USDC.find(({ network }) => network === setting);
  if (known) return known;
  const [, network, asset, decimals, name, version] = WRITTEN_OUT.exec(setting) ?? [];
  if (!network) {
    throw new Error(
      `X402_NETWORKS: ${JSON.stringify(setting)} is neither one of ${USDC.map((token) => token.network).join(', ')} nor a token in the form eip155:<chain>/erc20:<address>/<decimals>/<domain name>/<domain version>.`,
    );
  }
  const v1Network = USDC.find((token) => token.network === network)?.v1Network;
  return {
    network,
    asset: asset!,
    decimals: Number(decimals),
    name: name!,
    version: version!,
    ...(v1Network && { v1Network }),
  };
}
