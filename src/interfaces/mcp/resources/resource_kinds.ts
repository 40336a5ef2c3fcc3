import { assets } from './assets.ts';
import { guides } from './guides.ts';
import { results } from './results.ts';
import { toolSchemas } from './tool_schemas.ts';
import type { ResourceKind } from './types.ts';
import { views } from './views.ts';
import { works } from './works.ts';

/** All kinds of resources. */
export const resourceKinds: readonly ResourceKind[] = [guides, works, assets, results, toolSchemas, views];
