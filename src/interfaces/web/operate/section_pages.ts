import { html } from 'hono/html';
import { z } from 'zod';
import type { Html, Page } from '../../../core/html/html_page.ts';
import type { Overview } from '../../../features/operator/routes/overview.ts';
import { type AnyPage, definePage, type Visit } from '../types.ts';
import { warningList } from './alert_list.ts';
import { asOperator, ofOperators } from './as_operator.ts';
import { askDay, askOverview, liveFetches, liveRefresh } from './ask_overview.ts';
import { actionsPart, postsPart } from './by_hand_sections.ts';
import { deadLettersPart } from './dead_letters_part.ts';
import { deskPart } from './desk_part.ts';
import { besideNav, OPERATE_PAGES, type OperatePath } from './operate_nav.ts';
import {
  backupSection,
  booksSection,
  cpuSection,
  healthSection,
  museumsSection,
  networksSection,
  processesSection,
  queueSection,
  refusalsSection,
  webhooksSection,
} from './overview_sections.ts';

interface Section {
  readonly path: Exclude<OperatePath, '/operate' | '/operate/wallets'>;
  /** Part of the overview. */
  readonly ofOverview?: (overview: Overview, visit: Visit) => Html;
  /** Anything else. */
  readonly body?: (visit: Visit) => Promise<Html>;
  /** Content changes while something is downloaded. */
  readonly isLive?: true;
}

const titleIn =
  ({ studio: { tools } }: Visit) =>
  (name: string): string =>
    tools.find((tool) => tool.name === name)?.title ?? name;

const SECTIONS: readonly Section[] = [
  { path: '/operate/health', ofOverview: healthSection },
  { path: '/operate/queue', ofOverview: (overview, visit) => queueSection(overview, titleIn(visit)) },
  { path: '/operate/dead_letters', body: deadLettersPart },
  { path: '/operate/servers', ofOverview: (overview, visit) => processesSection(overview, titleIn(visit)) },
  { path: '/operate/museums', ofOverview: museumsSection, isLive: true },
  { path: '/operate/networks', ofOverview: networksSection, isLive: true },
  { path: '/operate/webhooks', ofOverview: webhooksSection },
  { path: '/operate/books', ofOverview: booksSection },
  { path: '/operate/desk', body: deskPart },
  { path: '/operate/backup', ofOverview: backupSection },
  {
    path: '/operate/limits',
    ofOverview: (overview) =>
      html`<section class="first"><h2>CPU time</h2>${cpuSection(overview)}</section><section><h2>Refused requests</h2>${refusalsSection(overview)}</section>`,
  },
  { path: '/operate/posts', body: postsPart },
  { path: '/operate/actions', body: actionsPart },
  {
    path: '/operate/log',
    body: async (visit) =>
      html`<p class="quiet">Warnings and errors of this server since it started, at most 100, without refused requests, which <a href="/operate/limits">Limits</a> shows.</p>${warningList(await askDay(visit))}`,
  },
];

/** A page for each part of the state of a server. */
export const sectionPages: readonly AnyPage[] = SECTIONS.map((section) =>
  definePage({
    name: section.path.slice(1).replace('/', '_'),
    path: section.path,
    room: '/operate',
    input: z.object({
      deep: z.enum(['1']).optional().catch(undefined).describe('1: tests every engine.'),
    }),
    show: ({ deep }, anybody) => asOperator(anybody, (visit) => sectionPage(section, visit, deep)),
  }),
);

async function sectionPage(section: Section, visit: Visit, deep: '1' | undefined): Promise<Page> {
  const { path, ofOverview, body, isLive } = section;
  const title = OPERATE_PAGES[path];
  const common = { ...ofOperators, title, heading: html`<h1>${title}</h1>` };
  if (!ofOverview) return { ...common, body: besideNav(path, (await body?.(visit)) ?? html``) };
  const overview = await askOverview(visit, path === '/operate/health' ? deep : undefined);
  const content = ofOverview(overview, visit);
  if (!isLive) return { ...common, body: besideNav(path, content) };
  return {
    ...common,
    files: [...ofOperators.files, 'run.ts'],
    ...liveRefresh(overview),
    body: besideNav(path, liveFetches(overview, content)),
  };
}
