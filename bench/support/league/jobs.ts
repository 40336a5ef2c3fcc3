import type { Job, World } from './job.ts';
import { otherJobs } from './other_jobs.ts';
import { pictureJobs } from './picture_jobs.ts';
import { printJobs } from './print_jobs.ts';
import { rightsJobs } from './rights_jobs.ts';

/** The forty jobs of the league. */
export const jobsIn = (world: World): Job[] => [
  ...pictureJobs(world),
  ...printJobs(world),
  ...rightsJobs(world),
  ...otherJobs(world),
];
