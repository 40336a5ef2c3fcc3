import { followJob } from '@atelier/client/follow_job.ts';
import type { Body, Reply } from '@atelier/client/transport.ts';
import { type Connection, callTool } from './client.ts';
import { progressView } from './progress.ts';
import type { World } from './world.ts';

interface Watching {
  readonly bearer: string | undefined;
  /** The call becomes a job, which is followed to its end. */
  readonly isAsync: boolean;
}

/**
 * Calls a tool and shows its progress on the terminal; a call that is expected to be long becomes a job.
 * @throws ConnectionError
 */
export async function watchCall(
  { connection, terminal, signal }: Pick<World, 'terminal' | 'signal'> & { readonly connection: Connection },
  tool: string,
  input: Body,
  { bearer, isAsync }: Watching,
): Promise<Reply> {
  const view = progressView(terminal.stderr);
  try {
    const wanted = { bearer, signal, isAsync: isAsync || ('when_long' as const), onProgress: view.show };
    const reply = await callTool(connection, tool, input, wanted);
    if (reply.status !== 202) return reply;
    view.clear();
    const { job_id: id } = reply.body;
    terminal.stderr.write(
      `Job accepted: ${connection.baseUrl}/api/jobs/${id}\nCheck it with: atelier job ${id}\n`,
    );
    return await followJob(connection, String(reply.body.job_id), wanted);
  } finally {
    view.clear();
  }
}
