/** Asks a node of a chain whether a contract that is a wallet stands by a signature (ERC-1271, ERC-6492). */
export interface ContractWallets {
  /**
   * One or two questions to the node, each with a deadline.
   * @throws AtelierError chain_unavailable where the node does not answer as it should, busy where it is asked too much
   */
  judge(claim: ContractClaim): Promise<Verdict>;
}

export interface ContractClaim {
  /** Lower case. */
  readonly wallet: string;
  readonly chainId: number;
  /** What was signed, hashed as EIP-191 has it: 32 bytes. */
  readonly hash: Uint8Array;
  /** 0x and hex, as long as the contract likes. */
  readonly signature: string;
}

/** `why` ends a sentence: "The proof is not accepted: …" */
export type Verdict = { readonly accepted: true } | { readonly accepted: false; readonly why: string };

/** Looks on a chain for what became of a signed transfer (EIP-3009). */
export interface Authorizations {
  /** @throws AtelierError chain_unavailable where the node does not answer as it should, busy where it is asked too much */
  fateOf(claim: AuthorizationClaim): Promise<Fate>;
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

/** `paid`: the money went where the claim says. `not_paid`: cancelled, or it went elsewhere. `unseen`: nothing is known of it. */
export type Fate =
  | { readonly fate: 'paid'; readonly transaction: string }
  | { readonly fate: 'not_paid' | 'unseen' };
