/** What people come to do, with the tools for it in the order in which they are shown. */
interface Task {
  /** Anchor on the page of tools. */
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  /** Names of tools with one sentence each, for people; models read the summary of the tool. */
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
      convert_image: 'Change the format, or stay below a file size.',
      edit_with_words: 'Describe a change and an image model makes it.',
    },
  },
  {
    id: 'enlarge',
    title: 'Enlarge',
    lead: 'More pixels, with detail.',
    tools: {
      upscale_image: 'Enlarge 2 to 8 times with a super-resolution network.',
      compare_upscalers: 'Run every network on one detail and pick the best.',
    },
  },
  {
    id: 'cut-out',
    title: 'Cut out and compose',
    lead: 'Separate the subject, build something new.',
    tools: {
      remove_background: 'Cut the subject out with soft edges.',
      compose_image: 'Posters, cards and collages from images, text and shapes.',
      make_variants: 'Every size for social media, shops, apps and email at once.',
      generate_image: 'Make an image from a description.',
    },
  },
  {
    id: 'redraw',
    title: 'Redraw and colour',
    lead: 'Shapes and colours instead of pixels.',
    tools: {
      vectorize_image: 'Redraw a logo or drawing as SVG, sharp at any size.',
      extract_palette: 'The main colours with names, shares and files for design programs.',
    },
  },
  {
    id: 'print',
    title: 'Products and print',
    lead: 'From the screen to cloth, glass and paper.',
    tools: {
      mockup_image: 'See artwork on a mug, bag, shirt, canvas or phone case.',
      print_ready: 'A sheet a printer accepts: exact size, bleed, crop marks, CMYK.',
      convert_color_profile: 'Convert to CMYK or sRGB, or preview the printed colours.',
      preflight_file: 'Find the faults of a PDF or TIFF before it is printed.',
    },
  },
  {
    id: 'prove',
    title: 'Mark and prove',
    lead: 'Find copies, show where an image comes from.',
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
    lead: 'What an image shows, says and hides.',
    tools: {
      enrich_metadata: 'Title, description, keywords and alt text.',
      read_text: 'Read the text in an image, with its position.',
      inspect_image: 'Format, size, colours, location data and faults of a file.',
    },
  },
  {
    id: 'find',
    title: 'Find works of art',
    lead: 'Public-domain works of museums.',
    tools: {
      search_artworks: 'Search by words, colour, period or a similar image.',
      get_artwork: 'One work with its record, rights and image links.',
      get_artwork_oracle: 'The full analysis of one work: up to 111 fields.',
      batch_download: 'Hundreds of records and links at once.',
      compliance_manifest: 'What to disclose about this dataset as training data.',
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
      run_recipe: 'Up to 12 tools in one call.',
      manage_recipes: 'Presets and saved recipes.',
      open_workspace: 'Images and calls in one place, shared with people and agents.',
      show_workspace: 'A numbered contact sheet of a workspace.',
      get_job: 'State and result of a long call.',
      cancel_job: 'Stop a long call; nothing is charged.',
    },
  },
  {
    id: 'store',
    title: 'Store and share',
    lead: '',
    tools: {
      save_asset: 'Keep a file under a name.',
      get_asset: 'A stored file with a link.',
      list_assets: 'All stored files and the space left.',
      delete_asset: 'Delete a stored file.',
      manage_trash: 'Deleted files and earlier versions.',
      zip_files: 'Pack files into a ZIP, or unpack one.',
      request_upload: 'A link to upload a file to.',
      store_permanent: 'Keep a file permanently, with a public record.',
      post_to_community: 'Post to the gallery, cafe or registry.',
    },
  },
  {
    id: 'account',
    title: 'Account and catalogue',
    lead: '',
    tools: {
      open_account: 'An account for an agent without a wallet.',
      register_wallet: 'Register a wallet and receive free credits.',
      manage_wallet: 'Lock a wallet, manage its keys.',
      check_balance: 'Credits, holds and recent entries.',
      request_payment: 'A payment link for a person.',
      search_tools: 'Find a tool by what it does.',
      get_tool_schema: 'Every field of one tool.',
    },
  },
];
