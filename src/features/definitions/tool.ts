import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { z } from 'zod';
import type { Proof, Scope } from '../../core/principal.ts';
import type { PreviewPlan } from './preview.ts';
import type { Price } from './price.ts';

export const CATEGORIES = ['creative', 'dataset', 'storage', 'account'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Groups of tools that are narrower than a category. `always`: part of every choice, because other tools lead there. */
export type Toolset = 'edit' | 'print' | 'rights' | 'recipes' | 'community' | 'always';

/** What a server may lack: a configured model of images, and one that changes existing images. */
export type ServerPart = 'image_model' | 'image_editing_model';

/**
 * Everything a caller can know about a tool. REST, MCP, OpenAPI, pricing, llms.txt, search, the command line and the
 * web form are computed from this value; nothing about a tool is written anywhere else.
 */
export interface Contract<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly title: string;
  readonly category: Category;
  /** The group by which an MCP connection chooses it (`/mcp?toolsets=edit`), beside its category. */
  readonly toolset?: Toolset;
  /** What the operator has to configure; without it the tool is not offered. */
  readonly needs?: ServerPart;
  /** One or two sentences for an agent choosing a tool. */
  readonly summary: string;
  /** What it is taken for and is not: the tool to call instead, and for what. "to gain detail", by the name of that tool. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What callers say who want it and do not know its name; searched, never shown. */
  readonly words?: string;
  readonly price: Price;
  /** Of the price list, where rules of the operator lower it. */
  readonly listPrice?: Price;
  readonly input: Input;
  /** The tool's own fields; `pipeline/` adds cost, next_steps and warnings. */
  readonly output: Output;
  /** Its answer is read whole or not at all: over MCP, where long lists are cut, it stays as long as it is. */
  readonly isDocument?: true;
  /**
   * MCP annotations. The protocol's defaults are the worst case, so all are stated. `readOnly` is of the work itself: what
   * is only computed may be dropped when its caller leaves. Clients see `isReadOnly`.
   */
  readonly effects: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Tells marks of AI in a picture from anybody; documents name it as the detector that laws ask for. */
  readonly detectsAi?: true;
  /** Input bodies that work as they stand. */
  readonly examples: readonly Record<string, unknown>[];
  /** A rate of its own beside the general ones; failed calls do not count. */
  readonly limit?: Limit;
  /** What of the wallet named in the input it reaches: open for everybody until the owner locks it, then for proof only. */
  readonly reaches?: Scope | ((input: z.output<Input>) => Scope | undefined);
  /** Calls with this input are for the owner of the wallet only: a key is not enough. `call.wallet` and `call.proof` are there then. */
  readonly ownerOnly?: (input: z.output<Input>) => boolean;
  /**
   * What a caller would sensibly do next, as calls that can be sent as they stand. Cost and endpoint are looked up, and what
   * its tool would refuse is left out: a suggestion may leave to that what this call does not know.
   */
  readonly next?: (
    output: z.output<Output>,
    input: z.output<Input>,
    caller: NextCaller,
  ) => readonly Suggestion[];
  /** Members of its 402: what a caller can do before it pays. Short: it is read by models. */
  readonly unpaid?: Readonly<Record<string, unknown>>;
  /** The free sample answered at GET /api/sandbox/<name>. */
  readonly sandbox?: Sandbox;
}

/** At most `calls` in `perSeconds` for one caller (the wallet, else the address), for one address, or for all together. */
export interface Limit {
  readonly name: string;
  readonly calls: number;
  readonly perSeconds: number;
  readonly by?: 'caller' | 'address' | 'everybody';
  /** Failed calls count as well. */
  readonly failuresCount?: true;
  /** Whether this answer uses up one call; absent, every success does. */
  counts?(answer: Record<string, unknown>): boolean;
  /** Whether calls with this input are counted; absent, all are. */
  appliesTo?(input: Readonly<Record<string, unknown>>): boolean;
  /** Other spans or scopes the same call is counted in. */
  readonly also?: readonly Limit[];
}

