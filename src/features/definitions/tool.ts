import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { z } from 'zod';
import type { Proof, Scope } from '../../core/principal.ts';
import type { PreviewPlan } from './preview.ts';
import type { Price } from './price.ts';

export const CATEGORIES = ['creative', 'dataset', 'storage', 'account'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Groups of tools within categories. `always`: part of every selection, because other tools refer to it. */
export type Toolset = 'edit' | 'print' | 'rights' | 'recipes' | 'community' | 'always';

/** Optional parts of a server: an image model, and one that edits existing images. */
export type ServerPart = 'image_model' | 'image_editing_model';

/**
 * Public definition of a tool. REST, MCP, OpenAPI, pricing, llms.txt, search, the command line and the web form are derived from it;
 * it is the single source.
 */
export interface Contract<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly title: string;
  readonly category: Category;
  /** Group by which an MCP connection selects it (`/mcp?toolsets=edit`), besides its category. */
  readonly toolset?: Toolset;
  /** Required configuration; without it, the tool is not offered. */
  readonly needs?: ServerPart;
  /** One or two sentences for an agent choosing a tool. */
  readonly summary: string;
  /** Tools to use instead, with their purpose: `{ upscale_image: 'to gain detail' }`. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Search keywords, never shown. */
  readonly words?: string;
  readonly price: Price;
  /** Original price, where rules of the operator reduce it. */
  readonly listPrice?: Price;
  readonly input: Input;
  /** Response fields of the tool; `pipeline/` adds cost, next_steps and warnings. */
  readonly output: Output;
  /** The response is never shortened over MCP, where long lists otherwise are. */
  readonly isDocument?: true;
  /**
   * MCP annotations. The defaults of the protocol are the worst case, so all are stated. `readOnly` describes the work itself: it may be
   * aborted when its client disconnects. Clients see `isReadOnly`.
   */
  readonly effects: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Detects AI marks in an image from any source; documentation names it as the detector required by law. */
  readonly detectsAi?: true;
  /** Valid example inputs. */
  readonly examples: readonly Record<string, unknown>[];
  /** Rate limit of this tool, in addition to the general ones; failed calls do not count. */
  readonly limit?: Limit;
  /** Required scope for the wallet in the input; for a locked wallet, clients must prove it. */
  readonly reaches?: Scope | ((input: z.output<Input>) => Scope | undefined);
  /** Whether calls with this input require the owner of the wallet: a key is not enough. Sets `call.wallet` and `call.proof`. */
  readonly ownerOnly?: (input: z.output<Input>) => boolean;
  /**
   * Suggested next calls, ready to send. Cost and endpoint are added, and suggestions that their tool would reject are removed, so they
   * may depend on facts that this call does not know.
   */
  readonly next?: (
    output: z.output<Output>,
    input: z.output<Input>,
    caller: NextCaller,
  ) => readonly Suggestion[];
  /** Members of its 402 response: what a client can do before payment. Kept short for language models. */
  readonly unpaid?: Readonly<Record<string, unknown>>;
  /** The free sample at GET /api/sandbox/<name>. */
  readonly sandbox?: Sandbox;
}

/** Rate limit: at most `calls` in `perSeconds` per client (the wallet, else the address), per address, or in total. */
export interface Limit {
  readonly name: string;
  readonly calls: number;
  readonly perSeconds: number;
  readonly by?: 'caller' | 'address' | 'everybody';
  /** Failed calls count as well. */
  readonly failuresCount?: true;
  /** Whether a response counts; default: every success. */
  counts?(answer: Record<string, unknown>): boolean;
  /** Whether calls with this input count; default: all. */
  appliesTo?(input: Readonly<Record<string, unknown>>): boolean;
  /** Further limits for the same call, with other periods or scopes. */
  readonly also?: readonly Limit[];
}

/** The limit and its further limits. */
export const limitsOf = (limit: Limit | undefined): readonly Limit[] =>
  limit ? [limit, ...(limit.also ?? [])] : [];

