/** Layers of a composition, those in groups included. */
export const LAYERS_MAX = 100;
/** Operations of all layers together. */
export const LAYER_OPERATIONS_MAX = 200;
/** Groups inside groups. */
export const GROUP_DEPTH_MAX = 4;
/** Pixels of the images of all layers together. */
export const LAYER_IMAGES_PIXELS_MAX = 200_000_000;
