import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replayTranscripts } from '../support/transcripts/replay.ts';

/**
 * `node bench/agents/record.ts <url> [job …]`: replays the transcripts on a running server and records the
 * responses in them, after their calls were changed or added by hand.
 */
const [url = 'http://127.0.0.1:8080', ...jobs] = process.argv.slice(2);
const ANSWER_CHARACTERS_MAX = 400;

for (const { transcript, outcomes } of await replayTranscripts(url, jobs.map(Number))) {
  const file = join(import.meta.dirname, `transcripts/${String(transcript.job).padStart(2, '0')}.json`);
  const calls = transcript.calls.map((call, at) => ({
    tool: call.tool,
    args: call.args,
    expect: call.expect,
    ok: outcomes[at]!.isAsExpected,
    ...(outcomes[at]!.why && { why: outcomes[at]!.why.slice(0, ANSWER_CHARACTERS_MAX) }),
    tokens: outcomes[at]!.tokens,
    answer: outcomes[at]!.text.slice(0, ANSWER_CHARACTERS_MAX),
  }));
  const { job, wish, needs, remarks } = transcript;
  const done = outcomes.at(-1)!.isAsExpected;
  const firstTry = done && outcomes.every(({ isAsExpected }) => isAsExpected);
  const written = {
    job,
    wish,
    ...(needs && { needs }),
    first_try: firstTry,
    done,
    ...(remarks && { remarks }),
    calls,
  };
  writeFileSync(file, `${JSON.stringify(written, null, 2)}\n`);
  console.log(
    job,
    firstTry ? 'first try' : done ? 'done' : 'NOT DONE',
    calls.map(({ tokens }) => tokens).join(' '),
  );
}