/** The limit and what it is counted in beside. */
export const limitsOf = (limit: Limit | undefined): readonly Limit[] =>
  limit ? [limit, ...(limit.also ?? [])] : [];

/** The tool itself, run on a picture or words of our own. Whatever its answer has beyond `answer` is left out. */
export interface Sandbox {
  /** Query parameters, a few values each: every one has a default or is optional. */
  readonly query: z.ZodObject;
  /** What the answer has beside `cost`, `next_steps`, `_note` and `_sandbox`. */
  readonly answer: z.ZodObject;
  /** What the tool is called with. */
  input(query: Record<string, string>): Record<string, unknown>;
  /** What the sample was made from, for its note. */
  readonly of: string;
  /** Fields the specification shows otherwise than the tool answers them. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of the tool that is next to it
  shown?(answer: any): Record<string, unknown>;
  /** The services it runs with, where it is not to look among what callers have left on this server. */
  // biome-ignore lint/suspicious/noExplicitAny: a list holds tools whatever services they need
  among?(services: any, call: CallContext): Promise<object>;
  /** Suggestions shown with the sample. */
  readonly next: readonly Suggestion[];
}

/** What a suggestion may know of who has called. */
export interface NextCaller {
  readonly wallet?: string | undefined;
}

export interface Suggestion {
  readonly action: string;
  readonly tool: string;
  readonly why: string;
  readonly params?: Record<string, unknown>;
}

/** What a running tool may know about its call. */
export interface CallContext {
  readonly requestId: string;
  /** The wallet this call acts for, lower case: proved, or named by its address while it is not locked. */
  readonly wallet?: string;
  /** How it was proved; absent where the address was enough. */
  readonly proof?: Proof;
  /** The token that came as bearer. */
  readonly bearer?: string;
  /** Names the credits held for this call. What is changed under it is undone should they be given back. */
  readonly hold?: string;
  /** A model reads the answer: what only programs read goes behind a link. */
  readonly isModel?: boolean;
  /** Who is counted by rate limits: the wallet, else the address. */
  readonly callerKey: string;
  /** Share of the wallet in the fair queue, as a multiple of that of everybody. */
  readonly weight?: number;
  /** The network address of the caller. */
  readonly address: string;
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Aborted when the deadline has passed, however early the caller goes: for work that others bill the server for. */
  readonly deadline: AbortSignal;
  /** Longest time of the work inside. */
  readonly deadlineMs: number;
  /** What the same call may take as a job; absent where it is one. */
  readonly jobDeadlineMs?: number;
  /** `fraction` from 0 to 1; `message` for a person. */
  onProgress(fraction: number, message: string): void;
  /** Something the caller should know though the call succeeds. */
  warn(message: string): void;
  /** How a picture was read, where not as a whole or not as it stands. */
  onIntake?(notes: IntakeNotes): void;
  /** The call will succeed and cost nothing, for this reason: what is held is given back. */
  waive(why: string): void;
  /** What the call was found to cost. Less than what is held for it, and nothing is taken. */
  charge(found: Charge): void;
  /** Runs the calls this one is made of, in their order; there where the tool has `steps`. */
  runSteps?(): Promise<readonly StepOutcome[]>;
}

/** One call of another tool, as part of a call that is made of several. */
export interface Step {
  readonly tool: string;
  /** What that tool takes. Texts that begin with $ stand for what an earlier step has answered. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What later steps call its answer. */
  readonly save_as: string;
}

