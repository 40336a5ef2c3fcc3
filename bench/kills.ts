import { type KillReport, killRounds, WAYS } from '../tests/support/kill_rounds.ts';

const KILLS = 100;

/** What SIGKILL in the middle of paid calls leaves behind, for every way to pay and on both databases. Nothing may be wrong. */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  const rows: string[] = [];
  for (const by of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
    rows.push(row(by, 'embedded', await killRounds(KILLS, { by })));
    if (serverUrl) rows.push(row(by, 'PostgreSQL', await killRounds(KILLS, { by, serverUrl })));
  }
  return [
    '## Kills in the middle of paid calls',
    '',
    `${KILLS} times eight paid calls at once (save_asset, each under an Idempotency-Key), SIGKILL on the way, a fresh start, and every call`,
    'sent again. Every second kill of those by card and x402 comes when the money has been taken and the reply is on its way. Wrong would',
    'be: books that do not balance, credits still held, an answer without its charge, an asset of a call that was not paid, a charge whose',
    'retry does not get the answer, an answer that changes, somebody charged twice, a charge without a receipt.',
    '',
    '| paid by | database | kills | calls | answered before the kill | charged, answer lost, retry got it free | wrong |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function row(
  by: string,
  database: string,
  { kills, calls, answered, chargedUnanswered, wrong }: KillReport,
): string {
  for (const problem of wrong) console.error(`${by}, ${database}: ${problem}`);
  const cells = [by, database, kills, calls, answered, chargedUnanswered, wrong.length];
  const line = `| ${cells.join(' | ')} |`;
  console.error(line);
  return line;
}
