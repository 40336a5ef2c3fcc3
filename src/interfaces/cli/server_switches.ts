import type { Connection } from './client.ts';
import type { Typed } from './command.ts';
import { configOf, DATA_SWITCH } from './setting_switches.ts';
import type { World } from './world.ts';

/** Which server a command asks. */
export const SERVER_SWITCHES = {
  url: { value: '<address>', meaning: 'server to ask (or ATELIER_URL)' },
  ...DATA_SWITCH,
};

/** Who asks it. */
export const WALLET_SWITCH = {
  wallet: {
    value: '<0x…>',
    meaning: 'wallet that pays: its address, or a session or key atl_… (or ATELIER_WALLET)',
  },
};

type Values = Typed<typeof SERVER_SWITCHES>['values'];

/** Works on the server that was meant, and lets go of it. @throws UsageError for settings or an address that are none */
export async function withConnection<T>(
  values: Values,
  world: World,
  work: (connection: Connection) => Promise<T>,
  { isDry }: { isDry?: boolean } = {},
): Promise<T> {
  const url = values.url ?? world.settings.url;
  const config = url === undefined ? configOf(values, world) : undefined;
  const connection = await world.connect({ url, config, isDry });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
