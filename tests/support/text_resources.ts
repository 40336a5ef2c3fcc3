export { TEXT_RESOURCES as textResources } from '../../src/core/workers/text_resources.ts';
