/** The page of a tool with an editor: stage, list of operations, and fields that are set on the image. */
import './edit_fields.ts';
import './item_list.ts';
import './object_fields.ts';
import './stage.ts';
