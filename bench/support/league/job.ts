/** The tool and the arguments of one call, as a model would send them. */
export type FirstCall = readonly [tool: string, args: Record<string, unknown>];

/** First calls by the wish of their job. */
export type CallsByWish = Readonly<Record<string, readonly FirstCall[]>>;

// biome-ignore lint/suspicious/noExplicitAny: answers of every tool, walked by the check of a job
export type Answer = any;

/** Something a person wants, and how models that have seen only the list of tools would ask for it. */
export interface Job {
  readonly wish: string;
  /** Several, as models and people differ; each is played on its own. */
  readonly firstCalls: readonly FirstCall[];
  /** Whether this answer is what was wished: an answer that is merely no error does not count. */
  isDone(answer: Answer): boolean;
  /** Of what the server of the league lacks the means for: whether a failure says so, and what to do. Changing nothing in silence would be worse. */
  isHonestRefusal?(problem: Answer): boolean;
}

/** What is there before the first job: pictures in each form a caller may have them, and a wallet that can pay. */
export interface World {
  /** A photograph of 640 × 480, as `upload:<id>`. */
  readonly photo: string;
  readonly photoBase64: string;
  readonly photoDataUri: string;
  /** The same as an earlier answer named it: its handle and its address. */
  readonly photoResult: string;
  readonly photoUrl: string;
  /** A drawing of four flat colours, as `upload:<id>`. */
  readonly logo: string;
  /** The photograph with the watermark MARK, as the answer of watermark_embed named it. */
  readonly marked: string;
  readonly markedUrl: string;
  /** Lower case; it has credits, and keeps the asset ASSET_KEY. */
  readonly wallet: string;
}

/** Whether a field that was sent was left out of account. */
export const isIgnored = ({ warnings = [] }: Answer, field: string): boolean =>
  warnings.some((warning: string) => warning.startsWith(`Unknown field "${field}"`));

export const MARK = '© Ada 2026';
export const ASSET_KEY = 'notes.txt';
