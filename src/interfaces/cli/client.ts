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

/** A server to call: far away, on this machine, or opened inside this process. */
export interface Connection extends Place {
  /** Only of an app inside this process. */
  readonly here?: {
    /** Note for the user about where the call runs. */
    readonly note: string;
    /** Answers a tool that reads nothing but the list of tools, for which no app need be opened. */
    readCatalogue(tool: string, input: Body): Promise<Reply>;
  };
  close(): Promise<void>;
}

/** Calls a tool and follows its progress. @throws ConnectionError when no answer of the service arrives */
export const callTool = (
  connection: Connection,
  tool: string,
  input: Body,
  call: Sending = {},
): Promise<Reply> =>
  sayingHow(() => sendTool(connection, tool, input, { onProgress: () => {}, ...checkBearer(call) }));

/** Asks one of the tools that read nothing but the list of tools. */
export const readCatalogue = (connection: Connection, tool: string, input: Body): Promise<Reply> =>
  connection.here ? connection.here.readCatalogue(tool, input) : callTool(connection, tool, input);

/** Every field, bound and answer field of a tool. */
export const readToolSchema = (connection: Connection, tool: string): Promise<Reply> =>
  readCatalogue(connection, 'get_tool_schema', { tool_name: tool, detail: 'full' });

/** Asks for something that is read, or with DELETE ended. @throws ConnectionError when no answer of the service arrives */
export const getJson = (
  connection: Connection,
  path: string,
  call: Pick<Sending, 'bearer' | 'signal'> & { method?: 'GET' | 'DELETE' },
): Promise<Reply> => sayingHow(() => readJson(connection, path, checkBearer(call)));

/** The wallet a session or key proves. @throws ConnectionError; UsageError for a token the server does not know */
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

/** Where no server answers, what would help at a command line. */
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
