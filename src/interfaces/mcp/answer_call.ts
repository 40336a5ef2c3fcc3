import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { answersWithFile } from '../../catalog/mcp_tools.ts';
import { MPP_META } from '../../catalog/mpp_names.ts';
import { X402_META } from '../../catalog/x402_names.ts';
import { isForOperator } from '../../core/errors/atelier_error.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import { asMcpPaymentRequired, mppMeta } from '../../pipeline/billing/payment_required.ts';
import { asAtelierError, problemDetails } from '../../pipeline/errors.ts';
import { recordClientError } from '../../pipeline/observe.ts';
import { callTool } from '../../pipeline/pipeline.ts';
import { mppReceiptIn, settlementIn } from '../../pipeline/respond.ts';
import type { Client, PipelineContext } from '../../pipeline/types.ts';
import { asksByLink } from './asks_by_link.ts';
import { callerOf } from './caller_of.ts';
import type { Exchange, ServerOptions } from './exchange.ts';
import { clientOf, payableHere } from './how_to_pay.ts';
import { showsViews } from './shows_views.ts';
import { thumbnailsMeta } from './thumbnails_meta.ts';
import { toolResult } from './tool_result.ts';

type Params = {
  name: string;
  arguments?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
};

interface Call {
  readonly exchange: Exchange;
  readonly options: ServerOptions;
  readonly request: ServerContext['mcpReq'];
}

/**
 * Runs a tool and answers in MCP's shape. Every failure a caller can be told is a result with `isError`, so that the
 * model reads it; an unpaid call too, because a client takes an HTTP 401 or 402 here as an invitation to log in.
 */
export async function answerCall(
  kit: PipelineContext,
  tool: AnyTool,
  params: Params,
  call: Call,
): Promise<CallToolResult> {
  const { include_preview: includePreview, ...sent } = params.arguments ?? {};
  const raw = answersWithFile(tool) ? { ...sent, output: 'url' } : sent;
  const progress = progressReporter(call.exchange, call.request);
  try {
    const known = callerOf(call.exchange, call.request.signal, params._meta);
    const comesAgain = asksByLink(call.exchange, call.request) === 'error';
    const caller: Client = { ...known, comesAgain, onProgress: progress.report };
    const { body, headers } = await callTool(kit, tool.name, raw, caller);
    const wantsPreview = includePreview !== false;
    const result = await toolResult(kit.services, tool, body, { wantsPreview, signal: caller.signal });
    const _meta = {
      ...result._meta,
      ...settlementMeta(headers)._meta,
      ...(showsViews(call.request) && thumbnailsMeta(kit.services, tool, body)),
    };
    await logWarnings(call, tool, body.warnings);
    return { ...result, ...(Object.keys(_meta).length > 0 && { _meta }) };
  } catch (error) {
    const { address, requestId } = call.exchange.peer;
    await recordClientError(kit, asAtelierError(error), { address, requestId, about: tool.name });
    return failure(error, call, params._meta);
  } finally {
    await progress.flush();
  }
}

/** For the log window of a client: what a person should know though the call succeeded. Older revisions and asked-for levels only. */
async function logWarnings({ exchange, request }: Call, { name }: AnyTool, warnings: unknown): Promise<void> {
  if (!exchange.acceptsEvents || !Array.isArray(warnings)) return;
  for (const warning of warnings) await request.log('warning', warning, name).catch(() => {});
}

/** What settling a payment answered, where the protocol's MCP transport has it. */
function settlementMeta(headers: Record<string, string>): Pick<CallToolResult, '_meta'> {
  const [settlement, receipt] = [settlementIn(headers), mppReceiptIn(headers)];
  if ((settlement ?? receipt) === undefined) return {};
  return {
    _meta: {
      ...(settlement !== undefined && { [X402_META.settlement]: settlement }),
      ...(receipt !== undefined && { [MPP_META.receipt]: receipt }),
    },
  };
}

function failure(
  error: unknown,
  { exchange, options }: Call,
  meta: Record<string, unknown> = {},
): CallToolResult {
  const { requestId } = exchange.peer;
  const path = exchange.url.pathname;
  if (isForOperator(asAtelierError(error).code)) options.report?.(error, { requestId, path });
  const context = { requestId, instance: path, publicUrl: options.publicUrl };
  const { headers = {} } = asAtelierError(error).details;
  const told = problemDetails(error, context);
  const unpaid = told.status === 402 ? asMcpPaymentRequired(told, headers) : undefined;
  const _meta = { ...settlementMeta(headers)._meta, ...(unpaid && mppMeta(unpaid)) };
  const problem = unpaid ? payableHere(unpaid, clientOf(exchange, meta), options) : told;
  return {
    isError: true,
    content: [{ type: 'text', text: JSON.stringify(problem) }],
    structuredContent: problem,
    ...(Object.keys(_meta).length > 0 && { _meta }),
  };
}

/**
 * Turns a tool's progress into notifications/progress: whole percents, which must strictly increase. Silent unless the request carries
 * a token and its answer may be a stream. `flushed` waits until all have been written, so none follows the result.
 */
function progressReporter(
  { acceptsEvents }: Exchange,
  { _meta, notify }: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>,
): { report(fraction: number, message: string): void; flush(): Promise<unknown> } {
  const progressToken = _meta?.progressToken;
  const sent: Promise<void>[] = [];
  let last = 0;
  return {
    report(fraction, message) {
      const progress = Math.round(fraction * 100);
      if (progressToken === undefined || !acceptsEvents || !(progress > last)) return;
      last = progress;
      const params = { progressToken, progress, total: 100, message };
      // A reader that has left is noticed by the call's own signal.
      sent.push(notify({ method: 'notifications/progress', params }).catch(() => {}));
    },
    flush: () => Promise.all(sent),
  };
}
