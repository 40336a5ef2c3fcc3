/** A recorded job, played by a language model over MCP. */
export interface Transcript {
  readonly job: number;
  /** The original request. */
  readonly wish: string;
  /** Networks that the job requires. */
  readonly needs?: readonly string[];
  readonly calls: readonly PlayedCall[];
  /** Every call was correct. */
  readonly first_try: boolean;
  /** The last response fulfilled the request. */
  readonly done: boolean;
  /** What went wrong, and what was changed because of it. */
  readonly remarks?: string;
}

export interface PlayedCall {
  readonly tool: string;
  /** `{photo}` is replaced by a file handle, `{1.result}` by a field of the first response. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Fields of the response that show success: a value, `*` for any, `>=n`, or `/pattern/`. */
  readonly expect: Readonly<Record<string, unknown>>;
  /** Whether it succeeded; otherwise the reason. */
  readonly ok?: boolean;
  readonly why?: string;
  /** Tokens of o200k that a model reads: text and links. */
  readonly tokens?: number;
  /** The beginning of the response text. */
  readonly answer?: string;
}

/** The outcome of a call. */
export interface Outcome {
  readonly isAsExpected: boolean;
  readonly why: string;
  readonly tokens: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly images: number;
}
