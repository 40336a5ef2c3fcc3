/** Verifies signatures of contract wallets through a chain node (ERC-1271, ERC-6492). */
export interface ContractWallets {
  /**
   * One or two node requests, each with a timeout.
   * @throws AtelierError chain_unavailable where the node fails, busy at the concurrency limit
   */
  judge(claim: ContractClaim): Promise<Verdict>;
}

export interface ContractClaim {
  /** Lower case. */
  readonly wallet: string;
  readonly chainId: number;
  /** The EIP-191 hash of the signed message: 32 bytes. */
  readonly hash: Uint8Array;
  /** 0x and hex, of any length. */
  readonly signature: string;
}

/** `why` ends a sentence: "The proof is not accepted: …" */
export type Verdict = { readonly accepted: true } | { readonly accepted: false; readonly why: string };

/** Finds the outcome of a signed transfer (EIP-3009) on the chain. */
export interface Authorizations {
  /** @throws AtelierError chain_unavailable where the node fails, busy at the concurrency limit */
  fateOf(claim: AuthorizationClaim): Promise<Fate>;
  /**
   * A payment in the escrow of x402's auth-capture; undefined on another chain.
   * @throws AtelierError chain_unavailable, busy
   */
  escrowOf(claim: EscrowClaim): Promise<Escrowed | undefined>;
}

export interface EscrowClaim {
  /** CAIP-2. */
  readonly network: string;
  /** Address of the contract. */
  readonly escrow: string;
  /** 32 bytes in hex. */
  readonly payment: string;
}

export interface Escrowed {
  /** Whether it ever was held. */
  readonly isCollected: boolean;
  /** Held, in the token's smallest unit. */
  readonly capturable: bigint;
  /** Captured and not refunded. */
  readonly refundable: bigint;
}

export interface AuthorizationClaim {
  /** CAIP-2, `eip155:8453`. */
  readonly network: string;
  /** Address of the token. */
  readonly asset: string;
  readonly from: string;
  readonly to: string;
  /** In the token's smallest unit, decimal. */
  readonly value: string;
  /** 32 bytes in hex. */
  readonly nonce: string;
}

/** `paid`: the money went to the claimed recipient. `not_paid`: cancelled, or sent elsewhere. `unseen`: unknown. */
export type Fate =
  | { readonly fate: 'paid'; readonly transaction: string }
  | { readonly fate: 'not_paid' | 'unseen' };
