import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { TASKS_EXTENSION } from '../../catalog/mcp_card.ts';
import { cancelJob } from '../../features/jobs/tools/cancel_job.ts';
import { getJob } from '../../features/jobs/tools/get_job.ts';
import { asAtelierError } from '../../pipeline/errors.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';

/** Jobs as tasks of the MCP extension (SEP-2663), for clients that declare it with the request. Since 2026-07-28. */

type Body = Record<string, unknown>;

const POLL_MS = 2000;

/** Whether the client declares the extension with this request. */
export function takesTasks({ envelope }: Pick<ServerContext['mcpReq'], 'envelope'>): boolean {
  const told = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return told?.extensions?.[TASKS_EXTENSION] !== undefined;
}

/** A value that the library has validated but returns untyped. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: { readonly extensions?: Readonly<Record<string, unknown>> };
}

const STATUS: Readonly<Record<string, string>> = {
  queued: 'working',
  running: 'working',
  succeeded: 'completed',
  // A call refused by its tool is completed; `failed` is for errors of the protocol.
  failed: 'completed',
  canceled: 'cancelled',
};

/** The fields of a task. @param job as returned by `get_job` */
function taskFields(job: Body): Body {
  const { message } = job.progress as { message: string };
  const createdAt = String(job.created_at);
  return {
    taskId: job.job_id,
    status: STATUS[String(job.state)],
    ...(message && { statusMessage: message }),
    createdAt,
    lastUpdatedAt: job.finished_at ?? job.started_at ?? createdAt,
    ttlMs: Date.parse(String(job.expires_at)) - Date.parse(createdAt),
    pollIntervalMs: POLL_MS,
  };
}

/** The response to a call that became a job. */
export const createdTask = (job: Body): CallToolResult =>
  ({ resultType: 'task', ...taskFields(job) }) as unknown as CallToolResult;

interface Tasks {
  readonly context: PipelineContext;
  callerOf(request: ServerContext['mcpReq']): Client;
  /** A finished call as its tool would have returned it. */
  resultOf(job: Body, signal: AbortSignal): Promise<CallToolResult>;
}

const params = z.looseObject({ taskId: z.string().max(100) });

/** tasks/get, tasks/update and tasks/cancel: the tools for jobs, with their access rules and limits. */
export function addTasks(server: Server, { context, callerOf, resultOf }: Tasks): void {
  const ask = async (tool: string, taskId: string, request: ServerContext['mcpReq']): Promise<Body> => {
    requireTasks(request);
    const input = { job_id: taskId, ...(tool === getJob.name && { wait_seconds: 0 }) };
    try {
      return (await callTool(context, tool, input, callerOf(request))).body;
    } catch (error) {
      const { status, message } = asAtelierError(error);
      const isUnknown = status === 404 || status === 400;
      throw new ProtocolError(
        isUnknown ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
        message,
      );
    }
  };
  server.setRequestHandler('tasks/get', { params }, async ({ taskId }, { mcpReq }): Promise<Result> => {
    const job = await ask(getJob.name, taskId, mcpReq);
    const isOver = job.state === 'succeeded' || job.state === 'failed';
    return { ...taskFields(job), ...(isOver && { result: await resultOf(job, mcpReq.signal) }) };
  });
  server.setRequestHandler('tasks/update', { params }, (_params, { mcpReq }): Result => {
    requireTasks(mcpReq);
    const message = 'Tasks of this server never wait for input. Call tasks/get for the state.';
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  });
  server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, { mcpReq }): Promise<Result> => {
    await ask(cancelJob.name, taskId, mcpReq);
    return {};
  });
}

/** @throws MissingRequiredClientCapabilityError if the client does not declare the extension */
function requireTasks(request: ServerContext['mcpReq']): void {
  if (takesTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}
