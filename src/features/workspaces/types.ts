import type { Queryable } from '../../core/database/types.ts';
import type { Proof } from '../../core/principal.ts';
import type { SourceImage } from '../../core/workers/types.ts';

/** `work` includes `view`, `own` includes `work`. */
export type Role = 'view' | 'work' | 'own';

/** The caller, as far as a workspace is opened to it. */
export interface Visitor {
  /** Lower case. */
  readonly wallet?: string | undefined;
  readonly proof?: Proof | undefined;
  readonly isModel?: boolean | undefined;
  /** What a visitor by link calls themselves. */
  readonly as?: string | undefined;
}

/** A caller who may use a workspace. */
export interface Access {
  readonly id: string;
  readonly role: Role;
  /** What opened it: to ask again, and for links inside it. */
  readonly text: string;
  readonly author: NewPerson;
  readonly visitor: Visitor;
}

/** An author of a workspace; equal ones are one. */
export interface NewPerson {
  readonly wallet: string | null;
  readonly name: string;
  readonly isAgent: boolean;
  readonly link: number | null;
}

export interface Author {
  readonly kind: 'owner' | 'wallet' | 'link';
  readonly name: string;
  readonly is_agent: boolean;
  readonly is_you: boolean;
}

/** In stored events and rows, an author is a number; clients get `Author`. */
export interface WorkspaceView {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly role: Role;
  readonly owned: boolean;
  readonly is_mine: boolean;
  readonly created_at: string;
  readonly changed_at: string;
  readonly expires_at: string | null;
  readonly event: number;
  readonly branch: string;
  readonly counts: {
    readonly items: number;
    readonly trash: number;
    readonly acts: number;
    readonly comments: number;
  };
  readonly bytes: number;
}

export interface ItemView<By = Author> {
  readonly item: number;
  readonly kind: 'image' | 'file';
  readonly name: string;
  readonly caption: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly hidden: boolean;
  readonly deleted: boolean;
  readonly act: number | null;
  readonly media_type: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly sha256: string;
  readonly author: By;
  readonly created_at: string;
}

export interface ActView<By = Author> {
  readonly act: number;
  readonly tool: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly parent: number | null;
  readonly branch: string;
  readonly inputs: number[];
  readonly outputs: number[];
  readonly author: By;
  readonly credits: number;
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly job_id: string | null;
  readonly recipe: string | null;
  readonly started_at: string;
  readonly ended_at: string | null;
}

export interface ActDetails<By = Author> extends ActView<By> {
  readonly input: Record<string, unknown> | null;
  readonly answer: Record<string, unknown> | null;
}

export interface BranchView {
  readonly branch: string;
  readonly head: number | null;
  readonly tip: number | null;
  readonly is_current: boolean;
}

export interface CommentView<By = Author> {
  readonly comment: number;
  readonly text: string;
  readonly item: number | null;
  readonly act: number | null;
  readonly author: By;
  readonly created_at: string;
  readonly deleted: boolean;
}

export interface LinkView {
  readonly link: number;
  readonly role: Role;
  readonly name: string;
  readonly url: string;
  readonly id: string;
  readonly created_at: string;
  readonly revoked: boolean;
}

export interface WatcherView {
  readonly name: string;
  readonly role: Role;
  readonly is_agent: boolean;
  readonly is_you: boolean;
  readonly since: string;
}

/** A workspace with all that is in it, as of `workspace.event`. */
export interface Contents {
  readonly workspace: WorkspaceView;
  readonly items: ItemView[];
  readonly acts: ActView[];
  readonly branches: BranchView[];
  readonly comments: CommentView[];
  readonly watchers: WatcherView[];
  readonly links: LinkView[];
}

/** Bytes to put on the table. */
export interface NewItem {
  readonly bytes: Uint8Array;
  readonly name?: string | undefined;
  readonly caption?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
}

export interface ItemEdit {
  readonly item: number;
  readonly name?: string | undefined;
  readonly caption?: string | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly hidden?: boolean | undefined;
  readonly deleted?: boolean | undefined;
}

/** A call that begins. */
export interface NewAct {
  readonly tool: string;
  /** As sent. */
  readonly input: Record<string, unknown>;
  /** The images of the call: where each is in the input (`layers.0.image`), and the item it came from. */
  readonly images: readonly {
    readonly path: string;
    readonly image: SourceImage;
    readonly item?: number | undefined;
  }[];
  /** Name of the step, where it is one of several. */
  readonly step?: string | undefined;
  /** It is made of acts of its own, and stands beside the branch. */
  readonly isWhole?: boolean | undefined;
  readonly jobId?: string | undefined;
  /** How long it may run, in ms. */
  readonly lifetimeMs: number;
}

/** A running or ended act. */
export interface ActPlace {
  readonly workspace: string;
  readonly act: number;
}

