import type { Queryable } from '../../core/database/types.ts';
import type { Proof } from '../../core/principal.ts';
import type { SourceImage } from '../../core/workers/types.ts';

/** `work` includes `view`, `own` includes `work`. */
export type Role = 'view' | 'work' | 'own';

/** Identity of a client that opens a workspace. */
export interface Visitor {
  /** Lower case. */
  readonly wallet?: string | undefined;
  readonly proof?: Proof | undefined;
  readonly isModel?: boolean | undefined;
  /** Name chosen by a visitor by link. */
  readonly as?: string | undefined;
}

/** Access of a client to a workspace. */
export interface Access {
  readonly id: string;
  readonly role: Role;
  /** The text that opened it, for repeated checks and links. */
  readonly text: string;
  readonly author: NewPerson;
  readonly visitor: Visitor;
}

/** An author of a workspace, identified by all of its fields. */
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

/** Authors are numbers in stored events and rows; clients get `Author`. */
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

/** A workspace with its contents, as of `workspace.event`. */
export interface Contents {
  readonly workspace: WorkspaceView;
  readonly items: ItemView[];
  readonly acts: ActView[];
  readonly branches: BranchView[];
  readonly comments: CommentView[];
  readonly watchers: WatcherView[];
  readonly links: LinkView[];
}

/** A file to add. */
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
  /** Images of the call: their path in the input (`layers.0.image`), and the item they came from. */
  readonly images: readonly {
    readonly path: string;
    readonly image: SourceImage;
    readonly item?: number | undefined;
  }[];
  /** Name of the step, in a call of several steps. */
  readonly step?: string | undefined;
  /** The call consists of acts itself, and is not part of the branch. */
  readonly isWhole?: boolean | undefined;
  readonly jobId?: string | undefined;
  /** Maximum run time in ms. */
  readonly lifetimeMs: number;
}

/** A running or ended act. */
export interface ActPlace {
  readonly workspace: string;
  readonly act: number;
}

/** Outcome of an act. */
export interface ActOutcome {
  /** The fields of the tool. */
  readonly output: Record<string, unknown>;
  /** Charged credits. */
  readonly credits: number;
  /** Items of its files, as returned by `place`. */
  readonly outputs: readonly number[];
}

/** The workspace fields in the response of a call. */
export interface PlacedAct {
  readonly id: string;
  readonly act: number;
  readonly items: readonly number[];
  readonly url: string;
}

/** Result of a change: the number of its last event. */
export interface Changed {
  readonly workspace: string;
  readonly event: number;
}

/** Acts that only one side of a comparison has. */
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
  /** Item to use instead of the first image. */
  readonly on?: number | undefined;
}

export interface Program {
  readonly steps: readonly { tool: string; params: Record<string, unknown>; save_as: string }[];
  readonly inputs: Record<string, string>;
  readonly program: string;
}

/** The file of an item. */
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

/** Properties of an item with an image. */
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
  /** JSON lines, in order. */
  readonly parts: readonly StoredFile[];
  /** Distinct files of its items. */
  readonly files: readonly StoredFile[];
}

/** Properties of a file. */
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
  /** Properties of the files in the archive, by SHA-256. */
  readonly facts: ReadonlyMap<string, FileFacts>;
}

export interface RestoredWorkspaces {
  readonly restored: number;
  /** Number of workspaces whose id exists already. */
  readonly present: number;
}

/** Images and the calls that made them, shared by people and agents. See docs/concepts/workspaces.md. */
export interface Workspaces {
  /**
   * Opens a workspace by its id, share link, pass or page URL.
   * @throws AtelierError workspace_not_found, also for a workspace of others; workspace_denied below `needs`; scope_denied
   */
  access(text: string, visitor: Visitor, needs?: Role): Promise<Access>;
  /** A pass with the access of this client, for the scripts of a page. */
  passFor(access: Access): Promise<string>;

  /** Creates a workspace. @throws AtelierError workspace_full at the limit of the wallet or the server */
  create(title: string | undefined, visitor: Visitor): Promise<{ access: Access; links: LinkView[] }>;
  /** Last changed first. */
  list(
    wallet: string,
    page: { limit: number; before?: string | undefined },
  ): Promise<{ workspaces: WorkspaceView[]; next: string | null }>;
  view(access: Access): Promise<WorkspaceView>;
  read(access: Access): Promise<Contents>;
  rename(access: Access, title: string): Promise<Changed>;
  /** Permanently deletes the workspace. */
  remove(access: Access): Promise<void>;
  /** Claims a workspace without an owner. @throws AtelierError workspace_denied where it has one */
  claim(access: Access, wallet: string): Promise<Changed>;

