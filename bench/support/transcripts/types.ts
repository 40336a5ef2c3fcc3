/** A job played by a language model over MCP, as it was recorded. */
export interface Transcript {
  readonly job: number;
  /** As it was asked for. */
  readonly wish: string;
  /** Networks without which the job cannot be done. */
  readonly needs?: readonly string[];
  readonly calls: readonly PlayedCall[];
  /** Every call was right. */
  readonly first_try: boolean;
  /** The last call answered what was wished. */
  readonly done: boolean;
  /** What went wrong, and what was changed because of it. */
  readonly remarks?: string;
}

export interface PlayedCall {
  readonly tool: string;
  /** `{photo}` is what the world holds under this name, `{1.result}` a field of the first answer. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Fields of the answer that show that it is what was wished: a value, `*` for any, `>=n`, or `/pattern/`. */
  readonly expect: Readonly<Record<string, unknown>>;
  /** Whether it was, and else why not. */
  readonly ok?: boolean;
  readonly why?: string;
  /** Of o200k, of what a model reads: text and links. */
  readonly tokens?: number;
  /** The beginning of the text. */
  readonly answer?: string;
}

/** What a call answered. */
export interface Outcome {
  readonly isAsExpected: boolean;
  readonly why: string;
  readonly tokens: number;
  readonly text: string;
  readonly body: Record<string, unknown>;
  readonly images: number;
}