/** A sample run of the tool on built-in input. Response fields that are not in `answer` are omitted. */
export interface Sandbox {
  /** Query parameters with a few values each. All are optional or have a default. */
  readonly query: z.ZodObject;
  /** Response fields besides `cost`, `next_steps`, `_note` and `_sandbox`. */
  readonly answer: z.ZodObject;
  /** Input of the tool. */
  input(query: Record<string, string>): Record<string, unknown>;
  /** Source of the sample, for its note. */
  readonly of: string;
  /** Fields that the specification defines differently from the response of the tool. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of the tool that is next to it
  shown?(answer: any): Record<string, unknown>;
  /** Services of the sample run, where it must not use data of clients on this server. */
  // biome-ignore lint/suspicious/noExplicitAny: a list holds tools whatever services they need
  among?(services: any, call: CallContext): Promise<object>;
  /** Suggestions shown with the sample. */
  readonly next: readonly Suggestion[];
}

/** Facts about the client that suggestions may use. */
export interface NextCaller {
  readonly wallet?: string | undefined;
}

export interface Suggestion {
  readonly action: string;
  readonly tool: string;
  readonly why: string;
  readonly params?: Record<string, unknown>;
}

/** Context of a running tool call. */
export interface CallContext {
  readonly requestId: string;
  /** Wallet of the call, in lower case: proved, or named by its address while it is not locked. */
  readonly wallet?: string;
  /** Proof of the wallet; absent where the address was enough. */
  readonly proof?: Proof;
  /** Bearer token of the request. */
  readonly bearer?: string;
  /** Id of the hold for this call. Changes made under it are undone if the hold is released. */
  readonly hold?: string;
  /** The response is for a language model: data for programs goes behind a link. */
  readonly isModel?: boolean;
  /** Client key of rate limits: the wallet, else the address. */
  readonly callerKey: string;
  /** Weight of the wallet in the fair queue; default: 1. */
  readonly weight?: number;
  /** Network address of the client. */
  readonly address: string;
  /** Aborted when the client disconnects or the deadline passes. */
  readonly signal: AbortSignal;
  /** Aborted only when the deadline passes: for work that third parties bill to the server. */
  readonly deadline: AbortSignal;
  /** Maximum time of the work, in ms. */
  readonly deadlineMs: number;
  /** Maximum time of the same call as a job, in ms; absent where it is a job. */
  readonly jobDeadlineMs?: number;
  /** `fraction` from 0 to 1; `message` for a person. */
  onProgress(fraction: number, message: string): void;
  /** Adds a warning to the response. */
  warn(message: string): void;
  /** Reports that an image was read only in part, or converted. */
  onIntake?(notes: IntakeNotes): void;
  /** Makes the call free for a reason: the hold is released. */
  waive(why: string): void;
  /** Sets the actual price, which must not exceed the hold. */
  charge(found: Charge): void;
  /** Runs the calls of which this one consists, in order; present where the tool has `steps`. */
  runSteps?(): Promise<readonly StepOutcome[]>;
}

/** A call of another tool, as a step of a call. */
export interface Step {
  readonly tool: string;
  /** Parameters of that tool. Texts that begin with $ refer to the response of an earlier step. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Name of its response for later steps. */
  readonly save_as: string;
}

