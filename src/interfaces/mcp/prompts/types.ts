/** A way through several tools that a person picks by name; the model gets it as the person's own words. */
export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** In a sentence, what the person wants. */
  goal(sent: Sent): string;
  /** In their order; parameters are those of a call that can be sent, but for what an earlier step answers. */
  steps(sent: Sent): readonly PromptStep[];
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The field of a tool whose values these are: they are completed from its schema. */
  readonly valuesOf?: readonly [tool: string, field: string];
}

export interface PromptStep {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly say: string;
}

/** What was sent by the names of the arguments; those not required may be missing. */
export type Sent = Readonly<Record<string, string | undefined>>;