/** What an act came to. */
export interface ActOutcome {
  /** The tool's own fields. */
  readonly output: Record<string, unknown>;
  /** As charged. */
  readonly credits: number;
  /** The items of its files, as `place` gave them. */
  readonly outputs: readonly number[];
}

/** What the response of a call says about its workspace. */
export interface PlacedAct {
  readonly id: string;
  readonly act: number;
  readonly items: readonly number[];
  readonly url: string;
}

/** One change, and the number of the last event it made. */
export interface Changed {
  readonly workspace: string;
  readonly event: number;
}

/** What one side of a comparison has that the other has not. */
export interface Difference {
  readonly acts: number[];
  readonly items: number[];
  readonly credits: number;
}

export type ProgramForm = 'recipe' | 'curl' | 'mcp' | 'typescript' | 'python';

export interface ProgramQuery {
  readonly item?: number | undefined;
  readonly act?: number | undefined;
  readonly branch?: string | undefined;
  readonly as: ProgramForm;
  /** In place of the first image. */
  readonly on?: number | undefined;
}

export interface Program {
  readonly steps: readonly { tool: string; params: Record<string, unknown>; save_as: string }[];
  readonly inputs: Record<string, string>;
  readonly program: string;
}

/** An item's file. */
export interface ItemFile {
  readonly item: ItemView<number>;
  readonly blob: Blob;
}

/** An item with an image, in memory. */
export interface ItemImage {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Of an item with an image. */
export type PictureFacts = Pick<ItemView, 'sha256' | 'media_type' | 'width' | 'height'>;

/** A thumbnail, or a contact sheet. */
export interface DrawnImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/** Stored bytes, by their SHA-256. */
export interface StoredFile {
  readonly sha256: string;
  readonly bytes: number;
}

/** A workspace in the archive of a wallet. */
export interface ArchivedWorkspace {
  readonly id: string;
  /** JSON lines, in their order. */
  readonly parts: readonly StoredFile[];
  /** Of its items, each once. */
  readonly files: readonly StoredFile[];
}

/** What bytes are. */
export interface FileFacts {
  readonly bytes: number;
  readonly mediaType: string;
  /** With orientation applied; null where it is not an image. */
  readonly width: number | null;
  readonly height: number | null;
}

export interface Restoring {
  readonly wallet: string;
  readonly workspaces: readonly ArchivedWorkspace[];
  /** Of the files that came with the archive, by SHA-256. */
  readonly facts: ReadonlyMap<string, FileFacts>;
}

export interface RestoredWorkspaces {
  readonly restored: number;
  /** Whose id is taken here. */
  readonly present: number;
}

/** Images and the calls that made them, shared by people and agents. See docs/concepts/workspaces.md. */
export interface Workspaces {
  /**
   * Opens a workspace by its id, share link, pass, or the address of its page.
   * @throws AtelierError workspace_not_found, also for a workspace of others; workspace_denied below `needs`; scope_denied
   */
  access(text: string, visitor: Visitor, needs?: Role): Promise<Access>;
  /** A text that opens the workspace as this caller, for the scripts of a page. */
  passFor(access: Access): Promise<string>;

  /** @throws AtelierError workspace_full at the limit of the wallet or the server */
  create(title: string | undefined, visitor: Visitor): Promise<{ access: Access; links: LinkView[] }>;
  /** Last changed first. */
  list(
    wallet: string,
    page: { limit: number; before?: string | undefined },
  ): Promise<{ workspaces: WorkspaceView[]; next: string | null }>;
  view(access: Access): Promise<WorkspaceView>;
  read(access: Access): Promise<Contents>;
  rename(access: Access, title: string): Promise<Changed>;
  /** Deletes the workspace at once. */
  remove(access: Access): Promise<void>;
  /** A wallet takes a workspace that has none. @throws AtelierError workspace_denied where it has one */
  claim(access: Access, wallet: string): Promise<Changed>;

  /** @throws AtelierError workspace_full, storage_quota_exceeded, too_much_kept */
  add(access: Access, items: readonly NewItem[]): Promise<Changed & { items: ItemView[] }>;
  edit(access: Access, edits: readonly ItemEdit[]): Promise<Changed & { items: ItemView[] }>;
  /** @throws AtelierError item_not_found */
  file(access: Pick<Access, 'id'>, item: number): Promise<ItemFile>;
  /**
   * Runs work with the image of an item, which counts as memory of the request until the work ends.
   * @throws AtelierError busy, payload_too_large
   */
  withImage<T>(item: PictureFacts, work: (image: ItemImage) => Promise<T>): Promise<T>;
  /**
   * An image drawn from items, which is remembered for a while: their bytes never change.
   * @param name of what it is drawn from, and how: the SHA-256 of an item and a size
   */
  drawn(name: string, draw: () => Promise<DrawnImage>): Promise<DrawnImage>;
  /** Deletes what is in the trash. */
  emptyTrash(access: Access): Promise<Changed & { deleted: number; freedBytes: number }>;
  /** A handle that stands for the item in image fields, for some hours. @throws AtelierError item_not_found */
  handleOf(access: Access, item: number): Promise<string>;
  /** The bytes behind such a handle, after `item:`. @throws AtelierError image_not_found */
  openHandle(rest: string, options: { bytesMax: number }): Promise<{ bytes: Uint8Array }>;

