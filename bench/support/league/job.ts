/** The tool and the arguments of one call, as a model would send them. */
export type FirstCall = readonly [tool: string, args: Record<string, unknown>];

/** First calls, by the request of their job. */
export type CallsByWish = Readonly<Record<string, readonly FirstCall[]>>;

// biome-ignore lint/suspicious/noExplicitAny: responses of every tool, read by the check of a job
export type Answer = any;

/** A user's request, and the calls of models that have only seen the list of tools. */
export interface Job {
  readonly wish: string;
  /** Several, because models and people differ; each is played separately. */
  readonly firstCalls: readonly FirstCall[];
  /** Whether this response fulfils the request: the absence of an error is not enough. */
  isDone(answer: Answer): boolean;
  /**
   * For requests that the benchmark server cannot fulfil: whether the error says so, and what to do. Silently
   * doing something else would be worse.
   */
  isHonestRefusal?(problem: Answer): boolean;
}

/** State before the first job: images in each form that clients use, and a wallet that can pay. */
export interface World {
  /** A photograph of 640 × 480, as `upload:<id>`. */
  readonly photo: string;
  readonly photoBase64: string;
  readonly photoDataUri: string;
  /** The same image as named in an earlier response: its handle and its URL. */
  readonly photoResult: string;
  readonly photoUrl: string;
  /** A drawing of four flat colours, as `upload:<id>`. */
  readonly logo: string;
  /** The photograph with the watermark MARK, as named in the response of watermark_embed. */
  readonly marked: string;
  readonly markedUrl: string;
  /** Lower case; has credits and the asset ASSET_KEY. */
  readonly wallet: string;
}

/** Whether a field of the call was ignored. */
export const isIgnored = ({ warnings = [] }: Answer, field: string): boolean =>
  warnings.some((warning: string) => warning.startsWith(`Unknown field "${field}"`));

export const MARK = '© Ada 2026';
export const ASSET_KEY = 'notes.txt';
