/** Online backup and restore of everything a server stores. */
export interface Backups {
  /** Adds an incremental backup to a folder or bucket: only objects that are not there yet. @throws Error saying what to do */
  make(place: string, options: MakeOptions): Promise<MadeBackup>;
  /** Verifies the checksum of every byte of a backup. @throws Error naming what is damaged */
  check(place: string, options: ChooseOptions): Promise<CheckedBackup>;
  /** Restores a backup to the configured storage, all or nothing. @throws Error saying what to do */
  restore(place: string, options: RestoreOptions): Promise<RestoredBackup>;
  /** The changes that a rollback of the last migration would undo. @throws Error where there is no snapshot */
  previewRollback(options: ChooseOptions): Promise<Rollback>;
  /** Rolls back. @throws Error while a server runs */
  rollBack(options: ChooseOptions): Promise<RestoredBackup>;
}

export interface ProgressOptions {
  /** Progress, 0 to 1, and the current step. */
  readonly onProgress?: ((fraction: number, message: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MakeOptions extends ProgressOptions {
  /** Number of backups to keep, including this one; default: all. */
  readonly keep?: number | undefined;
}

export interface ChooseOptions extends ProgressOptions {
  /** Name of a backup; default: the newest. */
  readonly at?: string | undefined;
}

export interface RestoreOptions extends ChooseOptions {
  /** Existing data is moved aside; otherwise a restore over existing data is refused. */
  readonly mayReplace: boolean;
}

export interface MadeBackup {
  readonly name: string;
  readonly rows: number;
  readonly blobs: number;
  /** Bytes of the backup, and bytes it added. */
  readonly bytes: number;
  readonly addedBytes: number;
  /** Referenced blobs that are missing or damaged in the store. */
  readonly damaged: readonly string[];
  /** Names of the deleted backups. */
  readonly pruned: readonly string[];
}

/** The last backup, as recorded in the database. */
export interface LastBackup {
  readonly name: string;
  readonly madeAt: Date;
  /** Data folder on the machine that made it. */
  readonly folder: string;
  readonly bytes: number;
  readonly addedBytes: number;
  /** Number of missing or damaged blobs. */
  readonly damaged: number;
}

export interface CheckedBackup {
  readonly name: string;
  readonly objects: number;
  readonly bytes: number;
}

export interface RestoredBackup {
  readonly name: string;
  readonly rows: number;
  readonly blobs: number;
  /** Where the previous data is now. */
  readonly aside: readonly string[];
  /** Blobs that were damaged at the time of the backup and are missing here. */
  readonly damaged: number;
}

export interface Rollback {
  readonly name: string;
  readonly madeAt: Date;
  /** The current database cannot be read, so the changes are unknown. */
  readonly isUnreadable?: true;
  /** Migrations to undo. */
  readonly migrations: readonly string[];
  /** Tables whose number of rows has changed since. */
  readonly changes: readonly { readonly table: string; readonly before: number; readonly now: number }[];
}
