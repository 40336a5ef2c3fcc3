import type { Command } from '../command.ts';
import { adminCommands } from './admin.ts';
import { backupCommand } from './backup.ts';
import { callCommand } from './call.ts';
import { completionCommand } from './completion.ts';
import { configCommand } from './config.ts';
import {
  datasetEmbedCommand,
  datasetImportCommand,
  datasetMirrorCommand,
  datasetPicturesCommand,
  datasetPullCommand,
  datasetRegisterCommand,
  datasetStatusCommand,
  datasetWithdrawCommand,
} from './dataset.ts';
import { helpCommand } from './help.ts';
import { invoiceCommand } from './invoice.ts';
import { jobCommand } from './job.ts';
import { maintenanceCommand } from './maintenance.ts';
import { marksCheckCommand } from './marks_check.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import {
  modelsAddCommand,
  modelsCalibrateCommand,
  modelsExportCommand,
  modelsImportCommand,
  modelsListCommand,
  modelsPullCommand,
} from './models.ts';
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
