import type { Answers } from '../services/answers/contract.ts';
import type { Audit } from '../services/audit/contract.ts';
import type { Services } from '../services/contract.ts';
import type { CpuBudget } from '../services/cpu_budget/contract.ts';
import type { Disk } from '../services/disk/contract.ts';
import type { Leases } from '../services/leases/contract.ts';
import type { Limiter } from '../services/limiter/contract.ts';
import type { Maintenance } from '../services/maintenance/contract.ts';
import type { Mpp } from '../services/mpp/contract.ts';
import type { Telemetry } from '../services/telemetry/contract.ts';
import type { Visits } from '../services/visits/contract.ts';
import type { X402 } from '../services/x402/contract.ts';
import type { Durations } from './durations.ts';

/** What surrounds every call, beside the services tools may ask for. */
export interface CallKit {
  readonly services: Services;
  readonly limiter: Limiter;
  readonly cpu: CpuBudget;
  readonly answers: Answers;
  readonly audit: Audit;
  readonly visits: Visits;
  readonly disk: Disk;
  readonly maintenance: Maintenance;
  readonly durations: Durations;
  readonly telemetry: Telemetry;
  readonly turns: Turns;
  /** What only one server does at a time; absent where there is no other. */
  readonly leases?: Leases;
  /** Absent where payments by x402 are off. */
  readonly x402?: X402;
  /** Absent where no payment tokens are taken. */
  readonly mpp?: Mpp;
  /** Calls per limit name, from the settings; they replace what a tool or operation names itself. */
  readonly rates: Readonly<Record<string, number | undefined>> & {
    readonly 'free-tools': number;
    readonly 'paid-tools': number;
    readonly mcp: number;
  };
  /** How many times the limit of one caller all callers of one address may use together. */
  readonly addressFactor: number;
  readonly deadlineMs: number;
  /** The deadline of a job, which nobody's connection waits for. */
  readonly jobDeadlineMs: number;
}

/** Calls that run now, by tool, wallet and what they ask for. In memory: those of several servers meet in `leases`. */
export type Turns = Map<string, Promise<void>>;

/** Longest runs of a call somebody waits for, and of the same as a job. */
export const deadlinesOf = ({ deadlineMs, jobDeadlineMs }: CallKit) => ({ deadlineMs, jobDeadlineMs });