  /** Adds files as items. @throws AtelierError workspace_full, storage_quota_exceeded, too_much_kept */
  add(access: Access, items: readonly NewItem[]): Promise<Changed & { items: ItemView[] }>;
  edit(access: Access, edits: readonly ItemEdit[]): Promise<Changed & { items: ItemView[] }>;
  /** The file of an item. @throws AtelierError item_not_found */
  file(access: Pick<Access, 'id'>, item: number): Promise<ItemFile>;
  /**
   * Runs work with the image of an item, whose memory is acquired until the work ends.
   * @throws AtelierError busy, payload_too_large
   */
  withImage<T>(item: PictureFacts, work: (image: ItemImage) => Promise<T>): Promise<T>;
  /**
   * An image drawn from items, from the cache where possible: the bytes of items never change.
   * @param name cache key, such as the SHA-256 of an item and a size
   */
  drawn(name: string, draw: () => Promise<DrawnImage>): Promise<DrawnImage>;
  /** Permanently deletes the items in the trash. */
  emptyTrash(access: Access): Promise<Changed & { deleted: number; freedBytes: number }>;
  /** A handle of an item for image fields, valid for `ITEM_HANDLE_LIFETIME_MS`. @throws AtelierError item_not_found */
  handleOf(access: Access, item: number): Promise<string>;
  /** The bytes of such a handle, without `item:`. @throws AtelierError image_not_found */
  openHandle(rest: string, options: { bytesMax: number }): Promise<{ bytes: Uint8Array }>;

  acts(access: Access, page: { before?: number | undefined; limit: number }): Promise<ActView[]>;
  act(access: Access, act: number): Promise<ActDetails>;
  /**
   * Adds the images of a call as items and begins its act.
   * @param by the client, or the running act of which this one is a part
   * @throws AtelierError workspace_full, storage_quota_exceeded
   */
  begin(by: Access | ActPlace, act: NewAct): Promise<ActPlace>;
  /** Assigns an act to the job that continues it. */
  becomeJob(place: ActPlace, jobId: string, lifetimeMs: number): Promise<void>;
  /** The running act of a job. */
  actOfJob(jobId: string): Promise<ActPlace | undefined>;
  /**
   * Adds hidden items for the files in a response, which become visible when the act is done. Never throws: files that do not fit are
   * reported in `warning`.
   */
  place(place: ActPlace, output: Record<string, unknown>): Promise<PlacedAct & { readonly warning?: string }>;
  /** Ends an act; does nothing where it has ended. Reports failures and never throws, because the response has been sent. */
  finish(place: ActPlace, outcome: ActOutcome): Promise<void>;
  fail(place: ActPlace, error: { code: string; detail: string }): Promise<void>;
  /** Records that the charges of these acts were refunded. */
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
  /** Compares two branches or acts. @param a name of a branch, or number of an act */
  compare(
    access: Access,
    a: string,
    b: string,
  ): Promise<{ common: number | null; a: Difference; b: Difference }>;
  /**
   * Acts of a branch, newest first.
   * @param branch default: the current one
   * @throws AtelierError item_not_found for an unknown branch
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
   * Events after a number, as server-sent events, until the client disconnects.
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
  /** Deletes expired workspaces of guests, ends interrupted acts and removes lapsed watchers; returns their number. */
  sweep(now: Date): Promise<number>;
  /** Workspaces of a wallet, for its archive. Their parts are stored as blobs, which are retained for an hour. */
  archive(wallet: string): Promise<ArchivedWorkspace[]>;
  /**
   * Checks before an import whether the workspaces fit.
   * @throws AtelierError workspace_full, storage_quota_exceeded, storage_full
   */
  requireRoom(wallet: string, workspaces: readonly ArchivedWorkspace[]): Promise<void>;
  factsOf(bytes: Uint8Array): FileFacts;
  /**
   * Imports workspaces of an archive, whose parts and files are stored, in the given transaction. Workspaces whose id exists are not
   * changed.
   * @throws AtelierError archive_invalid, workspace_full, storage_quota_exceeded
   */
  restore(tx: Queryable, restoring: Restoring): Promise<RestoredWorkspaces>;
  /** Deletes the workspaces of a wallet, and its name in those of others. */
  forget(tx: Queryable, wallet: string): Promise<number>;
  /** Ends all streams, so that clients connect to another server. */
  close(): void;
}
