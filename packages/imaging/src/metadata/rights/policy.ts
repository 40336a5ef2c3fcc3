/** One party's word on what machines may do with a picture, as each language of rights has it. */
export interface RightsPolicy {
  /** PLUS: whom to ask for a licence. */
  readonly licensor?: { readonly name?: string; readonly email?: string; readonly url?: string };
  /** TDMRep: 1 where rights of text and data mining are reserved, and where the policy for machines lies. */
  readonly tdm?: { readonly reservation: 0 | 1; readonly policy?: string };
  readonly rsl?: RslLicence;
  /** What was said before about machines is taken out, also where this policy says nothing in that language. */
  readonly replacesUse: boolean;
}

/** RSL 1.0, as far as it is written here. */
export interface RslLicence {
  /** Where the picture lives. */
  readonly url: string;
  /** Usage terms: all, ai-all, ai-train, ai-input, ai-index, search. */
  readonly permits: readonly string[];
  readonly prohibits: readonly string[];
  readonly holder?: string;
  /** Page with the terms. */
  readonly terms?: string;
}

export type Dialect = 'plus' | 'iptc' | 'tdmrep' | 'rsl' | 'cawg';
export type Use = 'ai_training' | 'generative_training' | 'mining' | 'search';
export type Word = 'allowed' | 'not_allowed' | 'constrained';

/** What a file says about rights in one place. */
export interface PolicyStatement {
  readonly dialect: Dialect;
  /** Qualified name, such as `plus:DataMining`. */
  readonly place: string;
  /** As it is written there, cut. */
  readonly value: string;
  /** What that means for machines, as far as it says something about each. */
  readonly uses: Readonly<Partial<Record<Use, Word>>>;
  /** Something is reserved, and it does not say what. */
  readonly reserves?: boolean;
  /** Whose rights these are. */
  readonly holder?: string;
}
