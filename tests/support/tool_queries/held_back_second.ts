import type { ToolQuery } from './tool_query.ts';

/**
 * A second list that is only counted, one wish for each tool, written before it was looked at which of the first are missed. No word and no
 * weight may be changed for one of these.
 */
export const HELD_BACK_SECOND: readonly ToolQuery[] = [
  ['this jpeg is 4000 px wide, bring it down to 800', 'resize_image'],
  ['which colours are in our company logo', 'extract_palette'],
  ['what will the ink look like compared to my monitor', 'convert_color_profile'],
  ['erase everything behind the person in the photo', 'remove_background'],
  ['I need the logo scalable without losing quality', 'vectorize_image'],
  ['low res scan, need it twice the resolution', 'upscale_image'],
  ['try all the super resolution models and tell me the winner', 'compare_upscalers'],
  ['suggest a title and tags for my drawing', 'enrich_metadata'],
  ['claim this artwork as mine with a timestamp', 'register_hash'],
  ['reverse image search: has this been used before', 'verify_provenance'],
  ['A4 sheet with 3 mm bleed for my printing company', 'print_ready'],
  ['preview of the design on a coffee mug for my shop', 'mockup_image'],
  ['set the author and copyright fields of a jpg', 'infuse_metadata'],
  ['impressionist landscapes with a river', 'search_artworks'],
  ['embed an invisible customer id in the image before I send it out', 'watermark_embed'],
  ['find out whose hidden mark is in the leaked copy', 'watermark_detect'],
  ['get the high resolution file of met_45434', 'get_artwork'],
  ['composition, lighting and symbolism of that painting', 'get_artwork_oracle'],
  ['export 500 museum works as json lines', 'batch_download'],
  ['transparency summary about training data for the regulator', 'compliance_manifest'],
  ['the photo is on my laptop, how can I hand it to you', 'request_upload'],
  ['keep this image in my account so I can use it next week', 'save_asset'],
  ['give me back the picture I saved as logo.png', 'get_asset'],
  ['how much of my storage is used and by what', 'list_assets'],
  ['clean up, drop the old draft from my storage', 'delete_asset'],
  ['archive this picture so nobody can ever take it down', 'store_permanent'],
  ['remove the background, then upscale, then put it on a shirt in one go', 'run_recipe'],
  ['make me a new account with my ethereum address', 'register_wallet'],
  ['do I still have enough credits', 'check_balance'],
  ['ask my boss to pay with his credit card', 'request_payment'],
  ['is there anything here that works on photos for free', 'search_tools'],
  ['what arguments does upscale_image take', 'get_tool_schema'],
  ['verify the pdf from indesign before printing', 'preflight_file'],
  ['check pdf for bleed and trim box', 'preflight_file'],
  ['get this png below 300 kilobytes', 'convert_image'],
  ['does this photo contain gps coordinates', 'inspect_image'],
];