/** A step sequence, such as one recipe for one image. After a failed step, the remaining steps of the sequence are skipped. */
export interface StepSequence {
  readonly steps: readonly Step[];
  /** Values of $name in all steps, in addition to earlier responses. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Outcome of one step. */
export interface StepOutcome {
  /** Index of its sequence, from 0. */
  readonly course: number;
  readonly step: Step;
  readonly state: 'done' | 'failed' | 'skipped';
  /** The response is from an earlier call, at no charge. */
  readonly kept: boolean;
  /** Credits. */
  readonly credits: number;
  /** Response fields of the tool, if the step succeeded. */
  readonly output?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  /** Error of a failed step, as in the problem object of a call. */
  readonly error?: { readonly code: string; readonly detail: string; readonly retry_after_s?: number };
}

export interface Tool<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Needs = never,
> extends Contract<Name, Input, Output> {
  /**
   * Price of a call that depends on stored data, computed before the hold, so that exactly this amount is held.
   * Undefined: the list price. @throws AtelierError as the run would
   */
  charge?(input: z.output<Input>, services: Needs): Promise<Charge | undefined>;
  /** Calls of other tools of which this call consists; `pipeline/` prices them, and `run` runs them by `call.runSteps`. */
  steps?(input: z.output<Input>, services: Needs): Promise<readonly StepSequence[]>;
  /** Consulted before the hold. */
  readonly repeats?: Repeats<z.output<Input>, Needs>;
  /** Estimate that `dry_run` returns with the price. @throws AtelierError where the call could not succeed on this server */
  estimate?(input: z.output<Input>, services: Needs, asked: EstimateContext): Promise<CallEstimate>;
  /** Settings of `preview: true`; absent: no preview. A preview must write nothing but results. */
  readonly preview?: PreviewPlan<z.output<Input>>;
  /** The response may contain a secret that is shown once: it is not stored for retries or as a job, and cannot be a step of a recipe. */
  readonly answersSecret?: true;
  /** The tool manages jobs and never becomes one. */
  readonly isAboutJobs?: true;
  /** Nothing uses the images of a call after `run` has resolved: their memory serves the next call. */
  readonly releasesImages?: true;
  run(input: z.output<Input>, services: Needs, call: CallContext): Promise<z.input<Output>>;
}

/** Reduced price of a call. */
export interface Charge {
  /** Whole credits. */
  readonly credits: number;
  /** Reason, as a sentence next to the cost. */
  readonly why: string;
}

export type Deadlines = Pick<CallContext, 'deadlineMs' | 'jobDeadlineMs'>;

export interface EstimateContext extends Deadlines, Pick<CallContext, 'address' | 'callerKey' | 'signal'> {
  /** The paying wallet, where the client may see its history. */
  readonly wallet?: string | undefined;
  /** For an example input, whose images and ids are not loaded. */
  readonly isGeneral?: boolean;
}

/** Estimate for a call before it runs. */
export interface CallEstimate {
  /** Models of which one will run. */
  readonly networks?: readonly string[];
  readonly degraded?: boolean;
  /** If degraded: what is missing and how to install it. */
  readonly degraded_reason?: string;
  /** Estimated seconds of work; absent without the image. */
  readonly estimated_seconds?: number;
  /** Reason for a refusal: the work would take too long, or the vision budget is used up. */
  readonly refusal?: { readonly check: 'time' | 'vision'; readonly detail: string } | undefined;
  /** A check that needs the image itself. */
  readonly pending?: { readonly check: 'sight'; readonly detail: string } | undefined;
  /** Number of artworks the run will return, and of those with an image. */
  readonly works?: { readonly returned: number; readonly with_picture: number };
}

/** Free repeats of calls that a wallet has paid for. The images of the call are loaded. */
export interface Repeats<Input, Needs> {
  /** Calls of a wallet with equal keys are equal. */
  key(input: Input, services: Needs): Promise<string>;
  /** Reason why the call is free: the wallet has paid for it irrevocably. Undefined where it has not. */
  paidBefore(input: Input, services: Needs, wallet: string): Promise<string | undefined>;
}

/** A tool with erased input and output types, for the catalogue and `pipeline/`. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input and output type, whatever services they need
export type AnyTool = Tool<string, any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyContract = Contract<string, any, any>;

/**
 * Defines a tool. `run` names the services it needs in its signature (`Pick<Services, 'pixels'>`), so that tests pass only those. An
 * output that does not match the schema is a compile error.
 */
export function defineTool<Name extends string, I extends z.ZodObject, O extends z.ZodObject, Needs>(
  tool: Tool<Name, I, O, Needs>,
): Tool<Name, I, O, Needs> {
  return tool;
}
