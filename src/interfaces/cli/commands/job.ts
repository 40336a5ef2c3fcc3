import { followJob } from '@atelier/client/follow_job.ts';
import type { Body, Reply } from '@atelier/client/transport.ts';
import { ANSWER_SWITCHES } from '../call_switches.ts';
import { type Connection, getJson } from '../client.ts';
import { defineCommand } from '../command.ts';
import { deliver } from '../deliver.ts';
import { failureText } from '../failure_text.ts';
import { fieldsOf, pickFields } from '../json_fields.ts';
import { progressView } from '../progress.ts';
import { resultDestination } from '../result_destination.ts';
import { SERVER_SWITCHES, WALLET_SWITCH, withConnection } from '../server_switches.ts';
import { printableJson } from '../terminal.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

export const jobCommand = defineCommand({
  name: 'job',
  summary: 'show the progress of a job or, once it has succeeded, its result',
  words: '<id>',
  example: 'atelier job job_… --wait --out large.png',
  switches: {
    wait: { meaning: 'wait until the job has ended' },
    cancel: { meaning: 'cancel the job and release its credits' },
    ...ANSWER_SWITCHES,
    ...WALLET_SWITCH,
    ...SERVER_SWITCHES,
  },

  async run({ words: [id = ''], values }, world) {
    if (values.cancel && (values.wait || values.out))
      throw new UsageError('--cancel cannot be combined with --wait or --out.');
    const place = await resultDestination(values.out);
    const bearer = values.wallet ?? world.settings.wallet;
    return withConnection(values, world, async (connection) => {
      const path = `/api/jobs/${encodeURIComponent(id)}`;
      const method = values.cancel ? 'DELETE' : 'GET';
      const job = await getJson(connection, path, { bearer, signal: world.signal, method });
      if (job.status !== 200) return printFailure(job.body, 'job', world);
      const { state, tool } = job.body;
      const isOver = state !== 'queued' && state !== 'running';
      if (values.cancel || (!isOver && !values.wait) || state === 'canceled')
        return printJob(job.body, values.json, world);
      const ended = await waitForJob(connection, job.body, bearer, world);
      if (ended.status !== 200) return printFailure(ended.body, String(tool), world);
      const fields = values.json === undefined ? undefined : fieldsOf(values.json, Object.keys(ended.body));
      return deliver(ended.body, { tool: String(tool), place, fields }, { ...world, connection });
    });
  },
});

async function waitForJob(
  connection: Connection,
  job: Body,
  bearer: string | undefined,
  { terminal, signal }: World,
): Promise<Reply> {
  const view = progressView(terminal.stderr);
  try {
    return await followJob(connection, String(job.job_id), { bearer, signal, onProgress: view.show });
  } finally {
    view.clear();
  }
}

function printJob(job: Body, json: string | undefined, { terminal }: World): number {
  terminal.stdout.write(
    printableJson(json === undefined ? job : pickFields(job, fieldsOf(json, Object.keys(job)))),
  );
  return 0;
}

function printFailure(problem: Body, tool: string, { terminal: { stderr } }: World): number {
  stderr.write(failureText(problem, { tool }));
  return 1;
}