/** Steps that belong together: one recipe for one picture. When one fails, those after it in the same course are left out. */
export interface Course {
  readonly steps: readonly Step[];
  /** What $name stands for in every step, beside earlier answers. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** What became of one step. */
export interface StepOutcome {
  /** Place of its course, from 0. */
  readonly course: number;
  readonly step: Step;
  readonly state: 'done' | 'failed' | 'skipped';
  /** Its answer was made by an earlier call, and cost nothing again. */
  readonly kept: boolean;
  /** Credits. */
  readonly credits: number;
  /** The fields of the tool's own answer, where it is done. */
  readonly output?: Readonly<Record<string, unknown>>;
  readonly warnings?: readonly string[];
  /** Where it failed: as the problem object of a call has it. */
  readonly error?: { readonly code: string; readonly detail: string; readonly retry_after_s?: number };
}

export interface Tool<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Needs = never,
> extends Contract<Name, Input, Output> {
  /**
   * What this call costs, where that follows from what it will find; asked before anything is held, so that exactly this is held.
   * Undefined: its price. @throws AtelierError as the run would
   */
  charge?(input: z.output<Input>, services: Needs): Promise<Charge | undefined>;
  /** The calls of other tools this call is made of; `pipeline/` prices and runs them, and `run` finds them in `call.runSteps`. */
  steps?(input: z.output<Input>, services: Needs): Promise<readonly Course[]>;
  /** Asked before credits are held. */
  readonly repeats?: Repeats<z.output<Input>, Needs>;
  /** What `dry_run` adds to the price. @throws AtelierError where the call could not succeed on this server */
  outlook?(input: z.output<Input>, services: Needs, asked: OutlookContext): Promise<Outlook>;
  /** How `preview: true` runs it; absent: it has no preview. It must not write anything but results. */
  readonly preview?: PreviewPlan<z.output<Input>>;
  /** The answer may contain a secret that is shown once: it is stored neither for a retry nor as a job, and no recipe has it as a step. */
  readonly answersSecret?: true;
  /** It looks after jobs and never becomes one, however long it waits. */
  readonly isAboutJobs?: true;
  run(input: z.output<Input>, services: Needs, call: CallContext): Promise<z.input<Output>>;
}

/** What a call costs where that is less than its price. */
export interface Charge {
  /** Whole credits. */
  readonly credits: number;
  /** A sentence, told beside the cost. */
  readonly why: string;
}

export type Deadlines = Pick<CallContext, 'deadlineMs' | 'jobDeadlineMs'>;

export interface OutlookContext extends Deadlines, Pick<CallContext, 'address' | 'callerKey' | 'signal'> {
  /** The wallet that would pay from its credits, where the caller may know what it has done. */
  readonly wallet?: string | undefined;
  /** Asked of no call in particular, with an example: what the input names is not looked up, here or elsewhere. */
  readonly isGeneral?: boolean;
}

/** What is known of a call before it runs, and told with its price. */
export interface Outlook {
  /** Networks one of which will run. */
  readonly networks?: readonly string[];
  readonly degraded?: boolean;
  /** Where degraded: what is missing and how to get it. */
  readonly degraded_reason?: string;
  /** Seconds of the work inside; absent where the picture is not at hand. */
  readonly estimated_seconds?: number;
  /** Why the run would be refused: as too long, or because a vision model has no budget left. */
  readonly refusal?: { readonly check: 'time' | 'vision'; readonly detail: string } | undefined;
  /** What only looking at the picture can tell. */
  readonly pending?: { readonly check: 'sight'; readonly detail: string } | undefined;
  /** Works the run will answer, and how many of them name a picture. */
  readonly works?: { readonly returned: number; readonly with_picture: number };
}

/** How a tool gives a wallet again for nothing what it has paid for. Both are asked with every picture at hand. */
export interface Repeats<Input, Needs> {
  /** Calls of a wallet with the same key ask for the same. */
  key(input: Input, services: Needs): Promise<string>;
  /** Why this call will cost nothing: the wallet has paid for it, and nothing can undo that. Undefined where it has not. */
  paidBefore(input: Input, services: Needs, wallet: string): Promise<string | undefined>;
}

/** A tool whose input and output types have been forgotten: what the catalogue and `pipeline/` work with. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input and output type, whatever services they need
export type AnyTool = Tool<string, any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
export type AnyContract = Contract<string, any, any>;

/**
 * Declares a tool. `run` names the services it needs in its signature (`Pick<Services, 'pixels'>`), so a test passes an
 * object with just those members. A wrong output shape is a compile error.
 */
export function defineTool<Name extends string, I extends z.ZodObject, O extends z.ZodObject, Needs>(
  tool: Tool<Name, I, O, Needs>,
): Tool<Name, I, O, Needs> {
  return tool;
}
