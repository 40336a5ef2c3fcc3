/** Follows the event stream of a table, in order and without gaps. */
import { type Author, afterChange, type Change, type TableState } from './table_state.ts';

interface Options {
  /** API URL of the workspace. */
  readonly address: string;
  readonly state: TableState;
  changed(state: TableState, change: Change): void;
  watchers(watchers: readonly Author[]): void;
  /** The state was read again. */
  reset(state: TableState): void;
  /** The table is no longer accessible. */
  closed(): void;
  /** Whether the stream is connected. */
  connected(isConnected: boolean): void;
}

/** Longest wait before the state is read again. */
const RETRY_MS_MAX = 15_000;

/** Follows the stream until the page is left. */
export function followTable(options: Options): void {
  let { state } = options;
  let stream: EventSource | undefined;
  let wait = 500;
  const reread = async () => {
    stream?.close();
    try {
      state = await readTable(options.address);
      wait = 500;
      options.reset(state);
      connect();
    } catch {
      options.connected(false);
      wait = Math.min(RETRY_MS_MAX, wait * 2);
      setTimeout(reread, wait);
    }
  };
  const connect = () => {
    stream = new EventSource(`${options.address}/events?after=${state.workspace.event}`);
    stream.addEventListener('open', () => options.connected(true));
    stream.addEventListener('change', ({ data }) => {
      const change = JSON.parse(data) as Change;
      const next = afterChange(state, change);
      if (next === 'repeat') return;
      if (next === 'gap') return void reread();
      state = next;
      options.changed(state, change);
    });
    stream.addEventListener('watchers', ({ data }) => options.watchers(JSON.parse(data).watchers));
    stream.addEventListener('reset', () => void reread());
    stream.addEventListener('closed', () => {
      stream?.close();
      options.closed();
    });
    stream.addEventListener('error', () => {
      options.connected(false);
      // Browsers reconnect by themselves, unless the request was rejected.
      if (stream?.readyState === EventSource.CLOSED) setTimeout(reread, wait);
    });
  };
  connect();
}

/** @throws Error if the table cannot be read */
async function readTable(address: string): Promise<TableState> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  return reply.json();
}
