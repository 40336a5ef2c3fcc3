import { type Body, reach } from '@atelier/client/transport.ts';
import { type Connection, getJson } from '../client.ts';
import { defineCommand } from '../command.ts';
import { failureText } from '../failure_text.ts';
import { writeNew, writeTo } from '../files.ts';
import { resultDestination } from '../result_destination.ts';
import { resultTable } from '../result_table.ts';
import { SERVER_SWITCHES, WALLET_SWITCH, withConnection } from '../server_switches.ts';
import { UsageError } from '../usage_error.ts';
import type { World } from '../world.ts';

const PATH = '/api/wallet/invoices';

export const invoiceCommand = defineCommand({
  name: 'invoice',
  summary: 'download the invoice of a purchase as PDF; without a number, list purchases',
  words: '[<number>]',
  example: 'atelier invoice 2026-000042 --out invoice.pdf',
  switches: {
    out: { value: '<file>', meaning: 'output file. Use - for standard output' },
    ...WALLET_SWITCH,
    ...SERVER_SWITCHES,
  },

  async run({ words: [number], values }, world) {
    const bearer = values.wallet ?? world.settings.wallet;
    if (bearer === undefined)
      throw new UsageError('Name the wallet of the purchase: --wallet 0x… (or ATELIER_WALLET).');
    const place = await resultDestination(values.out);
    return withConnection(values, world, async (connection) => {
      if (number === undefined) return list(connection, bearer, world);
      const made = await fetchInvoice(connection, number, { bearer, signal: world.signal });
      if (!made.bytes) return fail(made.body, world);
      const file = { bytes: made.bytes, contentType: 'application/pdf', field: '' };
      if (place.kind === 'stdout') {
        world.terminal.stdout.write(made.bytes);
        return 0;
      }
      const stem = `invoice-${number.replace(/[^\w-]/g, '_')}`;
      const path =
        place.kind === 'file'
          ? await writeTo(place.path, file)
          : await writeNew(place.kind === 'folder' ? place.path : world.folder, file, stem);
      world.terminal.stderr.write(`Wrote ${path} (${made.bytes.byteLength} bytes).\n`);
      return 0;
    });
  },
});

/** @throws ConnectionError if the server does not respond */
async function fetchInvoice(
  connection: Connection,
  number: string,
  { bearer, signal }: { bearer: string; signal: AbortSignal },
): Promise<{ bytes: Uint8Array } | { bytes?: undefined; body: Body }> {
  const request = new Request(`${connection.baseUrl}${PATH}/${encodeURIComponent(number)}`, {
    headers: { Authorization: `Bearer ${bearer}` },
    signal,
  });
  const response = await reach(connection, request);
  if (response.ok) return { bytes: new Uint8Array(await response.arrayBuffer()) };
  return { body: (await response.json()) as Body };
}

async function list(connection: Connection, bearer: string, world: World): Promise<number> {
  const { status, body } = await getJson(connection, PATH, { bearer, signal: world.signal });
  if (status !== 200) return fail(body, world);
  const rows = (body.invoices as Body[]).map(({ number, at, item, amount, currency }) => ({
    number,
    at,
    item,
    paid: `${amount} ${currency}`,
  }));
  world.terminal.stdout.write(resultTable({ invoices: rows }, world.terminal.stdout));
  return 0;
}

function fail(problem: Body, { terminal }: World): number {
  terminal.stderr.write(failureText(problem, { tool: 'invoice' }));
  return 1;
}
