/** A user task with its tools in display order. */
interface Task {
  /** Anchor on the page of tools. */
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** One sentence for people by tool name; models read the summary of the tool. */
  readonly tools: Readonly<Record<string, string>>;
}

/** Tasks whose tools make, read or find images. */
export const TASKS: readonly Task[] = [
  {
    id: 'clean-up',
    title: 'Clean up and edit',
    lead: 'Crop, adjust, erase, convert.',
    tools: {
      edit_image: 'Crop, rotate, adjust, blur, redact and add text in one pass.',
      erase_object: 'Remove people, text or clutter and fill in the background.',
      resize_image: 'Fit, crop or stretch to exact dimensions.',
      convert_image: 'Change the format or limit the file size.',
      edit_with_words: 'Describe a change in text; an image model makes it.',
    },
  },
  {
    id: 'enlarge',
    title: 'Enlarge',
    lead: 'More pixels and more detail.',
    tools: {
      upscale_image: 'Enlarge 2 to 8 times with a super-resolution network.',
      compare_upscalers: 'Compare all upscaling models on one detail.',
    },
  },
  {
    id: 'cut-out',
    title: 'Cut out and compose',
    lead: 'Isolate a subject, combine images and text.',
    tools: {
      remove_background: 'Cut the subject out with soft edges.',
      compose_image: 'Build posters, cards and collages from images, text and shapes.',
      make_variants: 'Make every size for social media, shops, apps and email.',
      generate_image: 'Generate an image from a description.',
    },
  },
  {
    id: 'redraw',
    title: 'Redraw and colour',
    lead: 'Vector shapes and colour palettes.',
    tools: {
      vectorize_image: 'Redraw a logo or drawing as SVG, sharp at any size.',
      extract_palette: 'Extract the main colours with names, shares and swatch files.',
    },
  },
  {
    id: 'print',
    title: 'Products and print',
    lead: 'Product mockups and print files.',
    tools: {
      mockup_image: 'See artwork on a mug, bag, shirt, canvas or phone case.',
      print_ready: 'Make a print file with exact size, bleed, crop marks and CMYK.',
      convert_color_profile: 'Convert to CMYK or sRGB, or preview the printed colours.',
      preflight_file: 'Check a PDF or TIFF for errors before printing.',
    },
  },
  {
    id: 'prove',
    title: 'Watermark and verify',
    lead: 'Find copies and check where an image comes from.',
    tools: {
      watermark_embed: 'Hide up to 256 characters in the pixels, invisibly.',
      watermark_detect: 'Read the watermark, even after cropping or a photograph of a screen.',
      register_hash: 'Register an image so that copies are found later.',
      verify_provenance: 'See whether an image copies a registered work or is marked as AI.',
      infuse_metadata: 'Write title, creator and rights into the file.',
    },
  },
  {
    id: 'describe',
    title: 'Describe and read',
    lead: 'Descriptions, text and metadata.',
    tools: {
      enrich_metadata: 'Write title, description, keywords and alt text.',
      read_text: 'Read the text in an image, with its position.',
      inspect_image: 'Show format, size, colours, location data and problems.',
    },
  },
  {
    id: 'find',
    title: 'Find works of art',
    lead: 'Public-domain works of museums.',
    tools: {
      search_artworks: 'Search by text, colour, period or a similar image.',
      get_artwork: 'Get a work with its record, rights and image links.',
      get_artwork_oracle: 'Get the full analysis of a work: up to 111 fields.',
      batch_download: 'Get hundreds of records and links in one call.',
      compliance_manifest: 'Get the disclosures for using this dataset as training data.',
    },
  },
];

/** Tasks about files, calls and accounts, shown as a list. */
export const OTHER_TASKS: readonly Task[] = [
  {
    id: 'combine',
    title: 'Combine tools',
    lead: '',
    tools: {
      run_recipe: 'Run up to 12 tools in one call.',
      manage_recipes: 'List presets and manage saved recipes.',
      open_workspace: 'Collect images and calls in a workspace shared with people and agents.',
      show_workspace: 'Show a workspace as a numbered contact sheet.',
      get_job: 'Get the status and result of a long call.',
      cancel_job: 'Cancel a long call. You are not charged.',
    },
  },
  {
    id: 'store',
    title: 'Store and share',
    lead: '',
    tools: {
      save_asset: 'Save a file under a name.',
      get_asset: 'Get a stored file with a link.',
      list_assets: 'List stored files and the remaining space.',
      delete_asset: 'Delete a stored file.',
      manage_trash: 'Restore deleted files and earlier versions.',
      zip_files: 'Pack files into a ZIP, or unpack one.',
      request_upload: 'Get a link for uploading a file.',
      store_permanent: 'Store a file permanently, with a public record.',
      post_to_community: 'Post to the gallery, cafe or registry.',
    },
  },
  {
    id: 'account',
    title: 'Account and catalogue',
    lead: '',
    tools: {
      open_account: 'Open an account for an agent without a wallet.',
      register_wallet: 'Register a wallet and receive free credits.',
      manage_wallet: 'Lock a wallet and manage its API keys.',
      check_balance: 'Show credits, holds and recent transactions.',
      request_payment: 'Create a payment link for a person.',
      search_tools: 'Find a tool by what it does.',
      get_tool_schema: 'Show every field of a tool.',
    },
  },
];
