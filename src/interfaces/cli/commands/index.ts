import type { Command } from '../command.ts';
import { adminCommands } from './admin.ts';
import { backupCommand } from './backup.ts';
import { callCommand } from './call.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import { datasetEmbedCommand } from './dataset_embed.ts';
import { datasetImportCommand } from './dataset_import.ts';
import { datasetMirrorCommand } from './dataset_mirror.ts';
import { datasetPicturesCommand } from './dataset_pictures.ts';
import { datasetPullCommand } from './dataset_pull.ts';
import { datasetRegisterCommand } from './dataset_register.ts';
import { datasetStatusCommand } from './dataset_status.ts';
import { datasetWithdrawCommand } from './dataset_withdraw.ts';
import { helpCommand } from './help.ts';
import { invoiceCommand } from './invoice.ts';
import { jobCommand } from './job.ts';
import { maintenanceCommand } from './maintenance.ts';
import { marksCheckCommand } from './marks_check.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { modelsAddCommand } from './models_add.ts';
import { modelsCalibrateCommand } from './models_calibrate.ts';
import { modelsExportCommand } from './models_export.ts';
import { modelsImportCommand } from './models_import.ts';
import { modelsListCommand } from './models_list.ts';
import { modelsPullCommand } from './models_pull.ts';
import { recipeCommand } from './recipe.ts';
import { restoreCommand } from './restore.ts';
import { rollbackCommand } from './rollback.ts';
import { setupCommand } from './setup.ts';
import { startCommand } from './start.ts';
import { toolsCommand } from './tools.ts';
import { workerCommand } from './worker.ts';

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  callCommand,
  recipeCommand,
  toolsCommand,
  helpCommand,
  jobCommand,
  invoiceCommand,
  startCommand,
  mcpCommand,
  workerCommand,
  setupCommand,
  configCommand,
  migrateCommand,
  backupCommand,
  restoreCommand,
  rollbackCommand,
  maintenanceCommand,
  datasetStatusCommand,
  datasetImportCommand,
  datasetPullCommand,
  datasetMirrorCommand,
  datasetPicturesCommand,
  datasetRegisterCommand,
  datasetEmbedCommand,
  datasetWithdrawCommand,
  modelsListCommand,
  modelsPullCommand,
  modelsAddCommand,
  modelsExportCommand,
  modelsImportCommand,
  modelsCalibrateCommand,
  marksCheckCommand,
  ...adminCommands,
  completionCommand,
];
