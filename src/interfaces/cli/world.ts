import type { CliSettings, Config, SettingTexts } from '../../config/config.ts';
import type { MaintenanceSwitch } from '../../core/cluster/maintenance/types.ts';
import type { OpenedDataset } from '../../features/artworks/open_dataset.ts';
import type { OpenedSubjects } from '../../features/enrichment/subjects/subjects.ts';
import type { Setup } from '../../features/models/setup/types.ts';
import type { Models } from '../../features/models/types.ts';
import type { Backups } from '../../features/operator/backups/types.ts';
import type { Move } from '../../features/operator/moving/moving.ts';
import type { OpenedOperator } from '../../features/operator/service.ts';
import type { MarkTrials } from '../../features/provenance/mark_trials/mark_trials.ts';
import type { Connection } from './client.ts';
import type { Terminal } from './terminal.ts';

/** The environment of the program; a test passes its own. */
export interface World {
  readonly terminal: Terminal;
  readonly settings: CliSettings;
  /** Folder for files without a given name. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Reports progress to the server that started this command. Absent if a person or a script started it. */
  report?(fraction: number, message: string): void;
  /**
   * Reads the settings of the environment; given ones take precedence. @throws Error that names every invalid
   * one
   */
  readConfig(given: SettingTexts): Config;
  /** Selects the server for calls. Nothing is opened before the first call. */
  connect(place: Place): Promise<Connection>;
  /** The models in the configured data folder. */
  openModels(config: Config): Promise<Models>;
  /** The subjects that the pair of encoders in that folder recognises. */
  openSubjects(config: Config): Promise<OpenedSubjects>;
  /** Makes the copies that AI marks must survive. */
  openMarkTrials(): Promise<MarkTrials>;
  /** The dataset in the configured database. */
  openDataset(config: Config): Promise<OpenedDataset>;
  /** Available downloads for the configured data folder. */
  openSetup(config: Config): Promise<Setup>;
  /** Operator actions on the configured database. */
  openOperator(config: Config): Promise<OpenedOperator>;
  /** Backups of the configured database and files. */
  openBackups(config: Config): Promise<Backups>;
  /** The maintenance mode of the configured database. */
  openMaintenance(config: Config): Promise<MaintenanceSwitch>;
  /** A move of the data to the configured storage. */
  openMove(config: Config): Promise<Move>;
  /** Resolves when the server listens; it keeps running. */
  startServer(given: SettingTexts): Promise<void>;
  /** Resolves when the client has disconnected and the server started for it has stopped. */
  serveMcp(options: McpOptions): Promise<void>;
  /** Resolves when the worker has stopped. @throws Error in a sentence, if it cannot start */
  runWorker(config: Config): Promise<void>;
}

export interface Place {
  /** A server named by the user. */
  readonly url?: string | undefined;
  /** Absent: no folder was given, and a named server does not need the settings. */
  readonly config?: Config | undefined;
  /** The call is a dry run: a missing data folder is not created. */
  readonly isDry?: boolean | undefined;
}

export interface McpOptions {
  /** A server named by the user. Absent: one on this machine. */
  readonly url: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** The payer: a wallet, session or key. */
  readonly bearer: string | undefined;
  /** Folders that the user allows. */
  readonly roots: readonly string[];
  /** Folder of all results. Absent: the folder of their input. */
  readonly out: string | undefined;
}
