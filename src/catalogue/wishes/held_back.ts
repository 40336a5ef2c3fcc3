import type { Wish } from './wish.ts';

/**
 * Written in one sitting before the words of any tool were read, and only counted since: no word, weight or synonym was changed
 * for what is missed here. One wish for each tool, and three more; those of tools that came later stand last.
 */
export const HELD_BACK: readonly Wish[] = [
  ['shrink this jpg so I can email it', 'resize_image'],
  ['cut it to a square for my avatar', 'resize_image'],
  ['my picture is tiny and pixelated, I want it large and crisp', 'upscale_image'],
  ['try every enlarger on my photo and tell me the winner', 'compare_upscalers'],
  ['cut the person out of the photo', 'remove_background'],
  ['what are the main shades in this photo', 'extract_palette'],
  ['turn my scanned logo into something I can scale without blur', 'vectorize_image'],
  ['the print shop wants a pdf with 3 mm bleed', 'print_ready'],
  ['get my photo onto an A2 poster at 300 dpi', 'print_ready'],
  ['the printer asked for fogra39', 'convert_color_profile'],
  ['show my drawing on a coffee mug', 'mockup_image'],
  ['write a title and description for my shop listing', 'enrich_metadata'],
  ['put my contact details inside the picture file', 'infuse_metadata'],
  ['leave a secret mark in my picture before I post it', 'watermark_embed'],
  ['someone reposted my image, is my mark still in there', 'watermark_detect'],
  ['was this photo made by a computer', 'verify_provenance'],
  ['I need proof of the date I drew this', 'register_hash'],
  ['paintings of the sea at night', 'search_artworks'],
  ['who made this museum piece, I have its number', 'get_artwork'],
  ['tell me the story and the symbols behind this masterpiece', 'get_artwork_oracle'],
  ['a thousand landscapes to train my model on', 'batch_download'],
  ['report about our training pictures for the regulator', 'compliance_manifest'],
  ['put this file somewhere so I can use it next week', 'save_asset'],
  ['give me back the file I kept yesterday', 'get_asset'],
  ['what is in my folder here', 'list_assets'],
  ['erase a file I no longer want', 'delete_asset'],
  ['it should still be online in a hundred years', 'store_permanent'],
  ['I am new here, how do I start', 'register_wallet'],
  ['how much have I spent', 'check_balance'],
  ['is there something here that can help me', 'search_tools'],
  ['which arguments does this function take', 'get_tool_schema'],
  ['Hintergrund entfernen', 'remove_background'],
  ['cut out the product and put it on a mug, all in one go', 'run_recipe'],
  ['my boss should pay for this with a card', 'request_payment'],
  ['use the picture that lies on my desktop', 'request_upload'],
];
