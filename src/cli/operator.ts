import type { OpenedOperator } from '../services/operator/open.ts';
import { configOf } from './setting_switches.ts';
import type { World } from './world.ts';

const REASON_CHARACTERS_MAX = 500;

/** Opens the operator's hand in the folder the settings name, and closes it again. */
export async function withOperator(
  values: Parameters<typeof configOf>[0],
  world: World,
  work: (operator: OpenedOperator) => Promise<number>,
): Promise<number> {
  const operator = await world.openOperator(configOf(values, world));
  try {
    return await work(operator);
  } finally {
    await operator.close();
  }
}

/** Does one thing to what has an id, and says whether it is done. */
export function actOnId(
  {
    words: [id = '', ...reason],
    values,
  }: { words: readonly string[]; values: Parameters<typeof configOf>[0] },
  world: World,
  { act, done, absent }: { act: 'hide' | 'show' | 'end'; done: string; absent: string },
): Promise<number> {
  return withOperator(values, world, async (operator) => {
    const isDone = await operator[act](id, reason.join(' ').slice(0, REASON_CHARACTERS_MAX));
    if (isDone) world.terminal.stdout.write(`${id} ${done}\n`);
    else world.terminal.stderr.write(`${absent}\n`);
    return isDone ? 0 : 1;
  });
}
