import {
  type Body,
  ConnectionError,
  type Place,
  type Reply,
  readJson,
  type Sending,
  sendTool,
} from '@atelier/client/transport.ts';
import { UsageError } from './usage_error.ts';

/** A server to call: remote, on this machine, or in this process. */
export interface Connection extends Place {
  /** Only for an app in this process. */
  readonly here?: {
    /** Note for the user about where the call runs. */
    readonly note: string;
    /** Calls a tool that needs only the catalogue, so that the app need not be opened. */
    readCatalogue(tool: string, input: Body): Promise<Reply>;
  };
  close(): Promise<void>;
}

/** Calls a tool and follows its progress. @throws ConnectionError if no response arrives */
export const callTool = (
  connection: Connection,
  tool: string,
  input: Body,
  call: Sending = {},
): Promise<Reply> =>
  sayingHow(() => sendTool(connection, tool, input, { onProgress: () => {}, ...checkBearer(call) }));

/** Calls a tool that needs only the catalogue. */
export const readCatalogue = (connection: Connection, tool: string, input: Body): Promise<Reply> =>
  connection.here ? connection.here.readCatalogue(tool, input) : callTool(connection, tool, input);

/** Reads every field, limit and response field of a tool. */
export const readToolSchema = (connection: Connection, tool: string): Promise<Reply> =>
  readCatalogue(connection, 'get_tool_schema', { tool_name: tool, detail: 'full' });

/** Sends a GET, or a DELETE. @throws ConnectionError if no response arrives */
export const getJson = (
  connection: Connection,
  path: string,
  call: Pick<Sending, 'bearer' | 'signal'> & { method?: 'GET' | 'DELETE' },
): Promise<Reply> => sayingHow(() => readJson(connection, path, checkBearer(call)));

/**
 * The wallet of a session or key. @throws ConnectionError; UsageError for a token the server does not know
 */
export async function walletOf(connection: Connection, token: string): Promise<string> {
  const { wallet, detail } = (await getJson(connection, '/api/wallet', { bearer: token })).body;
  if (typeof wallet === 'string') return wallet;
  throw new UsageError(
    `The token in --wallet (or ATELIER_WALLET) is not valid for any wallet. ${detail ?? ''}`.trim(),
  );
}

function checkBearer<Call extends Pick<Sending, 'bearer'>>(call: Call): Call {
  if (!call.bearer || /^[\x21-\x7e]{1,200}$/.test(call.bearer)) return call;
  throw new UsageError(
    '--wallet must be a wallet address (0x and 40 hex digits), or a session or key of one (atl_…).',
  );
}

/** If no server responds, adds what to do at the command line. */
async function sayingHow(work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConnectionError) || !error.message.startsWith('No server answers')) throw error;
    throw new ConnectionError(
      `${error.message} Start one with "atelier start", or set the URL of another with --url.`,
    );
  }
}
