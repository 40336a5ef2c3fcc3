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

/** Everything outside the program; a test passes its own. */
export interface World {
  readonly terminal: Terminal;
  readonly settings: CliSettings;
  /** Where files without a given name go. */
  readonly folder: string;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Tells the server that has started this command how far it is. Absent where a person or a script has. */
  report?(fraction: number, message: string): void;
  /** Settings of the environment, those given before them. @throws Error naming every bad one */
  readConfig(given: SettingTexts): Config;
  /** Where calls go. Nothing is opened before the first one. */
  connect(place: Place): Promise<Connection>;
  /** The networks in the data folder the settings name. */
  openModels(config: Config): Promise<Models>;
  /** What the pair of encoders in that folder names. */
  openSubjects(config: Config): Promise<OpenedSubjects>;
  /** Makes the copies that marks of AI have to survive. */
  openMarkTrials(): Promise<MarkTrials>;
  /** The dataset in the database the settings name. */
  openDataset(config: Config): Promise<OpenedDataset>;
  /** What can be fetched for the data folder the settings name. */
  openSetup(config: Config): Promise<Setup>;
  /** The operator's hand in the database the settings name. */
  openOperator(config: Config): Promise<OpenedOperator>;
  /** Backups of what the settings name. */
  openBackups(config: Config): Promise<Backups>;
  /** The maintenance of the database the settings name. */
  openMaintenance(config: Config): Promise<MaintenanceSwitch>;
  /** A move to where the settings say things are to be. */
  openMove(config: Config): Promise<Move>;
  /** Resolves when it listens; it lives on. */
  startServer(given: SettingTexts): Promise<void>;
  /** Resolves once the client has gone, with the server that was started for it. */
  serveMcp(options: McpOptions): Promise<void>;
  /** Resolves once the worker has stopped. @throws Error in a sentence, where it cannot work */
  runWorker(config: Config): Promise<void>;
}

export interface Place {
  /** A server named by the user. */
  readonly url?: string | undefined;
  /** Absent: no folder was requested, and the settings need not be read for a named server. */
  readonly config?: Config | undefined;
  /** The call is a dry run: a folder that is not there yet is not made. */
  readonly isDry?: boolean | undefined;
}

export interface McpOptions {
  /** A server named by the user. Absent: one on this machine. */
  readonly url: string | undefined;
  /** An absolute path. */
  readonly dataDir: string;
  /** Who pays: a wallet, session or key. */
  readonly bearer: string | undefined;
  /** Folders the person allows. */
  readonly roots: readonly string[];
  /** Folder of all results. Absent: beside their input. */
  readonly out: string | undefined;
}
