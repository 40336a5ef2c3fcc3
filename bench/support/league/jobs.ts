import { blindJobs } from './blind_jobs.ts';
import { editorJobs } from './editor_jobs.ts';
import type { Job, World } from './job.ts';
import { otherJobs } from './other_jobs.ts';
import { pictureJobs } from './picture_jobs.ts';
import { printJobs } from './print_jobs.ts';
import { rightsJobs } from './rights_jobs.ts';

/**
 * The jobs of the benchmark: forty for the first tools, thirty-two for the editor, and thirty-two by a person
 * who had not seen the tools.
 */
export const jobsIn = (world: World): Job[] => [
  ...pictureJobs(world),
  ...printJobs(world),
  ...rightsJobs(world),
  ...otherJobs(world),
  ...editorJobs(world),
  ...blindJobs(world),
];
