import { type KillReport, killRounds } from '../tests/support/kill_rounds.ts';

const KILLS = 100;

/** What SIGKILL in the middle of paid calls leaves behind, on both databases. Nothing may be wrong. */
export async function run(): Promise<string> {
  const serverUrl = process.env.TEST_DATABASE_URL;
  const rows = [row('embedded', await killRounds(KILLS))];
  if (serverUrl) rows.push(row('PostgreSQL', await killRounds(KILLS, serverUrl)));
  return [
    '## Kills in the middle of paid calls',
    '',
    `${KILLS} times eight paid calls at once (save_asset, each under an Idempotency-Key), SIGKILL on the way, a fresh start, and every call`,
    'sent again. Wrong would be: books that do not balance, credits still held, an answer or asset without its charge, a charge whose',
    'retry does not get the answer, an answer that changes, a charge without a receipt.',
    '',
    '| database | kills | calls | answered before the kill | charged, answer lost, retry got it free | wrong |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function row(name: string, { kills, calls, answered, chargedUnanswered, wrong }: KillReport): string {
  for (const problem of wrong) console.error(problem);
  return `| ${[name, kills, calls, answered, chargedUnanswered, wrong.length].join(' | ')} |`;
}
