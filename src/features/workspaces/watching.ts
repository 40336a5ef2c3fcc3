import { randomBytes } from 'node:crypto';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { addressPrefixes } from '../../core/rate_limits/rate_limits.ts';
import { openAccess } from './access.ts';
import type { WorkspaceContext } from './context.ts';
import {
  EVENTS_A_READ_MAX,
  HEARTBEAT_MS,
  POLL_MS,
  STREAM_LIFETIME_MS,
  STREAMS_MAX,
  STREAMS_PER_ADDRESS_MAX,
  STREAMS_PER_WORKSPACE_MAX,
  WATCHER_LIFETIME_MS,
} from './limits.ts';
import { People, registerPerson, viewerOf } from './people.ts';
import { workspaceNotFound } from './refusals.ts';
import {
  deleteWatchers,
  type StoredEvent,
  selectEvents,
  selectLastEvents,
  selectWatchers,
  selectWorkspace,
  upsertWatcher,
  type WatcherRow,
} from './store.ts';
import type { Access, WatcherView } from './types.ts';

/** Factors of the limit per address, for the prefixes of `addressPrefixes`. */
const PREFIX_FACTORS = [1, 4, 16, 64];
/** Poll interval for watchers on other servers. */
const PRESENCE_MS = 3_000;

export interface WatchingDeps extends Omit<WorkspaceContext, 'announce' | 'takeRoom'> {
  /** Ends acts whose jobs have ended. */
  tidy(): Promise<unknown>;
}

/** One open stream. */
interface Stream {
  readonly id: string;
  access: Access;
  author: number;
  /** There may be events to send. */
  isDue: boolean;
  /** Resumes the waiting generator. */
  resume: (() => void) | undefined;
  isEnded: boolean;
  mustCheck: boolean;
}

function wake(stream: Stream): void {
  stream.isDue = true;
  stream.resume?.();
}

/** A workspace with open streams in this process. */
interface Room {
  readonly streams: Set<Stream>;
  /** Number of the last known event; streams send up to it. */
  events: number;
  /** The last events, without gaps, shared by all streams. */
  recent: readonly StoredEvent[];
  reading: Promise<void> | undefined;
  people: People | undefined;
  watchers: readonly WatcherRow[];
  isGone: boolean;
}

export interface Watching {
  open(
    access: Access,
    how: { after: number | undefined; address: string; signal: AbortSignal },
  ): Promise<() => AsyncGenerator<string>>;
  /** Notifies streams of a change that was committed in this process. */
  announce(workspace: string): void;
  count(): number;
  close(): void;
}

/**
 * Creates the event streams. Changes by this process are sent at once; those by other servers are found by polling the database,
 * with one statement for all watched workspaces.
 */
export function createWatching(parts: WatchingDeps): Watching {
  return new Hub(parts);
}

class Hub implements Watching {
  readonly #parts: WatchingDeps;
  readonly #rooms = new Map<string, Room>();
  readonly #addresses = new Map<string, number>();
  #streams = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;
  #presenceAt = 0;
  #isClosed = false;

  constructor(parts: WatchingDeps) {
    this.#parts = parts;
  }

  count(): number {
    return this.#streams;
  }

  announce(workspace: string): void {
    const room = this.#rooms.get(workspace);
    if (room) void this.#read(workspace, room);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const { streams } of this.#rooms.values())
      for (const stream of streams) {
        stream.isEnded = true;
        wake(stream);
      }
  }

