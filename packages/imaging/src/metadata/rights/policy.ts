/** Rights policy about machine use of an image, for each rights language. */
export interface RightsPolicy {
  /** PLUS: contact for licences. */
  readonly licensor?: { readonly name?: string; readonly email?: string; readonly url?: string };
  /** TDMRep: 1 if text and data mining rights are reserved, and the URL of the machine-readable policy. */
  readonly tdm?: { readonly reservation: 0 | 1; readonly policy?: string };
  readonly rsl?: RslLicence;
  /** Whether existing statements about machine use are removed, even in languages that this policy does not use. */
  readonly replacesUse: boolean;
}

/** The supported subset of RSL 1.0. */
export interface RslLicence {
  /** URL of the image. */
  readonly url: string;
  /** Usage terms: all, ai-all, ai-train, ai-input, ai-index, search. */
  readonly permits: readonly string[];
  readonly prohibits: readonly string[];
  readonly holder?: string;
  /** URL of the licence terms. */
  readonly terms?: string;
}

export type Dialect = 'plus' | 'iptc' | 'tdmrep' | 'rsl' | 'cawg';
export type Use = 'ai_training' | 'generative_training' | 'mining' | 'search';
export type Word = 'allowed' | 'not_allowed' | 'constrained';

/** A file's rights statement in one location. */
export interface PolicyStatement {
  readonly dialect: Dialect;
  /** Qualified name, such as `plus:DataMining`. */
  readonly place: string;
  /** As written there, truncated. */
  readonly value: string;
  /** Its meaning for machine use, per type of use. */
  readonly uses: Readonly<Partial<Record<Use, Word>>>;
  /** Something is reserved, without specifying what. */
  readonly reserves?: boolean;
  /** Rights holder. */
  readonly holder?: string;
}
