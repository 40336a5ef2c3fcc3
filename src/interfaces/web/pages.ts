import { collectionPage } from './collection/collection_page.ts';
import { mapPage } from './collection/map_page.ts';
import { setsPage } from './collection/sets_page.ts';
import { workPage } from './collection/work_page.ts';
import { zoomPage } from './collection/zoom_page.ts';
import { docPage, docsPage } from './docs/docs_pages.ts';
import { cafePage } from './feeds/cafe_page.ts';
import { galleryPage } from './feeds/gallery_page.ts';
import { registryPage } from './feeds/registry_page.ts';
import { adminActionPage } from './operate/admin_action_page.ts';
import { operatePage } from './operate/operate_page.ts';
import { sectionPages } from './operate/section_pages.ts';
import { signInCallbackPage, signInStartPage, signOutPage } from './operate/sign_in_pages.ts';
import { walletReportPage } from './operate/wallet_report_page.ts';
import { newRecipePage } from './recipes/new_recipe_page.ts';
import { recipePage } from './recipes/recipe_page.ts';
import { recipesPage } from './recipes/recipes_page.ts';
import { startPage } from './table/start_page.ts';
import { tablePage } from './table/table_page.ts';
import { runsPage } from './tools/runs_page.ts';
import { toolPage } from './tools/tool_page.ts';
import { toolsPage } from './tools/tools_page.ts';
import type { AnyPage } from './types.ts';
import { verifyPage } from './verify/verify_page.ts';
import { backPage } from './wallet/back.ts';
import { filesPage } from './wallet/files_page.ts';
import { leavePage } from './wallet/leave_page.ts';
import { receiptPage } from './wallet/receipt_page.ts';
import { versionsPage } from './wallet/versions_page.ts';
import { walletPage } from './wallet/wallet_page.ts';

/** Every page of the studio except the home page (`home_page.ts`). */
export const pages: readonly AnyPage[] = [
  startPage,
  tablePage,
  toolsPage,
  toolPage,
  runsPage,
  recipesPage,
  newRecipePage,
  recipePage,
  collectionPage,
  mapPage,
  setsPage,
  zoomPage,
  workPage,
  galleryPage,
  cafePage,
  registryPage,
  verifyPage,
  docsPage,
  docPage,
  walletPage,
  backPage,
  filesPage,
  versionsPage,
  leavePage,
  receiptPage,
  operatePage,
  ...sectionPages,
  adminActionPage,
  walletReportPage,
  signInStartPage,
  signInCallbackPage,
  signOutPage,
];