  /** @see Workspaces.watch */
  async open(
    access: Access,
    { after, address, signal }: { after: number | undefined; address: string; signal: AbortSignal },
  ): Promise<() => AsyncGenerator<string>> {
    this.#requireRoom(access.id, address);
    const place = this.#take(access.id, address);
    try {
      const author = await registerPerson(this.#parts.database, access.id, access.author);
      const row = await selectWorkspace(this.#parts.database, access.id);
      if (!row) throw workspaceNotFound();
      const id = `wst_${randomBytes(12).toString('hex')}`;
      const stream: Stream = { id, access, author, ...IDLE };
      const last = after ?? row.events;
      return () => this.#run(stream, { after: last, signal, place });
    } catch (error) {
      place.release();
      throw error;
    }
  }

  #requireRoom(workspace: string, address: string): void {
    const isFull =
      this.#isClosed ||
      this.#streams >= STREAMS_MAX ||
      (this.#rooms.get(workspace)?.streams.size ?? 0) >= STREAMS_PER_WORKSPACE_MAX ||
      addressPrefixes(address).some(
        (prefix, at) => (this.#addresses.get(prefix) ?? 0) >= STREAMS_PER_ADDRESS_MAX * PREFIX_FACTORS[at]!,
      );
    if (isFull) throw new AtelierError('too_many_streams');
  }

  /** Counts a stream, also if its client never reads it. */
  #take(workspace: string, address: string): StreamPlace {
    const prefixes = addressPrefixes(address);
    const add = (by: number) => {
      this.#streams += by;
      for (const prefix of prefixes) {
        const sum = (this.#addresses.get(prefix) ?? 0) + by;
        if (sum > 0) this.#addresses.set(prefix, sum);
        else this.#addresses.delete(prefix);
      }
    };
    add(1);
    // For a response that never starts, such as that to HEAD.
    const unread = setTimeout(() => release(), HEARTBEAT_MS).unref();
    let isReleased = false;
    const release = () => {
      clearTimeout(unread);
      if (isReleased) return;
      isReleased = true;
      add(-1);
      const room = this.#rooms.get(workspace);
      if (room?.streams.size === 0) this.#rooms.delete(workspace);
      if (this.#rooms.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    };
    return { begin: () => clearTimeout(unread), release };
  }

  async *#run(
    stream: Stream,
    { after, signal, place }: { after: number; signal: AbortSignal; place: StreamPlace },
  ): AsyncGenerator<string> {
    const { id: workspace } = stream.access;
    place.begin();
    const room = this.#enter(workspace, stream);
    const endsAt = performance.now() + STREAM_LIFETIME_MS;
    const leave = () => wake(stream);
    signal.addEventListener('abort', leave);
    try {
      yield 'retry: 2000\n\n';
      await this.#seen(stream);
      await this.#read(workspace, room);
      yield* this.#events(stream, room, { after, endsAt, signal });
    } finally {
      signal.removeEventListener('abort', leave);
      room.streams.delete(stream);
      place.release();
      await deleteWatchers(this.#parts.database, [stream.id]).catch((error) => this.#parts.report?.(error));
      void this.#readWatchers(workspace, room);
    }
  }

  async *#events(
    stream: Stream,
    room: Room,
    { after, endsAt, signal }: { after: number; endsAt: number; signal: AbortSignal },
  ): AsyncGenerator<string> {
    let last = after;
    let shown = '';
    let seenAt = performance.now();
    let sentAt = performance.now();
    for (;;) {
      stream.isDue = false;
      if (stream.isEnded || signal.aborted || performance.now() >= endsAt) return;
      if (room.isGone || stream.mustCheck || performance.now() - seenAt >= HEARTBEAT_MS) {
        const refusal = await this.#check(stream, room);
        if (refusal) return yield messageOf('closed', { code: refusal });
        seenAt = performance.now();
      }
      const next = await this.#eventsAfter(stream.access.id, room, last);
      if (next === 'gap') return yield messageOf('reset', {});
      for (const event of next) {
        yield messageOf('change', await this.#shown(stream, room, event), event.number);
        last = event.number;
        sentAt = performance.now();
        if (MUST_CHECK.has(event.kind)) stream.mustCheck = true;
      }
      const watchers = JSON.stringify({ watchers: await this.#watchersFor(stream, room) });
      if (watchers !== shown) {
        shown = watchers;
        yield `event: watchers\ndata: ${watchers}\n\n`;
        sentAt = performance.now();
      }
      if (next.length > 0) continue;
      if (performance.now() - sentAt >= HEARTBEAT_MS) {
        yield ': heartbeat\n\n';
        sentAt = performance.now();
      }
      await untilDue(stream);
    }
  }

  #enter(workspace: string, stream: Stream): Room {
    const room = this.#rooms.get(workspace) ?? {
      streams: new Set<Stream>(),
      events: 0,
      recent: [],
      reading: undefined,
      people: undefined,
      watchers: [],
      isGone: false,
    };
    this.#rooms.set(workspace, room);
    room.streams.add(stream);
    this.#timer ??= setInterval(() => void this.#poll(), this.#parts.pollMs ?? POLL_MS).unref();
    return room;
  }

  /** One statement for all watched workspaces; the next round waits for it. */
  async #poll(): Promise<void> {
    if (this.#isPolling || this.#rooms.size === 0) return;
    this.#isPolling = true;
    try {
      const rows = await selectLastEvents(this.#parts.database, [...this.#rooms.keys()]);
      const last = new Map(rows.map(({ id, events }) => [id, events]));
      for (const [id, room] of this.#rooms) {
        const events = last.get(id);
        if (events === undefined) this.#end(room);
        else if (events > room.events) void this.#read(id, room);
      }
      if (performance.now() - this.#presenceAt >= PRESENCE_MS) {
        this.#presenceAt = performance.now();
        await this.#readAllWatchers();
        await this.#parts.tidy();
      }
    } catch (error) {
      this.#parts.report?.(error);
    } finally {
      this.#isPolling = false;
    }
  }

  #end(room: Room): void {
    room.isGone = true;
    for (const stream of room.streams) wake(stream);
  }

  /** Reads new events of a workspace, once for all its streams. */
  async #read(workspace: string, room: Room): Promise<void> {
    const earlier = room.reading;
    await earlier;
    // The awaited read may have missed this change. Another call may have started the next read.
    if (room.reading !== undefined && room.reading !== earlier) return;
    room.reading = this.#readOnce(workspace, room)
      .catch((error) => this.#parts.report?.(error))
      .finally(() => {
        room.reading = undefined;
      });
    await room.reading;
    for (const stream of room.streams) wake(stream);
  }

  async #readOnce(workspace: string, room: Room): Promise<void> {
    const { database } = this.#parts;
    const [row] = await selectLastEvents(database, [workspace]);
    if (!row) return this.#end(room);
    if (row.events > room.events) {
      const after = Math.max(room.events, row.events - EVENTS_A_READ_MAX);
      const news = await selectEvents(database, workspace, { after, limit: EVENTS_A_READ_MAX });
      const isNext = news[0]?.number === (room.recent.at(-1)?.number ?? 0) + 1;
      room.recent = (isNext ? [...room.recent, ...news] : news).slice(-EVENTS_A_READ_MAX);
      room.events = room.recent.at(-1)?.number ?? row.events;
    }
    await this.#readWatchers(workspace, room);
  }

  async #readAllWatchers(): Promise<void> {
    const { database, clock } = this.#parts;
    const since = new Date(clock().getTime() - WATCHER_LIFETIME_MS);
    const rows = await selectWatchers(database, { workspaces: [...this.#rooms.keys()], since });
    const byRoom = Map.groupBy(rows, ({ workspace }) => workspace);
    for (const [id, room] of this.#rooms) setWatchers(room, byRoom.get(id) ?? []);
  }

  async #readWatchers(workspace: string, room: Room): Promise<void> {
    if (room.streams.size === 0) return;
    const { database, clock } = this.#parts;
    const since = new Date(clock().getTime() - WATCHER_LIFETIME_MS);
    try {
      setWatchers(room, await selectWatchers(database, { workspaces: [workspace], since }));
    } catch (error) {
      this.#parts.report?.(error);
    }
  }

  /** The events a stream has not sent; `gap` where they were deleted or do not exist. */
  async #eventsAfter(workspace: string, room: Room, last: number): Promise<readonly StoredEvent[] | 'gap'> {
    if (last === room.events) return [];
    if (last > room.events) return 'gap';
    const first = room.recent[0]?.number ?? Number.POSITIVE_INFINITY;
    if (last + 1 >= first) return room.recent.filter(({ number }) => number > last);
    const older = await selectEvents(this.#parts.database, workspace, {
      after: last,
      limit: EVENTS_A_READ_MAX,
    });
    return older[0]?.number === last + 1 ? older : 'gap';
  }

  async #shown(
    stream: Stream,
    room: Room,
    { number, at, author, kind, body }: StoredEvent,
  ): Promise<unknown> {
    const stored = { event: number, at, kind, ...JSON.parse(body) } as Record<string, unknown>;
    const people = await this.#people(stream.access.id, room, authorsIn([stored, { author }]));
    const viewer = viewerOf(stream.access);
    const { event, at: when, kind: what, ...rest } = people.inside<Record<string, unknown>>(stored, viewer);
    return { event, at: when, by: people.seenBy(author, viewer), kind: what, ...rest };
  }

  async #watchersFor(stream: Stream, room: Room): Promise<WatcherView[]> {
    const people = await this.#people(
      stream.access.id,
      room,
      room.watchers.map(({ author }) => author),
    );
    const viewer = viewerOf(stream.access);
    return room.watchers.map(({ author, role, since }) => {
      const { name, is_agent, is_you } = people.seenBy(author, viewer);
      return { name, role, is_agent, is_you, since };
    });
  }

  /** Authors of the workspace; reads them again where one of `authors` is unknown. */
  async #people(workspace: string, room: Room, authors: readonly number[]): Promise<People> {
    if (room.people && authors.every((author) => room.people!.has(author))) return room.people;
    const row = await selectWorkspace(this.#parts.database, workspace);
    room.people = await People.of(this.#parts.database, { id: workspace, owner: row?.owner ?? null });
    return room.people;
  }

  /** Rechecks access, as links may be revoked and workspaces deleted. @returns the error code of a refusal */
  async #check(stream: Stream, room: Room): Promise<string | undefined> {
    stream.mustCheck = false;
    room.people = undefined;
    try {
      stream.access = await openAccess(this.#parts, stream.access.text, stream.access.visitor);
      await this.#seen(stream);
      return undefined;
    } catch (error) {
      if (error instanceof AtelierError && error.status < 500) return error.code;
      throw error;
    }
  }

  #seen({ id, access, author }: Stream): Promise<void> {
    const { database, clock } = this.#parts;
    return upsertWatcher(database, { id, workspace: access.id, author, role: access.role, at: clock() });
  }
}

const IDLE = { isDue: false, resume: undefined, isEnded: false, mustCheck: false };

/** A counted stream. */
interface StreamPlace {
  /** Called when the client starts to read. */
  begin(): void;
  release(): void;
}

/** Waits for events, at most for a heartbeat interval. */
function untilDue(stream: Stream): Promise<void> {
  if (stream.isDue) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => stream.resume?.(), HEARTBEAT_MS);
    stream.resume = () => {
      clearTimeout(timer);
      stream.resume = undefined;
      resolve();
    };
  });
}

function setWatchers(room: Room, watchers: readonly WatcherRow[]): void {
  const ids = (rows: readonly WatcherRow[]) => rows.map(({ id, role }) => id + role).join();
  if (ids(watchers) === ids(room.watchers)) return;
  room.watchers = watchers;
  for (const stream of room.streams) wake(stream);
}

/** Events after which access is rechecked. */
const MUST_CHECK = new Set(['shared', 'claimed']);

const messageOf = (event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Author numbers in stored objects. */
function authorsIn(value: unknown): number[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'author' && typeof member === 'number' ? [member] : authorsIn(member),
  );
}
