import type { z } from 'zod';
import type { Proof, Scope } from '../services/ownership/index.ts';
import type { Services } from '../services/services.ts';
import type { Price } from './price.ts';

export const CATEGORIES = ['creative', 'dataset', 'storage', 'account'] as const;
export type Category = (typeof CATEGORIES)[number];

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
  /** One or two sentences for an agent choosing a tool. */
  readonly summary: string;
  readonly price: Price;
  readonly input: Input;
  /** The tool's own fields; `call/` adds cost, next_steps and warnings. */
  readonly output: Output;
  /** MCP annotations. The protocol's defaults are the worst case, so all are stated. */
  readonly effects: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean };
  /** Input bodies that work as they stand. */
  readonly examples: readonly Record<string, unknown>[];
  /** A rate of its own beside the general ones; failed calls do not count. */
  readonly limit?: Limit;
  /** What of the wallet named in the input it reaches: open for everybody until the owner locks it, then for proof only. */
  readonly reaches?: Scope;
  /** What a caller would sensibly do next; cost and endpoint are looked up, unknown tools are left out. */
  readonly next?: (output: z.output<Output>, input: z.output<Input>) => readonly Suggestion[];
  /** The free sample answered at GET /api/sandbox/<name>. */
  readonly sandbox?: Sandbox;
}

/** At most `calls` in `perSeconds` for one caller (the wallet, else the address), or for one address. */
export interface Limit {
  readonly name: string;
  readonly calls: number;
  readonly perSeconds: number;
  readonly by?: 'caller' | 'address';
  /** Failed calls count as well. */
  readonly failuresCount?: true;
}

export interface Sandbox {
  /** Query parameters. Every one has a default or is optional. */
  readonly query: z.ZodObject;
  /** What the answer has beside `cost`, `next_steps`, `_note` and `_sandbox`. */
  readonly answer: z.ZodObject;
  sample(query: Record<string, string>): Record<string, unknown>;
  /** Suggestions shown with the sample. */
  readonly next: readonly Suggestion[];
}

export interface Suggestion {
  readonly action: string;
  readonly tool: string;
  readonly why: string;
  readonly params?: Record<string, unknown>;
}

/** What work on pixels is told of its call. */
export type PixelControl = Parameters<Services['pixels']['run']>[2];

/** What a running tool may know about its call. */
export interface CallContext {
  readonly requestId: string;
  /** The wallet this call acts for, lower case: proved, or named by its address while it is not locked. */
  readonly wallet?: string;
  /** How it was proved; absent where the address was enough. */
  readonly proof?: Proof;
  /** Names the credits held for this call. What is changed under it is undone should they be given back. */
  readonly hold?: string;
  /** Who is counted by rate limits: the wallet, else the address. */
  readonly callerKey: string;
  /** The network address of the caller. */
  readonly address: string;
  /** Aborted when the caller has gone or the deadline has passed. */
  readonly signal: AbortSignal;
  /** Longest time of the work inside. */
  readonly deadlineMs: number;
  /** What the same call may take as a job; absent where it is one. */
  readonly jobDeadlineMs?: number;
  /** `fraction` from 0 to 1; `message` for a person. */
  onProgress(fraction: number, message: string): void;
  /** Something the caller should know though the call succeeds. */
  warn(message: string): void;
  /** The call will succeed and cost nothing, for this reason: what is held is given back. */
  waive(why: string): void;
}

export interface Tool<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Needs = Services,
> extends Contract<Name, Input, Output> {
  /** What `dry_run` adds to the price. @throws AtelierError where the call could not succeed on this server */
  outlook?(input: z.output<Input>, services: Needs, asked: OutlookContext): Promise<Outlook>;
  run(input: z.output<Input>, services: Needs, call: CallContext): Promise<z.input<Output>>;
}

export type Deadlines = Pick<CallContext, 'deadlineMs' | 'jobDeadlineMs'>;

export interface OutlookContext extends Deadlines, Pick<CallContext, 'address' | 'callerKey' | 'signal'> {
  /** That would pay from its credits, where the caller may know what it has done. */
  readonly wallet?: string | undefined;
}

/** What is known of a call before it runs, and told with its price. */
export interface Outlook {
  /** Networks one of which will run. */
  readonly networks?: readonly string[];
  readonly degraded?: boolean;
  /** Where degraded: what is missing and how to get it. */
  readonly degraded_reason?: string;
  /** Of the work inside; absent where the picture is not at hand. */
  readonly estimated_seconds?: number;
  /** Why the run would be refused as too long. */
  readonly refusal?: string;
  /** Why the run will cost nothing; the price is held until that is certain. */
  readonly waived?: string;
}

/** A tool whose input and output types have been forgotten: what the catalogue and `call/` work with. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds tools of every input and output type
export type AnyTool = Tool<string, any, any, Services>;
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