  acts(access: Access, page: { before?: number | undefined; limit: number }): Promise<ActView[]>;
  act(access: Access, act: number): Promise<ActDetails>;
  /**
   * Puts the images of a call on the table and begins its act.
   * @param by the caller, or a running act that this one is a part of
   * @throws AtelierError workspace_full, storage_quota_exceeded
   */
  begin(by: Access | ActPlace, act: NewAct): Promise<ActPlace>;
  /** Names the job that goes on with the act. */
  becomeJob(place: ActPlace, jobId: string, lifetimeMs: number): Promise<void>;
  /** The running act of a job. */
  actOfJob(jobId: string): Promise<ActPlace | undefined>;
  /**
   * Reserves items for the files in a response; they are shown once the act is done. Never throws: what there is no room for is in
   * `warning`.
   */
  place(place: ActPlace, output: Record<string, unknown>): Promise<PlacedAct & { readonly warning?: string }>;
  /** Ends an act. Does nothing where it has ended; reports failures and never throws, for the call has its response. */
  finish(place: ActPlace, outcome: ActOutcome): Promise<void>;
  fail(place: ActPlace, error: { code: string; detail: string }): Promise<void>;
  /** Charges of these acts were given back. */
  waive(places: readonly ActPlace[]): Promise<void>;

  undo(
    access: Access,
    how: { times: number; branch?: string | undefined },
  ): Promise<Changed & { branch: BranchView }>;
  redo(
    access: Access,
    how: { times: number; branch?: string | undefined },
  ): Promise<Changed & { branch: BranchView }>;
  setBranch(
    access: Access,
    how: { branch: string; at?: number | undefined; switches: boolean },
  ): Promise<Changed & { branch: BranchView }>;
  editBranch(
    access: Access,
    how: { branch: string; name?: string | undefined; removes: boolean },
  ): Promise<Changed>;
  /** @param a name of a branch, or number of an act */
  compare(
    access: Access,
    a: string,
    b: string,
  ): Promise<{ common: number | null; a: Difference; b: Difference }>;
  /**
   * Acts of a branch, newest first.
   * @param branch absent: the current one
   * @throws AtelierError item_not_found where there is no such branch
   */
  branchActs(access: Access, branch?: string): Promise<number[]>;
  program(access: Access, query: ProgramQuery): Promise<Program>;

  comment(
    access: Access,
    comment: { text: string; item?: number | undefined; act?: number | undefined },
  ): Promise<Changed & { comment: CommentView }>;
  removeComment(access: Access, comment: number): Promise<Changed & { comment: CommentView }>;

  share(access: Access, link: { role: Role; name: string }): Promise<Changed & { link: LinkView }>;
  revoke(access: Access, link: number): Promise<Changed & { link: LinkView }>;

  /**
   * Events from a number on, as server-sent events, until the client leaves.
   * @throws AtelierError too_many_streams
   */
  watch(
    access: Access,
    how: { after: number | undefined; address: string; signal: AbortSignal },
  ): Promise<() => AsyncGenerator<string>>;
  /** Open streams in this process. */
  streams(): number;

  /** Workspaces, items and bytes of all owners. */
  totals(): Promise<{ workspaces: number; guests: number; items: number; bytes: number }>;
  /** Deletes old workspaces of guests, ends interrupted acts, forgets watchers that are gone; returns their number. */
  sweep(now: Date): Promise<number>;
  /**
   * What a wallet owns, for its archive. Its parts are stored bytes, which stay for an hour.
   */
  archive(wallet: string): Promise<ArchivedWorkspace[]>;
  /**
   * Refuses early what has no room.
   * @throws AtelierError workspace_full, storage_quota_exceeded, storage_full
   */
  requireRoom(wallet: string, workspaces: readonly ArchivedWorkspace[]): Promise<void>;
  factsOf(bytes: Uint8Array): FileFacts;
  /**
   * Writes workspaces of an archive, whose parts and files are stored, in the transaction of the import. One whose id is taken stays
   * as it is.
   * @throws AtelierError archive_invalid, workspace_full, storage_quota_exceeded
   */
  restore(tx: Queryable, restoring: Restoring): Promise<RestoredWorkspaces>;
  /** Forgets a wallet: deletes its workspaces and its name in those of others. */
  forget(tx: Queryable, wallet: string): Promise<number>;
  /** Ends all streams, so that clients connect to another server. */
  close(): void;
}
