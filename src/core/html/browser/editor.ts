/** Bundle for tool pages with an editor: stage, list of operations and fields edited on the image. */
import './edit_fields.ts';
import './item_list.ts';
import './object_fields.ts';
import './stage.ts';
