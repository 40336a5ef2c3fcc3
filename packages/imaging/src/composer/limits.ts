/** Maximum layers of a composition, including those in groups. */
export const LAYERS_MAX = 100;
/** Maximum operations of all layers together. */
export const LAYER_OPERATIONS_MAX = 200;
/** Maximum nesting of groups. */
export const GROUP_DEPTH_MAX = 4;
/** Maximum pixels of the images of all layers together. */
export const LAYER_IMAGES_PIXELS_MAX = 200_000_000;
