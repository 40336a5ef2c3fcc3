import type { Connection } from './client.ts';
import type { Typed } from './command.ts';
import { configOf, DATA_SWITCH } from './setting_switches.ts';
import type { World } from './world.ts';

/** The server to call. */
export const SERVER_SWITCHES = {
  url: { value: '<url>', meaning: 'server to call (or ATELIER_URL)' },
  ...DATA_SWITCH,
};

/** The payer. */
export const WALLET_SWITCH = {
  wallet: {
    value: '<0x…>',
    meaning: 'paying wallet: its address, or a session or key atl_… (or ATELIER_WALLET)',
  },
};

type Values = Typed<typeof SERVER_SWITCHES>['values'];

/** Runs `work` on the selected server, then closes the connection. @throws UsageError for invalid settings or an invalid URL */
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
