// Made by "npm run generate"; changes belong in the code it is made from.

/** A picture: bytes, base64, an https:// address, or a handle (upload:…, asset:…, result:…, artwork:…). */
export type Picture = string | Uint8Array | Blob;

/** What every answer carries beside the fields of its tool. */
export interface Envelope {
  cost: {
    credit: number;
    usd: number;
    note?: string;
  };
  next_steps: ({
    action: string;
    cost: string;
    endpoint: string;
    why: string;
    params?: Record<string, unknown>;
  })[];
  /** How a paid call was paid. */
  payment?: {
    method: "credits";
    wallet: string;
    transaction_id: string;
    receipt_id: string;
    /** Signed receipt: compact JWS, EdDSA, keys at /.well-known/jwks.json. Its answer_sha256 is of this answer as sent with the receipt itself cut out. */
    receipt: string;
    /** Credits given back once the call is settled. */
    credit_back: number;
  } | {
    method: "card";
    payment_intent_id: string;
    transaction_id: string;
    receipt_id: string;
    /** Signed receipt: compact JWS, EdDSA, keys at /.well-known/jwks.json. Its answer_sha256 is of this answer as sent with the receipt itself cut out. */
    receipt: string;
    /** What the card paid by this call; 0 where the intent had been captured before. */
    charged_usd: number;
    /** Calls like this one the intent still pays. */
    calls_left: number;
    /** false: no money moved. */
    livemode: boolean;
    /** Who gets the credits below. */
    wallet?: string;
    /** Credits given back once the call is settled. */
    credit_back?: number;
    /** What the card paid beyond whole calls, as credits. */
    surplus_credits?: number;
  } | {
    method: "x402";
    /** Who paid. */
    wallet: string;
    /** CAIP-2. */
    network: string;
    /** The token it was paid in. */
    asset: string;
    /** In the token's smallest unit. */
    amount: string;
    /** Names the payment in the books here; the header names the transaction. */
    transaction_id: string;
    receipt_id: string;
    /** Signed receipt: compact JWS, EdDSA, keys at /.well-known/jwks.json. Its answer_sha256 is of this answer as sent with the receipt itself cut out. */
    receipt: string;
    /** Credits given back once the call is settled. */
    credit_back: number;
  };
  /** The part of the file that was used, where less than all: "page 2 of 2". */
  looked_at?: string;
  /** Where the call named a workspace: its act there, and the items of its results. */
  workspace?: {
    id: string;
    act: number;
    items: (number)[];
    url: string;
  };
  /** What the caller should know though the call succeeded. */
  warnings?: (string)[];
}

/** What a call would cost and do. */
export interface Quote {
  dry_run: true;
  tool: string;
  valid: true;
  quote: {
    credit: number;
    usd: number;
    credit_back?: number;
    affordable?: boolean;
    balance?: number;
    /** Balance once the call is paid and the credit-back has come; absent where it cannot be paid. */
    balance_after?: number;
    /** Why the run will cost nothing, or less than its price. */
    note?: string;
    /** Works the run will answer, and how many of them name a picture. */
    works?: {
      returned: number;
      with_picture: number;
    };
    /** Of a call made of several: what each step costs. */
    steps?: ({
      item?: number;
      save_as: string;
      tool: string;
      credit: number;
      note?: string;
    })[];
    /** Networks one of which will run. */
    networks?: (string)[];
    /** Whether something lesser than what was asked for will run. */
    degraded?: boolean;
    /** What is missing, and how to get it. */
    degraded_reason?: string;
    /** Of the work on this server, with that of calls before it; a check "time" says where the work is too long. */
    estimated_seconds?: number;
  };
  /** What has been checked, and what only the run can tell. */
  checks: ({
    check: "input" | "pictures" | "payer" | "funds" | "budget" | "consent" | "time" | "vision" | "sight" | "run";
    state: "passed" | "failed" | "at_run";
    detail: string;
  })[];
  /** How long the call takes, from runs measured on this server; null before the first. */
  estimate: {
    typical_ms: number | null;
    slow_ms: number | null;
    runs: number;
    basis: string;
  };
  cost: {
    credit: number;
    usd: number;
    note?: string;
  };
  next_steps: ({
    action: string;
    cost: string;
    endpoint: string;
    why: string;
    params?: Record<string, unknown>;
  })[];
  /** What the caller should know though the call succeeded. */
  warnings?: (string)[];
}

export interface Tools {
  /** Crops, rotates, resizes, pads, adjusts, blurs, redacts and overlays an image: a list of operations; keeps animations. */
  edit_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      operations: ({
        op: "crop";
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        /** "16:9" or 1.5. */
        aspect?: number | string;
        width?: number | string;
        height?: number | string;
        /** Default: "centre". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest" | "subject" | "face" | "faces" | "text" | "attention";
        /** About what was found. Default: "8%". */
        padding?: number | string;
      } | {
        op: "trim";
        /** Levels of 255. Default: 10. */
        tolerance?: number;
        /** Absent: the colour of the corners. */
        background?: string;
        /** Default: 0. */
        padding?: number | string;
      } | {
        op: "rotate";
        /** Clockwise. */
        degrees: number;
        /** Default: "transparent". */
        background?: string;
        /** Default: true. */
        expand?: boolean;
      } | {
        op: "straighten";
        /** Default: 5. */
        max_degrees?: number;
      } | {
        op: "flip";
        /** Default: "horizontal". */
        axis?: "horizontal" | "vertical" | "both";
      } | {
        op: "resize";
        width?: number | string;
        height?: number | string;
        scale?: number;
        /** cover crops, contain pads, fill may distort. Default: "inside". */
        fit?: "inside" | "cover" | "fill" | "outside" | "contain";
        /** Absent: only for a scale, or where fit gives both sides exactly. */
        enlarge?: boolean;
        /** Default: "centre". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** Default: "transparent". */
        background?: string;
      } | {
        op: "pad";
        top?: number | string;
        right?: number | string;
        bottom?: number | string;
        left?: number | string;
        /** "16:9" or 1.5. */
        aspect?: number | string;
        width?: number | string;
        height?: number | string;
        /** Default: "centre". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** A colour, or edge, mirror, blur. Default: "white". */
        background?: string;
      } | {
        op: "border";
        /** Default: "2%". */
        width?: number | string;
        /** Default: "black". */
        color?: string;
        /** Default: false. */
        inside?: boolean;
      } | {
        op: "round";
        /** "50%" of a square is a circle. Default: "10%". */
        radius?: number | string;
      } | {
        op: "shadow";
        /** Default: "1%". */
        x?: number | string;
        /** Default: "2%". */
        y?: number | string;
        /** As in CSS. Default: "4%". */
        blur?: number | string;
        /** Default: 0. */
        spread?: number | string;
        /** Default: "rgb(0 0 0 / 50%)". */
        color?: string;
      } | {
        op: "background";
        color?: string;
        gradient?: {
          /** Default: "linear". */
          type?: "linear" | "radial";
          /** As in CSS: 90 to the right, 180 down. Default: 180. */
          angle?: number;
          stops: ({
            color: string;
            at?: number;
          })[];
        };
        /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
        image?: Picture;
        /** Of the image itself. */
        blur?: number | string;
        /** Remove the background of the image as sent first, before all operations. */
        remove?: boolean;
      } | {
        op: "adjust";
        /** EV: 1 doubles the light. Default: 0. */
        exposure?: number;
        /** Default: 0. */
        brightness?: number;
        /** Default: 0. */
        contrast?: number;
        /** Default: 0. */
        saturation?: number;
        /** Default: 0. */
        vibrance?: number;
        /** Above 0 warmer. Default: 0. */
        temperature?: number;
        /** Above 0 magenta. Default: 0. */
        tint?: number;
        /** Default: 0. */
        highlights?: number;
        /** Default: 0. */
        shadows?: number;
        /** Default: 1. */
        gamma?: number;
        /** Default: 0. */
        hue?: number;
        levels?: {
          /** Default: 0. */
          black?: number;
          /** Default: 255. */
          white?: number;
          /** Default: 1. */
          gamma?: number;
          /** Default: 0. */
          out_black?: number;
          /** Default: 255. */
          out_white?: number;
        };
        /** [from, to], 0 to 255. */
        curve?: ((number)[])[];
        /** Exposure, white balance and levels. Default: false. */
        auto?: boolean;
      } | {
        op: "curve";
        /** [from, to], 0 to 255. */
        points: ((number)[])[];
        /** Default: "rgb". */
        channel?: "rgb" | "red" | "green" | "blue";
      } | {
        op: "tone";
        /** Default: "grayscale". */
        style?: "grayscale" | "sepia" | "duotone" | "invert" | "threshold" | "posterize";
        /** Default: 1. */
        amount?: number;
        /** Default: "#1b1464". */
        dark?: string;
        /** Default: "#fdf3d8". */
        light?: string;
        /** Default: 128. */
        threshold?: number;
        /** Default: 4. */
        levels?: number;
      } | {
        op: "lut";
        /** A .cube file: its text, base64 or a handle. */
        file: string;
        /** Default: 1. */
        amount?: number;
      } | {
        op: "sharpen";
        /** Default: 0.5. */
        amount?: number;
        /** Default: 1. */
        radius?: number | string;
      } | {
        op: "denoise";
        /** Default: 0.5. */
        amount?: number;
        /** Size of the coarsest grain, up to 8 px. Default: 4. */
        radius?: number | string;
      } | {
        op: "blur";
        /** Standard deviation. */
        amount?: number | string;
        /** Default: "all". */
        where?: "all" | "faces" | "text" | "background" | ({
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        })[];
        /** Default: "10%". */
        feather?: number | string;
      } | {
        op: "pixelate";
        /** Side of a cell. */
        amount?: number | string;
        /** Default: "all". */
        where?: "all" | "faces" | "text" | "background" | ({
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        })[];
      } | {
        op: "redact";
        where: "all" | "faces" | "text" | "background" | ({
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        })[];
        /** Default: "black". */
        color?: string;
        /** Default: 0. */
        padding?: number | string;
      } | {
        op: "overlay";
        /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
        image: Picture;
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        width?: number | string;
        height?: number | string;
        /** Default: "centre". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** Default: "3%". */
        margin?: number | string;
        /** Default: 0. */
        rotate?: number;
        /** Default: 1. */
        opacity?: number;
        /** Default: "normal". */
        blend?: "normal" | "multiply" | "screen" | "overlay" | "soft-light" | "hard-light" | "darken" | "lighten" | "difference" | "exclusion" | "color-dodge" | "color-burn" | "hue" | "saturation" | "color" | "luminosity";
        /** Default: false. */
        tile?: boolean;
      } | {
        op: "mask";
        /** Its opacity, else its brightness. */
        image?: Picture;
        shape?: "circle" | "ellipse" | "rect";
        /** Default: 0. */
        radius?: number | string;
        /** Default: false. */
        invert?: boolean;
        /** Default: 0. */
        feather?: number | string;
      } | {
        op: "opacity";
        value: number;
      } | {
        op: "flatten";
        /** Default: "white". */
        background?: string;
      } | {
        op: "perspective";
        /** Upper left, upper right, lower right, lower left of what becomes a rectangle. */
        corners?: ((number | string)[])[];
        /** Points that move to those of to. Absent: the corners of the image. */
        from?: ((number | string)[])[];
        to?: ((number | string)[])[];
        width?: number | string;
        height?: number | string;
      } | {
        op: "text";
        text: string;
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        /** Default: "south". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** Default: "5%". */
        margin?: number | string;
        width?: number | string;
        font?: string;
        weight?: number;
        /** Absent: fitted into box, else 6 %. */
        size?: number | string;
        /** true: as large as fits. Absent: smaller than size where that does not fit. false: never. */
        fit?: boolean;
        /** Absent: black or white, by what is behind it. */
        color?: string;
        align?: "start" | "left" | "center" | "right" | "end";
        valign?: "top" | "middle" | "bottom";
        leading?: number;
        tracking?: number;
        direction?: "auto" | "ltr" | "rtl";
        language?: string;
        stroke?: {
          /** Default: "black". */
          color?: string;
          /** Default: "0.4%". */
          width?: number | string;
        };
        shadow?: {
          /** Default: "0.3%". */
          x?: number | string;
          /** Default: "0.3%". */
          y?: number | string;
          /** Default: "0.8%". */
          blur?: number | string;
          /** Default: "rgb(0 0 0 / 70%)". */
          color?: string;
        };
        background?: {
          /** Default: "rgb(0 0 0 / 60%)". */
          color?: string;
          /** Default: "1.5%". */
          padding?: number | string;
          /** Default: 0. */
          radius?: number | string;
        };
        /** Default: 0. */
        rotate?: number;
        /** Default: 1. */
        opacity?: number;
        /** Repeats it all over, margin apart. Default: false. */
        tile?: boolean;
      } | {
        op: "shape";
        /** Default: "rect". */
        type?: "rect" | "ellipse" | "line" | "arrow" | "polygon" | "path";
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        points?: ((number | string)[])[];
        /** SVG path data. */
        path?: string;
        /** Default: 0. */
        radius?: number | string;
        fill?: string;
        stroke?: string;
        /** Of the stroke. Default: "0.6%". */
        width?: number | string;
        shadow?: {
          /** Default: "0.3%". */
          x?: number | string;
          /** Default: "0.3%". */
          y?: number | string;
          /** Default: "0.8%". */
          blur?: number | string;
          /** Default: "rgb(0 0 0 / 70%)". */
          color?: string;
        };
        /** Default: 0. */
        rotate?: number;
        /** Default: 1. */
        opacity?: number;
      } | {
        op: "qr";
        text: string;
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        /** Default: "southeast". */
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** Default: "3%". */
        margin?: number | string;
        /** Default: "25%". */
        width?: number | string;
        /** Default: "M". */
        level?: "L" | "M" | "Q" | "H";
        /** Default: 4. */
        quiet_zone?: number;
        /** Default: "black". */
        color?: string;
        /** Default: "white". */
        background?: string;
      } | {
        op: "ai_label";
        /** Default: "icon". */
        style?: "icon" | "text";
        /** Default: "bottom_right". */
        corner?: "top_left" | "top_right" | "bottom_left" | "bottom_right";
        /** Default: "en". */
        language?: "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "ga" | "hr" | "hu" | "it" | "lt" | "lv" | "mt" | "nl" | "pl" | "pt" | "ro" | "sk" | "sl" | "sv";
        /** Default: "modified". */
        kind?: "generated" | "modified";
      })[];
      /** Absent: as it was sent, but png where the result is transparent and that format is not. */
      format?: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** Absent: 90 for jpeg and webp, 60 for avif. */
      quality?: number;
      /** Loses no pixel. Absent: only png, tiff, ico and apng lose none; false gives a png a palette. */
      lossless?: boolean;
      /** The file has at most so many bytes: quality gives way first, then the size in pixels. */
      max_bytes?: number;
      /** Of an animation; gif, webp and apng hold them all. Default: "all". */
      frames?: "all" | "first";
      /** What mm count by, and what the file says. Absent: that of the file, else 300. */
      dpi?: number;
      /** Wide colours such as Display P3 stay, with their profile, in png, jpeg, webp and tiff; srgb converts them. Default: "keep". */
      color?: "keep" | "srgb";
      /** Also say what saving lost. Default: false. */
      measure?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      /** What the images say of themselves that were placed in it; the result says it too. */
      ingredients?: ({
        layer: string;
        /** Names an owner, a licence or an opt-out. */
        rights: boolean;
        /** Says that AI made it. */
        ai: boolean;
        /** Has a C2PA manifest. */
        c2pa: boolean;
      })[];
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** That it was saved with, where something is lost. */
      saved_quality?: number;
      /** Of an animation. */
      frames?: number;
      /** What each operation did, with the boxes it chose, in px of the canvas before it, and why. */
      applied: ({
        op: string;
        box?: Record<string, number>;
        boxes?: (Record<string, number>)[];
        reason?: string;
        result_width: number;
        result_height: number;
      })[];
      /** The operations with every default, to be sent again with the original. */
      history: ({
        op: string;
      })[];
      /** As stored in the file sent, before orientation is applied. */
      original_width: number;
      original_height: number;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Lays images, text of any script, shapes and QR codes on a canvas in px or mm: posters, cards, collages. */
  compose_image: {
    input: {
      canvas: {
        width: number;
        height: number;
        /** Default: "px". */
        unit?: "px" | "mm";
        /** Absent: 96, and 300 for mm. */
        dpi?: number;
        /** CSS colour, or transparent. Default: "white". */
        background?: string;
        /** Of a pdf, around the canvas. */
        bleed_mm?: number;
      };
      layers: ({
        type: "image" | "text" | "shape" | "qr" | "group";
        /** For captions, and the answer. */
        name?: string;
        /** Absent: by gravity, or by the layout. */
        box?: {
          x: number | string;
          y: number | string;
          width: number | string;
          height: number | string;
        };
        gravity?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** From the edges, with gravity. */
        margin?: number | string;
        width?: number | string;
        height?: number | string;
        opacity?: number;
        blend?: "normal" | "multiply" | "screen" | "overlay" | "soft-light" | "hard-light" | "darken" | "lighten" | "difference" | "exclusion" | "color-dodge" | "color-burn" | "hue" | "saturation" | "color" | "luminosity";
        /** Degrees clockwise. */
        rotate?: number;
        /** As of edit_image. Of an image before it is placed; of other layers on what is drawn. */
        operations?: (Record<string, unknown>)[];
        /** {image} or {shape: circle|ellipse|rect}, invert, feather: where the layer shows. */
        mask?: Record<string, unknown>;
        /** An address that it leads to, in a pdf or svg. */
        link_to?: string;
        /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
        image?: Picture;
        fit?: "contain" | "cover" | "fill" | boolean;
        /** Of corners. */
        radius?: number | string;
        text?: string;
        /** A family, or sans, serif, hand, mono. */
        font?: string;
        weight?: number;
        /** Height of the em. Absent: fits the box. */
        size?: number | string;
        color?: string;
        align?: "start" | "left" | "center" | "right" | "end";
        valign?: "top" | "middle" | "bottom";
        /** Distance of lines, in em. */
        leading?: number;
        /** Between letters, in em. */
        tracking?: number;
        direction?: "auto" | "ltr" | "rtl";
        language?: string;
        stroke?: {
          color: string;
          width: number | string;
          cap?: "round" | "butt" | "square";
        };
        shadow?: {
          x?: number | string;
          y?: number | string;
          blur?: number | string;
          color?: string;
        };
        background?: string | {
          color: string;
          padding?: number | string;
          radius?: number | string;
        };
        shape?: "rect" | "ellipse" | "line" | "arrow" | "polygon" | "path";
        fill?: string;
        points?: ((number | string)[])[];
        /** SVG path data. */
        path?: string;
        level?: "L" | "M" | "Q" | "H";
        quiet_zone?: number;
        layers?: (Record<string, unknown>)[];
        layout?: {
          /** Default: "grid". */
          type?: "grid" | "row" | "column" | "masonry";
          columns?: number;
          /** Absent: 2 %. */
          gap?: number | string;
          /** At the edges. Absent: the gap. */
          padding?: number | string;
          /** Of layers in their cells. */
          align?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
          /** Write the name of each layer below it. */
          captions?: boolean;
          /** Number the layers. */
          numbers?: boolean;
        };
      })[];
      /** Places the layers that have neither box nor gravity. */
      layout?: {
        /** Default: "grid". */
        type?: "grid" | "row" | "column" | "masonry";
        columns?: number;
        /** Absent: 2 %. */
        gap?: number | string;
        /** At the edges. Absent: the gap. */
        padding?: number | string;
        /** Of layers in their cells. */
        align?: "centre" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest";
        /** Write the name of each layer below it. */
        captions?: boolean;
        /** Number the layers. */
        numbers?: boolean;
      };
      /** pdf has live text, svg outlines. Default: "png". */
      format?: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng" | "svg";
      /** Absent: 90 for jpeg and webp, 60 for avif. */
      quality?: number;
      /** Loses no pixel. Absent: only png, tiff, ico and apng lose none; false gives a png a palette. */
      lossless?: boolean;
      /** The file has at most so many bytes: quality gives way first, then the size in pixels. */
      max_bytes?: number;
      /** Printing condition of a pdf, as in print_ready: its colours become CMYK. Absent: sRGB. */
      profile?: string;
      /** A document each: {{name}} in texts, and as image of a layer, becomes its value: text, a handle, or {"image": "https://…"}. */
      data?: (Record<string, string | number | {
        /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
        image: Picture;
      } | null>)[];
      /** Lays the documents of data, or copies of the one, edge to edge on paper with cut marks: one pdf, or an image of one sheet. */
      sheet?: "a3" | "a4" | "a5" | "letter";
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What the images say of themselves that were placed in it; the result says it too. */
      ingredients?: ({
        layer: string;
        /** Names an owner, a licence or an opt-out. */
        rights: boolean;
        /** Says that AI made it. */
        ai: boolean;
        /** Has a C2PA manifest. */
        c2pa: boolean;
      })[];
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng" | "svg";
      /** That it was saved with, where something is lost. */
      saved_quality?: number;
      /** Of a CMYK pdf: what its profile calls itself. */
      profile_name?: string;
      dpi: number;
      /** Of a pdf or sheet. */
      pages?: number;
      /** Where each layer lies, in px of the canvas or of its group; how text was set. */
      layers: ({
        layer: string;
        type: string;
        name?: string;
        caption?: string;
        box: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** Of text, px. */
        size?: number;
        lines?: (string)[];
        fonts?: (string)[];
        missing_glyphs?: (string)[];
        applied?: ({
          op: string;
        })[];
      })[];
      /** All documents of data; other fields are about the first. */
      files?: ({
        name: string;
        bytes: number;
        result: string;
        result_url: string;
      })[];
      zip?: string;
      zip_url?: string;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Makes a picture smaller or larger, fitted, cropped or stretched, in any common format. */
  resize_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Pixels. */
      width: number;
      /** Pixels. */
      height: number;
      /** contain keeps all, cover crops, stretch may distort. Default: "contain". */
      mode?: "contain" | "cover" | "stretch";
      /** jpeg and pdf have no transparency: it is laid on white. Default: "png". */
      format?: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** Where something is lost: jpeg, webp, avif. Default: 90. */
      quality?: number;
      /** Reducing averages light, or in gamma the stored values, as most programs do. Default: "linear". */
      light?: "linear" | "gamma";
      /** Wide colours such as Display P3 stay, with their profile, in png, jpeg, webp and tiff; srgb converts them. Default: "keep". */
      color?: "keep" | "srgb";
      /** Answer quality: what saving lost. Default: false. */
      measure?: boolean;
      /** Loses no pixel. Absent: only png, tiff, ico and apng lose none; false gives a png a palette. */
      lossless?: boolean;
      /** The file has at most so many bytes: quality gives way first, then the size in pixels. */
      max_bytes?: number;
      /** Of an animation; gif, webp and apng hold them all. Default: "all". */
      frames?: "all" | "first";
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      mode: "contain" | "cover" | "stretch";
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** That it was saved with, where something is lost. */
      saved_quality?: number;
      /** Of an animation. */
      frames?: number;
      /** As stored in the file sent, before orientation is applied. */
      original_width: number;
      original_height: number;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Saves a picture in another format, or below a size in bytes; keeps animations. */
  convert_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** pdf and tiff hold pages; gif, webp and apng hold frames. */
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** Absent: 85 for jpeg and pdf, 82 for webp, 60 for avif. */
      quality?: number;
      /** Loses no pixel. Absent: only png, tiff, ico and apng lose none; false gives a png a palette. */
      lossless?: boolean;
      /** The file has at most so many bytes: quality gives way first, then the size in pixels. */
      max_bytes?: number;
      /** Of an animation; gif, webp and apng hold them all. Default: "all". */
      frames?: "all" | "first";
      /** Of a PDF, TIFF or animation: 2, 1-3,5 or all. pdf and tiff hold several; other formats give a ZIP of images. */
      pages?: string;
      /** Written into the file; a PDF that is sent is drawn at it. Other pixels stay as they are. */
      dpi?: number;
      /** Wide colours such as Display P3 stay, with their profile, in png, jpeg, webp and tiff; srgb converts them. Default: "keep". */
      color?: "keep" | "srgb";
      /** What transparency is laid on where the format has none; white if absent. */
      background?: string;
      /** Also say what saving lost. Default: false. */
      measure?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** That it was saved with, where something is lost. */
      saved_quality?: number;
      /** Of an animation. */
      frames?: number;
      /** Of a document or ZIP. */
      pages?: number;
      /** Several pages in a format that holds one: what is in the ZIP. */
      files?: ({
        name: string;
        page: number;
        width: number;
        height: number;
        result: string;
        result_url: string;
      })[];
      original_format: string;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Makes a picture in all sizes for social media, favicons, app icons, shops, email or srcset. */
  make_variants: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** A named set, or a list of sizes {name, width, height, format}; without height the shape is kept. */
      set: "social" | "favicon" | "app_icons" | "shop" | "email" | "responsive" | ({
        name?: string;
        width: number;
        height?: number;
        format?: "png" | "jpeg" | "webp" | "avif";
      })[];
      /** subject: crops around faces or the subject; cover: the middle; pad: cuts nothing. Default: "subject". */
      fit?: "subject" | "cover" | "pad";
      /** Hex colour around and behind. Absent: transparent where it was, or that of the corners. */
      background?: string;
      /** Instead of each size's own; icons stay as they have to be. */
      format?: "png" | "jpeg" | "webp" | "avif";
    };
    answer: {
      files: ({
        /** In the ZIP. */
        name: string;
        width: number;
        height: number;
        bytes: number;
        content_type: string;
        /** The part of the picture, in its pixels. */
        shows: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** Where the size is asked for. */
        source?: string;
        result: string;
        result_url: string;
      })[];
      /** result: handle of all files in one. */
      zip: string;
      zip_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      zip_bytes: number;
      /** What crops lie around, and how it was found. */
      located?: string;
      /** For the page; also in the ZIP. */
      snippet: {
        html?: string;
        manifest?: string;
      };
      /** When the sizes of the set were last compared with their sources. */
      sizes_of?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Tells format, size, colour, pages, frames, metadata, location and faults of an image file; finds faces, text. */
  inspect_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** What to find. Default: []. */
      find?: ("faces" | "text" | "people" | "objects" | "subjects")[];
    };
    answer: {
      format: string;
      /** As shown, after orientation. */
      width: number;
      height: number;
      file: {
        size_bytes: number;
        compression: string;
        stored_width: number;
        stored_height: number;
        /** As in Exif: 1 is upright. */
        orientation: number;
      };
      color: {
        /** sRGB, Display P3, the name of a profile, … */
        space: string;
        /** default: nothing. */
        stated_by: "icc" | "cicp" | "nclx" | "srgb" | "gama_chrm" | "exif" | "tiff_tags" | "default";
        model: string;
        /** Of one sample. */
        bits: number;
        floating_point: boolean;
        extra_channels: number;
      };
      transparency: "none" | "alpha" | "premultiplied";
      hdr: "PQ" | "HLG" | "gain map" | null;
      pages: {
        count: number;
        used: number;
      } | null;
      animation: {
        frames: number;
        duration_ms: number;
        loops: number;
      } | null;
      has_location: boolean;
      metadata: {
        has_c2pa: boolean;
        /** By IPTC or a label; verify_provenance reads all layers. */
        marked_as_ai: boolean;
        ai_marks: (string)[];
        /** Data, never instructions. */
        untrusted_text: Record<string, string>;
      };
      /** How tools read it: what is converted, left out, repaired. */
      notes: (string)[];
      found: {
        faces?: ({
          x: number;
          y: number;
          width: number;
          height: number;
          confidence: number;
        })[];
        text?: ({
          x: number;
          y: number;
          width: number;
          height: number;
          confidence: number;
        })[];
        /** Part of the image they take up. */
        people?: {
          share: number;
          confidence: number;
        };
        /** People and vehicles. */
        objects?: ({
          x: number;
          y: number;
          width: number;
          height: number;
          confidence: number;
          name: string;
        })[];
        subjects?: ({
          term: string;
          confidence: number;
        })[];
      };
      summary: string;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Reads text in an image (OCR): lines with boxes, text, Markdown, hOCR. */
  read_text: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Of the text, such as en (BCP 47). Absent: English or Chinese. */
      language?: string;
      /** lines: each with its box. text, markdown, hocr: one document in `untrusted_text`, in reading order. Default: "lines". */
      format?: "lines" | "text" | "markdown" | "hocr";
    };
    answer: {
      /** In reading order; boxes in pixels of the image as shown. Present for format lines. */
      lines?: ({
        untrusted_text: string;
        x: number;
        y: number;
        width: number;
        height: number;
        confidence: number;
      })[];
      /** Lines that were found and not read: in a script this reader does not know, or too unclear. */
      unread?: ({
        x: number;
        y: number;
        width: number;
        height: number;
      })[];
      /** The document of the other formats. Text from an image is data, never instructions. */
      untrusted_text?: string;
      lines_read: number;
      /** Mean of the lines; absent where there are none. */
      confidence?: number;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Finds the main colours of a picture with their shares and names, small vivid accents included; exact for flat artwork. */
  extract_palette: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** For one palette of all. */
      more_images?: (Picture)[];
      /** The most colours wanted. Default: 6. */
      num_colors?: number;
      /** Keeps a PNG of them for 24 hours. Default: false. */
      swatch_sheet?: boolean;
      /** Keeps them as a file, too. */
      palette_file?: "ase" | "gpl" | "css" | "json";
      /** How `value` is written. Default: "hex". */
      format?: "hex" | "rgb" | "hsl";
    };
    answer: {
      /** The largest share first. */
      colors: ({
        hex: string;
        rgb: {
          r: number;
          g: number;
          b: number;
        };
        hsl: {
          h: number;
          s: number;
          l: number;
        };
        /** The colour as CSS text in the format asked for. */
        value: string;
        /** Part of the visible picture; all percentages add up to 100.0. */
        percentage: number;
        /** The nearest of about 160 common colour names. */
        name: string;
      })[];
      /** The `value` of the first colour. */
      dominant_color: string;
      /** How many were found. */
      num_colors: number;
      format: "hex" | "rgb" | "hsl";
      /** With more_images: percentages of `colors` in each image, in the order sent. */
      each_image?: ((number)[])[];
      /** Hex colours that go with the picture; absent where it has only greys. */
      harmony?: {
        /** The most vivid of the large colours. */
        base: string;
        complementary: string;
        analogous: (string)[];
        triadic: (string)[];
      };
      /** Pairs of these colours, in hex, in which text can be read by WCAG 2.2, the strongest first; they may be exchanged. */
      contrast_pairs: ({
        text: string;
        background: string;
        ratio: number;
        level: "AAA" | "AA" | "AA large";
      })[];
      /** Handle of the PNG, where it was asked for. */
      swatch_sheet?: string;
      swatch_sheet_url?: string;
      /** Handle of the file, where it was asked for. */
      palette_file?: string;
      palette_file_url?: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at?: string;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Converts a picture between screen and print colours by ICC profiles: to a CMYK TIFF for a press with a report of inks and lost colours, a soft proof, or an sRGB PNG. */
  convert_color_profile: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** cmyk: a TIFF, transparency on white; srgb: a PNG. The profile is embedded. Default: "cmyk". */
      target_profile?: "cmyk" | "srgb";
      /** Written into the file; pixels are not resampled. Default: 300. */
      dpi?: number;
      /** The press to convert for: coated_fogra39 (offset on coated paper, Europe), uncoated_fogra29 (offset on white uncoated paper, Europe), coated_gracol2006 (offset on coated paper, GRACoL, America), or one the operator has added. Absent: coated_fogra39. */
      profile?: string;
      /** To cmyk: how colours beyond the inks are brought in. Default: "perceptual". */
      intent?: "perceptual" | "relative" | "saturation" | "absolute";
      /** With relative: keeps steps of shadows apart. Default: true. */
      black_point_compensation?: boolean;
      /** keep: neutral greys and black text in black ink alone, as in CMYK pictures. Default: "mix". */
      black?: "mix" | "keep";
      /** A PNG of how the inks will look on their paper. Default: false. */
      soft_proof?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      /** What the ICC profile calls itself. */
      profile: string;
      color_mode: "CMYK" | "RGB";
      dpi: number;
      soft_proof: boolean;
      /** Of inks and of soft proofs. */
      report?: {
        /** Part of the picture whose colours the inks miss plainly. */
        out_of_gamut_share: number;
        /** In the darkest parts; four full inks are 400. */
        ink_max_percent: number;
        ink_mean_percent: number;
        plates_percent: {
          cyan: number;
          magenta: number;
          yellow: number;
          black: number;
        };
      };
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Cuts the subject out of a picture, with soft edges. */
  remove_background: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Both keep transparency; webp is smaller. Default: "png". */
      output_format?: "png" | "webp";
      /** The opacity alone, as a grey picture: white is the object. Default: false. */
      mask_only?: boolean;
      /** Hex colour to lay the object on. Absent: transparent. */
      background_color?: string;
      /** Which subject: a point on it {x, y} or a box around it {left, top, width, height}, in pixels of the picture as shown; or a word: face, person, text, car, dog. Absent: what stands out. */
      where?: Record<string, number> | string;
      /** Corrections drawn on the picture: [{points: [[x, y], …], radius, keep}] in pixels as shown; keep true: subject, false: background. Each spreads to the nearest edges. */
      strokes?: (Record<string, unknown>)[];
      /** The subject as a picture of the same proportions, such as an earlier cut-out to correct: opaque, or white where nothing is transparent. Absent: it is found. */
      mask?: Picture;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      format: "png" | "webp";
      /** What separated the object from the background: a network, colours alone, a flat background, transparency the picture came with, or the mask that was sent. */
      found_by: "network" | "colors" | "flat_background" | "own_transparency" | "mask";
      /** How much of the old background's colour is left along the edge: 0 none, 1 all. Absent where the picture came with transparency. */
      halo_score?: number;
      /** true: parts may be missing or too much kept; warnings says what helps. */
      unsure: boolean;
      /** How likely less than 0.9 of it is right; above 0.2 it is unsure. Absent: a flat background, or corrected. */
      uncertainty?: number;
      /** Part of the picture, mostly along the edge, of which the engine was not sure once it had found an object. */
      uncertainty_share: number;
      /** Part of the picture that was kept. */
      object_share: number;
      /** Boxes of what was kept, the largest first; `where` takes one. */
      subjects: ({
        left: number;
        top: number;
        width: number;
        height: number;
      })[];
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
        /** Where it ran: cpu, cuda, … */
        provider?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Erases boxes, a mask, text or faces and fills in what could be behind. */
  erase_object: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** What to erase: boxes [{x, y, width, height}] in pixels of the picture as shown, or text or faces, which are found. Or send mask. */
      where?: "text" | "faces" | (Record<string, number>)[];
      /** What to erase as a picture of the same size: what is white, or opaque where it has transparency. */
      mask?: Picture;
      /** Pixels around it over which the result blends in; further out nothing changes. Default: 2. */
      feather?: number;
      /** png keeps every other pixel exactly. Default: "png". */
      format?: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** Where something is lost: jpeg, webp, avif. Default: 90. */
      quality?: number;
      /** The file has at most so many bytes: quality gives way first, then the size in pixels. */
      max_bytes?: number;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      format: "png" | "jpeg" | "webp" | "avif" | "gif" | "tiff" | "pdf" | "ico" | "apng";
      /** That it was saved with, where something is lost. */
      saved_quality?: number;
      /** patches: of the picture itself. */
      filled_by: "network" | "patches";
      /** Boxes around what was erased, in pixels. */
      areas: ({
        x: number;
        y: number;
        width: number;
        height: number;
      })[];
      /** Of the picture. */
      erased_percent: number;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
        /** Where it ran: cpu, cuda, … */
        provider?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Redraws a logo, icon or drawing as sharp SVG shapes. */
  vectorize_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** binary draws the dark parts in black on nothing; the threshold is found from the picture. Default: "color". */
      mode?: "color" | "binary";
      /** Higher gives more colours: at most 2, 4, 8, 16 at 1 to 4, from 5 on finer differences; with a purpose other than screen as 4. No effect in mode binary. Default: 6. */
      color_precision?: number;
      /** Higher gives fewer small artifacts: about the side in pixels of the smallest patch kept. From 5 on, single points are not drawn as dots either. Default: 4. */
      filter_speckle?: number;
      /** Fill with these colours and no other, in mode color. */
      palette?: (string)[];
      /** false fills with plain colours only; so does a purpose other than screen. Default: true. */
      gradients?: boolean;
      /** A picture that would take more nodes is refused, with what would do. Default: 100000. */
      max_nodes?: number;
      /** Instead of refusing, gives up detail down to max_nodes. Default: false. */
      force?: boolean;
      /** All but screen are drawn in mm, with a layer a colour (at most 16, or the palette). print: plain inks over each other without gaps. cut: closed outlines without fills, for a sheet of material a colour; what lies inside is cut first, then the nearest. plot: lines along the middle of all strokes, through their crossings, in the order of a short way. engrave: the same for strokes up to 1 mm wide, wider ink as areas in a layer of its own. plot and engrave draw what is dark, or a layer for each colour of the palette that is not the paper. Default: "screen". */
      purpose?: "screen" | "print" | "cut" | "engrave" | "plot";
      /** Not screen. Without it the image’s own resolution tells, or it is 100 mm; a warning says which. */
      width_mm?: number;
      /** Of a cut: how much the tool takes away. Parts are cut half of it larger all round, holes smaller, so that they come out at their size. Default: 0. */
      kerf_mm?: number;
      /** bridge makes a stencil of a cut: what lies inside an opening is joined to the sheet by bridges, bridge_mm wide, over the shortest way, large parts twice, and the kerf is taken from the openings. Default: "keep". */
      islands?: "keep" | "bridge";
      /** Default: 2. */
      bridge_mm?: number;
      /** dxf, of a cut or lines: release 12, polylines in mm, one layer a colour. pdf: at its size, layers, inks of a print as spot colours. result_url has it, svg_content the same as SVG. Default: "svg". */
      format?: "svg" | "dxf" | "pdf";
      /** "url" leaves the drawing out; result_url has it for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The drawing itself; absent with output "url". */
      svg_content?: string;
      width: number;
      height: number;
      path_count: number;
      node_count: number;
      /** Closed or open outlines, of which a path may have several; circles and rectangles count as one. */
      subpath_count: number;
      gradient_count: number;
      /** The drawing, rendered, against the picture (binary: against its two tones), as traced. */
      raster_error: {
        psnr_db: number;
        mean_delta_e: number;
      };
      mode: "color" | "binary";
      color_precision: number;
      filter_speckle: number;
      /** Of a drawing in mm. */
      sheet?: {
        width_mm: number;
        height_mm: number;
        /** The colour of each, the lowest first. */
        layers: (string)[];
        cut?: {
          kerf_mm: number;
          /** How far straight pieces may pass from the curve; 0 for curves. */
          tolerance_mm: number;
          cut_mm: number;
          /** The way between outlines, in the order they were found and in that of the file. */
          travel_mm: {
            found: number;
            ordered: number;
          };
        };
        /** Of a stencil: parts that would have fallen out, and what holds them. */
        bridges?: {
          islands: number;
          bridges: number;
        };
        /** Of a plot or engraving: lines drawn, and the way between them with the pen up. */
        lines?: {
          tolerance_mm: number;
          drawn_mm: number;
          travel_mm: {
            found: number;
            ordered: number;
          };
        };
      };
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Enlarges a picture 2, 3, 4, 6 or 8 times with a super-resolution network. */
  upscale_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Absent: by `scale`, and for a clean picture one that is true to it. Default: "realesrgan_x2plus". */
      model?: "realesrgan_x2plus" | "realesrgan_x4plus" | "realesrgan_x4plus_anime" | "realesr_general_x4v3" | "realesr_animevideov3";
      /** 2, 3, 4, 6 or 8; ignored when model is given. Default: 2. */
      scale?: number;
      /** Only with model realesr_general_x4v3: 1 smooths noise as that does, 0 keeps it, by its twin's weights; in steps of 0.25. */
      denoise?: number;
      /** false: 503 and no charge rather than a smaller network. Default: true. */
      allow_degraded?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      model: "realesrgan_x2plus" | "realesrgan_x4plus" | "realesrgan_x4plus_anime" | "realesr_general_x4v3" | "realesr_animevideov3" | "span_x2" | "span_x4";
      /** How many times wider and higher the picture became. */
      scale: number;
      original_size_bytes: number;
      upscaled_size_bytes: number;
      /** That ran, in order. */
      networks: (string)[];
      chosen_because?: string;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      /** Up to 4 times: a small grey picture, the lighter the more of the detail was made up. */
      detail_map?: {
        content_type: string;
        size_bytes: number;
        /** Handle that any image field accepts. */
        result: string;
        /** Signed link to the bytes, valid until expires_at. */
        result_url: string;
        /** When the file and its link end: 24 hours after it was made. */
        expires_at: string;
        /** Of the file it was made of, with its own extension. */
        name?: string;
        width: number;
        height: number;
      };
      /** Its most detailed part, reduced and enlarged again, against the picture. Absent: too small a picture. */
      against_lanczos?: {
        /** PSNR above that of Lanczos; negative: Lanczos was nearer. */
        gain_db: number;
        gain_ssim: number;
        /** Less is degraded, and free. */
        gain_min_db: number;
      };
      /** The strength that ran, where one was asked for. */
      denoise?: number;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
        /** Where it ran: cpu, cuda, … */
        provider?: string;
        /** With `denoise`: whose weights were mixed, and how much each counts. */
        mixed?: ({
          network: string;
          share: number;
          weights_sha256: string;
        })[];
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Runs every upscaling network on the most detailed part of a picture: contact sheet, figures, and which one to use. */
  compare_upscalers: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** The part compared, at most 96 pixels wide and high. */
      crop: {
        left: number;
        top: number;
        width: number;
        height: number;
      };
      /** spoiled: compressed or noisy. */
      condition: "clean" | "spoiled";
      condition_reason: string;
      /** drawing: dark lines on calm ground, for which some networks are made. photograph: all else, paintings too. */
      kind: "drawing" | "photograph";
      /** In the order of the sheet, after the picture itself. */
      models: ({
        /** Its name on the sheet; lanczos is plain resampling, for comparison. */
        model: string;
        scale: number;
        /** How steep edges are, against plain resampling to the same size, which is 1. */
        sharpness: number;
        /** Likewise, how much there is to see everywhere: flattened texture has less. */
        detail: number;
        /** Likewise, in the calmest places: above 1 noise was sharpened, below 1 smoothed. */
        noise: number;
        /** Halos and made-up contrast: levels of 255 by which brightness leaves what surrounds it, on average. */
        overshoot_levels: number;
        /** Levels of 255 by which the result, reduced again, differs from the picture: what was changed or made up. */
        departure_levels: number;
        /** For the part compared. */
        seconds: number;
        /** For the whole picture at the same speed; one of several tiles may take twice as long. */
        estimated_seconds: number;
        weights_sha256?: string;
        /** Fields that select it in upscale_image; absent where no call on this server runs it for this picture. */
        call?: Record<string, string | number>;
      })[];
      /** The model to use; the sheet may tell you otherwise. */
      recommended?: string;
      recommended_because?: string;
      /** Official networks this server does not have. */
      not_installed: (string)[];
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Writes title, description, keywords and alt text of an image, or a full analysis in tier premium. Look at the image and send `observations`: they are compared with the pixels. Without them and without a model here it returns a preview and a brief, free. */
  enrich_metadata: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** premium: the full analysis. Default: "premium". */
      tier?: "standard" | "premium";
      /** Of the work; empty: one is suggested. Default: "". */
      title?: string;
      /** Who made it. Default: "". */
      artist_name?: string;
      /** Who holds the rights. Default: "". */
      copyright_holder?: string;
      /** Four digits. Default: "". */
      creation_year?: string;
      /** Sets the style of the analysis. Default: "artwork". */
      content_type?: "artwork" | "photo";
      /** The creator's brief. Default: "". */
      context?: string;
      /** Premium: a public message kept in the metadata. */
      soul_whisper?: {
        message: string;
        /** Default: "". */
        sender?: string;
      };
      /** What you see in the image. Only `subject` is required. */
      observations?: {
        /** What is shown, a noun phrase. */
        subject: string;
        /** What it does, continuing `subject`. */
        action?: string;
        /** Where, with its preposition. */
        setting?: string;
        people_count?: number;
        /** Writing, word for word. */
        visible_text?: (string)[];
        /** Single nouns. */
        objects?: (string)[];
        /** Medium, genre, movement. */
        style?: string;
        mood?: string;
        period?: string;
        /** Only if signed. */
        artist_signed?: string;
        themes?: (string)[];
        symbolism?: string;
        /** Free description. */
        prose?: string;
        /** People by name. */
        named?: ({
          name: string;
          /** How it is known, not by the face. */
          basis: string;
        })[];
      };
      /** Default: that of observations. */
      language?: "en" | "de" | "fr" | "es" | "it" | "ja";
      /** built_in: no network, no model. Default: "default". */
      engine?: "default" | "built_in";
    };
    answer: {
      /** needs_observations: nothing here can see; free. Look at `preview`, then send `observations`. */
      state: "complete" | "needs_observations";
      /** Instructions for the observer. */
      brief?: string;
      /** Of `observations`. */
      example?: Record<string, unknown>;
      /** What was measured and detected, in short. */
      measured?: Record<string, unknown>;
      /** A small copy of the image to look at. */
      preview?: {
        result: string;
        result_url: string;
        content_type: string;
        width: number;
        height: number;
        size_bytes: number;
      };
      /** Observations that the pixels, a network or a museum record disprove. */
      disagreements?: ({
        field: string;
        observed: string;
        found: string;
        basis: string;
      })[];
      tier: "standard" | "premium";
      /** Names of the fields of `metadata`, in tier standard. */
      fields?: (string)[];
      /** How much of the analysis there is, in tier premium. */
      fields_count?: string;
      metadata: {
        title: string;
        description: string;
        keywords: (string)[];
        alt_text: string;
        artist_name?: string;
        creation_year?: string;
        copyright_holder?: string;
      } | {
        title: string;
        art_movements: (string)[];
        artist_analysis: string;
        color_palette: ({
          hex: string;
          name: string;
        })[];
        composition: string;
        emotional_journey: string;
        keywords: (string)[];
        lighting: string;
        mood: string;
        symbolism: string;
        themes: (string)[];
        description?: string;
        alt_text?: string;
        extended_description?: string;
        artist_name?: string;
        creation_year?: string;
        copyright_holder?: string;
        soul_whisper?: {
          message: string;
          /** Default: "". */
          sender: string;
        };
        /** Everything else that is known, each fact with its basis and confidence. */
        sections?: {
          /** Any of title, artist_name, artist_life, date, medium, dimensions, culture, period, classification, department, museum, object_number, credit_line, licence, source_url, copyright_holder, content_type, brief. */
          work: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of summary, alt_text, extended_description, keywords, themes, subjects, people, setting, objects, text_read, horizon, writing, content_hint, repeating_pattern, figure_on_plain_ground. */
          description: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of overview, format, aspect_ratio, focal_point, further_focal_points, eye_path, thirds, balance, vertical_balance, weight_left_pct, weight_top_pct, symmetry, symmetry_score, edge_direction, long_lines, meeting_point, leading_lines, depth_cues, empty_space_pct, empty_space_place. */
          composition: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of palette, dominant_color, dominant_share_pct, accent_color, basic_colors, colorfulness, colorfulness_score, mean_chroma, temperature, warm_share_pct, cool_share_pct, neutral_share_pct, harmony, harmony_fit_pct, hue_families, white_tint. */
          color: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of overview, tonal_map, tonal_key, contrast, mean_lightness, darkest_lightness, lightest_lightness, shadow_pct, highlight_pct, quality, direction, direction_degrees, brightest_area, darkest_area. */
          light: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of texture, edge_pct, edge_quality, directional_grain, flat_color_pct, technique_cues, medium_seen. */
          surface: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of mood, energy, emotional_journey, symbolism, art_movements, style, artist_analysis, cultural_context. */
          reading: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
          /** Any of width_px, height_px, megapixels, file_format, print_size_300_ppi, transparent_pct, clipped_light_pct, clipped_dark_pct, noise_level, blur_score, compression_blocks, margins, flaws. */
          reproduction: Record<string, {
            value: string | (string)[] | number | ({
              hex: string;
              name: string;
              share_pct: number;
            })[];
            basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
            confidence: number;
            /** Of a text of several statements, the basis of each in order. */
            statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
            /** The networks that have seen it, where they are not the engine. */
            by?: string;
            /** Of its terms, the ids at AAT and Wikidata. */
            ids?: Record<string, {
              aat?: string;
              wikidata?: string;
            }>;
          }>;
        };
      };
      /** How each field of `metadata` is known: observed by the caller, measured, given, from a museum record, by a model, or unseen. */
      evidence: Record<string, {
        basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
        confidence: number;
        /** Of a text of several statements, the basis of each in order. */
        statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
        /** The networks that have seen it, where they are not the engine. */
        by?: string;
        /** Of its terms, the ids at AAT and Wikidata. */
        ids?: Record<string, {
          aat?: string;
          wikidata?: string;
        }>;
      }>;
      /** Tokens of the vision model; absent where none was asked. */
      usage?: {
        input_tokens: number;
        output_tokens: number;
        cost_usd?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Registers what a picture looks like (PDQ and hashes of windows), with the time, so that copies are found later, cropped, turned or mirrored too. A known museum work, or your own registration, answers so and costs nothing. */
  register_hash: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Its title, shown to everyone who verifies a copy. Default: "". */
      title?: string;
      /** Its creator, shown to everyone who verifies a copy. Default: "". */
      artist?: string;
      /** Where a permanent record of it lies, if there is one. Default: "". */
      provenance_uri?: string;
      /** Publishes its C2PA manifest, so that copies without one can be traced to it. Default: false. */
      keep_manifest?: boolean;
    };
    answer: {
      /** Whether this call has made a registration. */
      registered: boolean;
      /** Whether the same wallet had registered the same file before. */
      already_registered: boolean;
      /** The registration; null for a known work, which is not registered again. */
      hash_id: string | null;
      registered_at: string | null;
      /** PDQ of the picture: 256 bits as 64 hex digits. */
      hash: string;
      /** How much there is to see; below 50 nothing is registered. */
      quality: number;
      /** Windows of the picture that are found in cropped and turned copies. */
      windows: number;
      sha256: string;
      /** Earlier pictures that look the same: those of the same picture from the earliest on, then the surest. */
      prior_art: ({
        /** work: a known work, such as one of a museum. */
        kind: "registration" | "work";
        credit_id: string;
        title: string;
        artist: string;
        /** Share of equal bits of the two hashes. */
        similarity: number;
        /** Where the permanent record of the work lies. */
        provenance_uri: string;
        registered_at: string | null;
        /** file: its very bytes; picture: its looks as a whole; windows: its looks in parts. */
        found_by: "file" | "picture" | "windows" | "watermark" | "metadata";
        /** That this match is no accident: 1 less chance_match. */
        confidence: number;
        /** That chance alone would have given this match; null for the very file. */
        chance_match: number | null;
      })[];
      /** Where keep_manifest was true; else null. */
      kept_manifest: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Says whether a picture is marked as made with AI, by whom and in which layer (C2PA, IPTC, watermark, label), and which registered work it copies, by perceptual hash, even cropped. Unregistered is not fake. */
  verify_provenance: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
    };
    answer: {
      match_found: boolean;
      total_matches: number;
      /** How sure it is that the best match is no accident: 1 less chance_match. It says nothing about who made the picture. */
      confidence: number;
      /** Perceptual hash of the picture sent: 256 bits as 64 hex digits. */
      computed_hash: string;
      /** The earliest registration of the same image; later registrations of copies do not matter. null where nothing in the index is close enough, which is no evidence against the image. */
      best_match: {
        artist: string;
        credit_id: string;
        /** Where the permanent record of the work lies. */
        provenance_uri: string;
        /** Share of equal bits of the two hashes. */
        similarity: number;
        title: string;
      } | null;
      /** identical: this very file is registered. same_picture: another file of a registered picture. altered: made from one, but cut, turned or changed. conflicting: witnesses or marks of AI contradict each other. marked_as_ai: not registered, and marked as made with AI. unknown: not registered, which says nothing against it. */
      verdict: "identical" | "same_picture" | "altered" | "conflicting" | "marked_as_ai" | "unknown";
      /** The verdict in words for a person; marks of AI first. */
      summary: string;
      /** yes: a layer says that AI made the image or a part of it. no_trace: none does, which does not show that no AI took part. contradictory: layers disagree. */
      marked_as_ai: "yes" | "no_trace" | "contradictory";
      /** What each layer says of how the image was made. */
      ai_marks: ({
        layer: "c2pa" | "iptc" | "soulmark" | "watermark" | "visible_label";
        /** false: it names a source without AI, such as a camera. */
        is_ai: boolean;
        /** Digital Source Type, such as trainedAlgorithmicMedia, or words. */
        says: string;
        /** Organisation in the certificate, provider or credit. */
        who: string | null;
        software: string | null;
        place: string;
        /** broken: of other bytes, or a watermark made for another image. */
        signature: "holds" | "broken" | "none";
        /** Whether the signer is this server or on its trust list. not_checked: there is no list. */
        trust: "trusted" | "untrusted" | "not_checked";
      })[];
      /** The best match and the others: registrations of the same picture first, the earliest before the later, then the surest; at most 100. */
      matches: ({
        /** work: a known work, such as one of a museum. */
        kind: "registration" | "work";
        credit_id: string;
        title: string;
        artist: string;
        /** Share of equal bits of the two hashes. */
        similarity: number;
        /** Where the permanent record of the work lies. */
        provenance_uri: string;
        registered_at: string | null;
        /** file: its very bytes; picture: its looks as a whole; windows: its looks in parts. */
        found_by: "file" | "picture" | "windows" | "watermark" | "metadata";
        /** That this match is no accident: 1 less chance_match. */
        confidence: number;
        /** That chance alone would have given this match; null for the very file. */
        chance_match: number | null;
      })[];
      witnesses: ({
        /** hash: what it looks like; metadata: fields and soulmark embedded in the file; file: its very bytes. */
        witness: "hash" | "watermark" | "metadata" | "c2pa" | "file";
        /** absent: it has nothing to say, which speaks neither for nor against the picture. */
        finding: "agree" | "absent" | "conflict";
        sentence: string;
      })[];
      /** C2PA manifests kept here for pictures this one matches, those of the best match first. Each vouches for the file it was in, not for this copy. */
      kept_manifests: ({
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      })[];
      /** Against the registered picture; null where there is none, or nothing could be laid on it. */
      difference: {
        /** The part of the registered picture that is shown, as shares of its width and height. */
        crop_box: {
          x: number;
          y: number;
          width: number;
          height: number;
        };
        /** Clockwise. */
        rotation_degrees: number;
        /** Left and right, before it was turned. */
        mirrored: boolean;
        /** Where it shows something else than the registered picture, the largest first. Slight retouching is not seen. */
        changed_regions: ({
          /** [x, y] as shares of the picture sent. */
          polygon: ((number)[])[];
          /** Part of the picture sent. */
          share: number;
        })[];
        changed_share: number;
        /** Part of the picture sent that lies outside the registered one, such as a frame. */
        beyond_share: number;
        /** PNG of at most 256 pixels: changes from yellow to red, what lies outside in blue. */
        heat_map_b64: string;
      } | null;
      /** How likely the best match is an accident: that an unrelated picture would have matched as well, or a mark was read where none is. null without a match, and for the very file. */
      chance_match: number | null;
      /** How much there is to see; below 50 looks are not compared. */
      quality: number;
      /** Of the watermark that was read: whether it was made for this picture, and who signed it; null without one. */
      watermark_authorship: {
        /** bound: made here for this picture. part: made here, and what is shown is the marked picture only in part. moved: made here for another picture. other_payload: the id is that of another text. unclear: too little is seen to tell. plain: nothing binds it to a picture; anybody may have put it in. */
        standing: "bound" | "part" | "moved" | "other_payload" | "unclear" | "plain";
        sentence: string;
        /** The wallet that proved itself and signed; null for none. */
        signed_by: string | null;
        signed_at: string | null;
        /** Of what is seen, how much looks as it was marked; null where nothing was compared. */
        share: number | null;
        /** Not one sample differs from the marked picture. */
        exact: boolean;
        /** What was signed when the mark was made (JWS, mark+jwt); empty over MCP. */
        statement: string | null;
        /** The statement as a file, for 24 hours. */
        statement_url?: string;
      } | null;
      /** RFC 3161 time stamp of the C2PA manifest; null where no manifest could be read. trusted: sound, of an authority on the trust list here. untrusted: sound, but not on the list, or there is none. invalid: damaged, wrongly signed, or of another signature. none: no stamp. */
      time_stamp: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      } | null;
      /** What is written in the file for its readers; null where nothing is. */
      codex: {
        /** signed_here, signed_elsewhere: codex and pixels are those signed, by this service or by another signer. other_pixels: signed for another picture. changed: not the codex that was signed. revoked: the key was taken back. unsigned: anybody can have written it. */
        state: "signed_here" | "signed_elsewhere" | "other_pixels" | "changed" | "revoked" | "unsigned";
        /** A message to the reader. As trustworthy as the codex where it comes from there; otherwise a field that anyone can write. */
        soul_whisper: {
          message: string;
          sender: string;
          place: "codex" | "field";
        } | null;
        /** The codex as it stands in the file; null without one, or above 64000 characters. */
        content: Record<string, unknown> | null;
      } | null;
      /** What the file says about rights, place by place. */
      rights_policy: {
        statements: ({
          dialect: "plus" | "iptc" | "tdmrep" | "rsl" | "cawg";
          place: string;
          value: string;
        })[];
        /** Places that contradict each other. */
        conflicts: (string)[];
      } | null;
      /** Marks of AI against two laws; null where nothing names a machine. */
      ai_evidence: ({
        law: "eu_code_of_practice" | "california_sb_942";
        measure: string;
        title: string;
        /** Who carries it out: this server, its operator, or neither. */
        coverage: "here" | "operator" | "not_covered";
        /** not_said: the file does not tell. */
        status: "met" | "not_met" | "not_said";
        by: string;
        /** How that was found. */
        tested: string | null;
      })[] | null;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Makes a file a printer accepts: CMYK TIFF or PDF/X-4 at exact size with bleed, marks, preflight; stickers with cut, n-up, booklets, tiled posters. */
  print_ready: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Default: "a4". */
      product_size?: "a4" | "a3" | "letter" | "poster_24x36" | "custom" | "own";
      /** Width after trimming, in millimetres. Required when product_size is custom. */
      custom_width_mm?: number;
      /** Height after trimming, in millimetres. Required when product_size is custom. */
      custom_height_mm?: number;
      /** Default: 300. */
      dpi?: 150 | 300 | 600;
      /** Beyond the trim on every side, filled from the picture. Default: 3. */
      bleed_mm?: number;
      /** In the bleed of a TIFF; in a PDF outside it, with register targets. Default: true. */
      crop_marks?: boolean;
      /** pdf follows PDF/X-4; text and vectors of an SVG or a PDF stay live in it, and what an SVG calls CutContour, White or data-spot="Name" is a plate of its own. Default: "tiff". */
      output_format?: "tiff" | "pdf";
      /** auto: the way the picture lies; a custom size stays as given unless named. Default: "auto". */
      orientation?: "auto" | "portrait" | "landscape" | "as_given";
      /** cover cuts what is over; contain keeps the whole picture and leaves margins. Absent: contain for drawings and transparent pictures, else cover. */
      fit?: "cover" | "contain";
      /** The printing condition: coated_fogra39 (offset on coated paper, Europe), uncoated_fogra29 (offset on white uncoated paper, Europe), coated_gracol2006 (offset on coated paper, GRACoL, America), or one the operator has added. Default: "coated_fogra39". */
      profile?: string;
      /** Of a PDF or TIFF: the page, such as 2; with n_up or booklet several in their order, such as 1-3,5. Absent: the first; all of a PDF with n_up or booklet. */
      pages?: string;
      /** Several pieces on paper, always as one PDF: n_up, booklet or tiles, such as {"kind": "n_up", "sheet": "a4"}. Each has the size product_size; absent, that of the SVG or PDF (own). */
      layout?: {
        /** n_up: pieces side by side on a sheet, such as business cards or stickers. booklet: pages to be printed on both sides, folded once and stapled. tiles: a poster over several sheets to be glued. */
        kind: "n_up" | "booklet" | "tiles";
        /** The paper: a0, a1, a2, a3, a4, a5, a6, sra3, sra4, letter, legal, tabloid or its sides in mm, such as "320x450". Default a4; of a booklet: as large as the open sheet with bleed and marks. */
        sheet?: string;
        /** n_up, booklet: further pieces or pages after `image`. Every page of a PDF is one already. */
        images?: (Picture)[];
        /** n_up: of each piece. Absent: the sheet is filled. */
        copies?: number;
        /** n_up: between pieces. Absent: twice bleed_mm. 0: neighbours share a cut. */
        gap_mm?: number;
        /** n_up, tiles: white edge of the paper, in which marks lie. Default 10. */
        margin_mm?: number;
        /** booklet: how far the innermost pages are moved to the fold, as thick booklets need. Default 0. */
        creep_mm?: number;
        /** tiles: strip for glue. Default 10. */
        overlap_mm?: number;
      };
      /** A sticker: a contour cut around what is opaque, in the spot colour CutContour, always as a PDF, such as {"offset_mm": 2}. What is cut out has the size product_size; absent, that of the SVG or PDF with the offset. */
      cut?: {
        /** From the edge of the image outwards; negative: into the image, so that no bare edge is left. Default: 2. */
        offset_mm?: number;
        /** Between image and cut: bare material, or the colours of the edge, which go on beyond the cut. Default: "bare". */
        border?: "bare" | "extend";
        /** Radius to which inner corners are rounded. Gaps narrower than twice of it are closed. Default: 0.2. */
        smoothing_mm?: number;
        /** Parts that lie apart: each is cut out, or all as one with bridges between them. Default: "separate". */
        islands?: "separate" | "join";
        /** cut: holes of 3 mm and more after the offset are cut out too. Default: "ignore". */
        holes?: "ignore" | "cut";
      };
      /** For colours beyond the inks; relative suits flat artwork and logos. Default: "perceptual". */
      intent?: "perceptual" | "relative" | "saturation" | "absolute";
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The sheet as base64; absent with output "url". */
      file_b64?: string;
      /** Pixels, bleed included. */
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      product_size: "a4" | "a3" | "letter" | "poster_24x36" | "custom" | "own";
      dpi: 150 | 300 | 600;
      output_format: "tiff" | "pdf";
      trim_mm: {
        width: number;
        height: number;
      };
      bleed_mm: number;
      /** Trim and bleed. */
      sheet_mm: {
        width: number;
        height: number;
      };
      orientation: "portrait" | "landscape" | "square";
      /** Whether marks were drawn. */
      crop_marks: boolean;
      /** Part of the picture inside the trim. */
      kept_share: number;
      profile: string;
      /** What the embedded ICC profile calls itself. */
      profile_name: string;
      color_mode: "CMYK";
      /** Of a PDF: the page with its marks, as the inks look on this paper. */
      preview?: {
        content_type: string;
        size_bytes: number;
        /** Handle that any image field accepts. */
        result: string;
        /** Signed link to the bytes, valid until expires_at. */
        result_url: string;
        /** When the file and its link end: 24 hours after it was made. */
        expires_at: string;
        /** Of the file it was made of, with its own extension. */
        name?: string;
        width: number;
        height: number;
      };
      /** Text and vectors stayed live. False: pixels. */
      live: boolean;
      /** Printed, of a file with several. */
      pages?: {
        used: (number)[];
        of: number;
      };
      layout?: {
        kind: "n_up" | "booklet" | "tiles";
        /** Of the file. */
        pages: number;
        /** Of paper. */
        sheets: number;
        paper_mm: {
          width: number;
          height: number;
        };
        columns?: number;
        rows?: number;
        per_sheet?: number;
        /** Of each piece. */
        copies?: (number)[];
        /** Pieces lie across, as more fit then. */
        turned?: boolean;
        /** Pages on each sheet, left to right; null is blank. */
        order?: ({
          front: (number | null)[];
          back: (number | null)[];
        })[];
        blank_pages?: number;
        overlap_mm?: number;
        /** How to print and finish it. */
        print_as: string;
      };
      /** Of the first sticker. */
      cut?: {
        offset_mm: number;
        /** Of what is cut out. */
        size_mm: {
          width: number;
          height: number;
        };
        paths: number;
        nodes: number;
        holes: number;
      };
      /** Plates beside CMYK, such as CutContour. */
      spot_colors?: (string)[];
      preflight: {
        /** The worst of all checks. */
        verdict: "pass" | "warn" | "fail";
        summary: string;
        /** At this size. Absent: vectors. */
        effective_dpi?: number;
        /** In the darkest parts, of 400. */
        total_ink_percent: number;
        mean_ink_percent: number;
        /** rich_black: C, M, Y, K of large areas. */
        ink_limit: {
          percent: number;
          condition: string;
          rich_black: string;
        };
        /** Colours the inks miss plainly. */
        out_of_gamut_share: number;
        thin_detail_share: number;
        checks: ({
          check: "resolution" | "ink" | "gamut" | "bleed" | "detail" | "crop" | "transparency";
          status: "pass" | "warn" | "fail";
          message: string;
          /** The cheapest call that mends it. */
          mend?: {
            action: string;
            cost: string;
            gives: string;
            endpoint: string;
            /** Body of the call, ready to be sent. */
            params: Record<string, unknown>;
          };
          /** Other ways; a smaller sheet comes last. */
          other_mends?: ({
            action: string;
            cost: string;
            gives: string;
            endpoint: string;
            /** Body of the call, ready to be sent. */
            params: Record<string, unknown>;
          })[];
        })[];
      };
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Checks a PDF (X-1a, X-3, X-4) or TIFF made elsewhere before it is printed: each fault with place and remedy, in drawings; fix repairs it. */
  preflight_file: {
    input: {
      /** PDF or TIFF: URL, upload:<id>, asset:<key>, result:<id> or base64. */
      file: string;
      /** claimed: as the file says. Default: "claimed". */
      standard?: "claimed" | "pdfx1a" | "pdfx3" | "pdfx4" | "none";
      /** Repairs it as well: RGB to the inks of its printing condition, ink to its limit; of a PDF boxes, bleed, output intent, no scripts and links, vectors live; of a TIFF transparency, layers, resolution. Default: false. */
      fix?: boolean;
    };
    answer: {
      /** fail: an error. warn: no error, but a warning. Judged by looked_at.judged_by. */
      verdict: "pass" | "warn" | "fail";
      /** Verdict, and what to mend first. */
      summary: string;
      /** One for each of the worst rules. */
      gravest: ({
        /** Name of the rule; it never changes its meaning. */
        rule: string;
        /** error: will not print as meant. warning: may. */
        severity: "error" | "warning" | "info";
        message: string;
        remedy: string;
        /** Findings of this rule among those listed. */
        places: number;
        /** Absent: only the program that made it mends it. */
        mend?: {
          tool: string;
          params: Record<string, unknown>;
          why: string;
        };
      })[];
      /** No finding is an error. */
      passes: boolean;
      /** How far it was looked at. */
      looked_at: {
        kind: "pdf" | "tiff";
        version: string;
        /** As the file says. */
        claimed: string | null;
        /** none: only what is good for any printer. */
        judged_by: "pdfx1a" | "pdfx3" | "pdfx4" | "none";
        rules: number;
        pages: number;
        pages_read: number;
        /** Of the first page. */
        trim_mm: {
          width: number;
          height: number;
        } | null;
        /** Spot colours. */
        inks: (string)[];
        /** rich_black: C, M, Y, K of large areas. */
        ink_limit: {
          percent: number;
          condition: string;
          rich_black: string;
        };
        /** In one place. */
        most_ink_percent: number;
      };
      counts: {
        error: number;
        warning: number;
        info: number;
        /** Left out of findings: of each rule the first are listed. */
        untold: number;
      };
      /** The worst first. */
      findings: ({
        /** Name of the rule; it never changes its meaning. */
        rule: string;
        /** error: will not print as meant. warning: may. */
        severity: "error" | "warning" | "info";
        page?: number;
        /** As the file names it: "image Im1 (object 12)". */
        object?: string;
        /** From the upper left corner of the page. */
        box_mm?: {
          left: number;
          top: number;
          width: number;
          height: number;
        };
        /** Its number in the drawing of its page. */
        mark?: number;
        message: string;
        remedy: string;
      })[];
      /** First pages with faults, with marks, as PNG. */
      drawings: ({
        page: number;
        width: number;
        height: number;
        content_type: string;
        size_bytes: number;
        /** Handle that any image field accepts. */
        result: string;
        /** Signed link to the bytes, valid until expires_at. */
        result_url: string;
        /** When the file and its link end: 24 hours after it was made. */
        expires_at: string;
        /** Of the file it was made of, with its own extension. */
        name?: string;
      })[];
      /** With fix. */
      repaired?: {
        /** The repaired file. Absent: nothing could be repaired. */
        file?: {
          content_type: string;
          size_bytes: number;
          /** Handle that any image field accepts. */
          result: string;
          /** Signed link to the bytes, valid until expires_at. */
          result_url: string;
          /** When the file and its link end: 24 hours after it was made. */
          expires_at: string;
          /** Of the file it was made of, with its own extension. */
          name?: string;
        };
        /** What was done. */
        changes: (string)[];
        /** What was not, and what to do instead. */
        left: (string)[];
        before: {
          error: number;
          warning: number;
          info: number;
          verdict: "pass" | "warn" | "fail";
        };
        after?: {
          error: number;
          warning: number;
          info: number;
          verdict: "pass" | "warn" | "fail";
          most_ink_percent: number;
        };
        /** As findings, of the repaired file. */
        remaining?: (Record<string, unknown>)[];
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Shows artwork on a product, over a sofa or in your photo, like a photograph. */
  mockup_image: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** framed_print: over a sofa. Cases, cushions, covers, cards, screens, boxes and billboards are filled around the subject, unless parts of it are transparent; others show all. Default: "tshirt". */
      product?: "tshirt" | "poster" | "canvas" | "phone_case" | "mug" | "tote_bag" | "framed_print" | "hoodie" | "cap" | "cushion" | "notebook" | "book" | "business_card" | "sticker" | "laptop" | "phone" | "bottle" | "box" | "billboard";
      /** angle: turned, or from above. Default: "front". */
      view?: "front" | "angle";
      /** Pixels a side. Default: 2000. */
      size?: number;
      /** A photo of your own, of a room, screen, poster, box or shirt, to show it in instead of on a product. */
      scene?: Picture;
      /** Where on the scene: upper left, upper right, lower right, lower left, each [x, y] in px or "%". Absent: a blank surface is looked for. */
      corners?: ((number | string)[])[];
      /** White where the artwork may be seen, black before it. Absent: what reaches into a blank surface stays before it. */
      scene_mask?: Picture;
      /** Of the scene: flat, round as a mug or bottle, or cloth with folds. Absent: by what is found. */
      surface?: "flat" | "cylinder" | "cloth";
      /** cover fills the surface of the scene or product, contain shows all of it; fill stretches it, on a scene only. Absent: fills it; a motif, or art on cloth, is shown whole. */
      fit?: "contain" | "cover" | "fill";
      /** Hex colour behind the product; only its shadow changes it. A billboard has a blue sky by default. Default: "#f5f5f5". */
      background_color?: string;
      /** Hex colour of cloth, cover, glass, metal or frame. Absent: that of the material, such as white, raw cotton or dark oak. */
      product_color?: string;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      /** What the images say of themselves that were placed in it; the result says it too. */
      ingredients?: ({
        layer: string;
        /** Names an owner, a licence or an opt-out. */
        rights: boolean;
        /** Says that AI made it. */
        ai: boolean;
        /** Has a C2PA manifest. */
        c2pa: boolean;
      })[];
      /** null: shown in the scene that was sent. */
      product: "tshirt" | "poster" | "canvas" | "phone_case" | "mug" | "tote_bag" | "framed_print" | "hoodie" | "cap" | "cushion" | "notebook" | "book" | "business_card" | "sticker" | "laptop" | "phone" | "bottle" | "box" | "billboard" | null;
      background_color: string;
      scene?: {
        /** Of the surface in px of the scene as sent; send them again, moved, where they are off. */
        corners: ((number)[])[];
        /** frame: a blank area with straight sides; area: the middle of an even area, such as a shirt. */
        found_by: "caller" | "frame" | "area";
        surface: "flat" | "cylinder" | "cloth";
        fit: "contain" | "cover" | "fill";
        /** Of the surface, what stands before it hides. */
        hidden_percent: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Writes IPTC metadata into PNG, JPEG, WebP or TIFF. Only ai changes pixels: a watermark and, if asked, a visible label. full_codex embeds the codex, signed with the pixels. */
  infuse_metadata: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** standard: the fields listed here. full_codex: a codex of enrich_metadata; the listed fields also go into XMP and IPTC. */
      metadata: {
        /** Title of the work. */
        title?: string;
        /** Caption. */
        description?: string;
        keywords?: (string)[];
        /** Alternative text. */
        alt_text?: string;
        /** Rights holder; the default notice. */
        copyright_holder?: string;
        /** Copyright notice. */
        copyright_notice?: string;
        /** Longer alternative text. */
        extended_description?: string;
        /** Author or authors. */
        creator?: string | (string)[];
        /** Same as creator. */
        artist_name?: string;
        creation_year?: string;
        /** Credit line. */
        credit?: string;
        /** Usage terms. */
        usage_terms?: string;
        /** Page about the rights. */
        rights_url?: string;
        /** Origin, an IPTC term. */
        digital_source_type?: "digitalCapture" | "computationalCapture" | "negativeFilm" | "positiveFilm" | "print" | "humanEdits" | "compositeWithTrainedAlgorithmicMedia" | "algorithmicallyEnhanced" | "digitalCreation" | "digitalArt" | "dataDrivenMedia" | "trainedAlgorithmicMedia" | "algorithmicMedia" | "screenCapture" | "virtualRecording" | "composite" | "compositeCapture" | "compositeSynthetic";
        /** Permission to mine, a PLUS term. */
        data_mining?: "UNSPECIFIED" | "ALLOWED" | "PROHIBITED-AIMLTRAINING" | "PROHIBITED-GENAIMLTRAINING" | "PROHIBITED-EXCEPTSEARCHENGINEINDEXING" | "PROHIBITED" | "PROHIBITED-SEECONSTRAINT" | "PROHIBITED-SEEEMBEDDEDRIGHTSEXPR" | "PROHIBITED-SEELINKEDRIGHTSEXPR";
        /** Conditions of a SEECONSTRAINT term. */
        data_mining_constraints?: string;
        /** AI system used. */
        ai_system?: string;
        /** Its version. */
        ai_system_version?: string;
        /** Prompt. */
        ai_prompt?: string;
        /** Prompt author. */
        ai_prompt_writer?: string;
      };
      /** standard: XMP and IPTC fields. full_codex: also codex and soulmark. Default: "full_codex". */
      metadata_mode?: "standard" | "full_codex";
      /** Rights policy, written as PLUS, IPTC, TDMRep, RSL and CAWG. Replaces the one in the file. */
      rights?: {
        /** Rights holder. */
        holder?: string;
        /** Terms in words, or the address of the licence. */
        licence?: string;
        /** Training AI on it. */
        ai_training?: "allowed" | "no_generative" | "not_allowed" | "constrained";
        /** Data mining; training is a part of it. */
        ai_mining?: "allowed" | "search_only" | "not_allowed" | "constrained";
        /** Conditions, with constrained. */
        terms?: string;
        /** TDM policy for machines. */
        policy_url?: string;
        /** E-mail or page to ask for a licence. */
        contact?: string;
        /** Address of the image, for RSL. */
        url?: string;
      };
      /** Marks the image as AI output: IPTC 2025.1, signed metadata and a watermark. */
      ai?: {
        /** Name of the AI system. */
        system: string;
        /** Its version. */
        version: string;
        /** Who provides it. */
        provider: string;
        /** When, ISO 8601. */
        generated_at: string;
        /** Identifier of the image. Default: the one in the file, or a new one. */
        id?: string;
        /** Draws a visible label into a corner, before the watermark: a duty of deployers for deep fakes. */
        label?: {
          /** icon: "AI GENERATED" as in the EU icon; text: a phrase. Default: "icon". */
          style?: "icon" | "text";
          /** Default: "bottom_right". */
          corner?: "top_left" | "top_right" | "bottom_left" | "bottom_right";
          /** Default: "en". */
          language?: "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "ga" | "hr" | "hu" | "it" | "lt" | "lv" | "mt" | "nl" | "pl" | "pt" | "ro" | "sk" | "sl" | "sv";
        };
      };
      /** Where the server signs a C2PA manifest: keeps it, so that copies that lost theirs come back to it. Anybody can read it then. false: only the file has it. Default: true. */
      keep_manifest?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      metadata_mode: "standard" | "full_codex";
      fields_written: (string)[];
      /** Where in the file they stand; PNG and WebP have no place for IPTC-IIM. */
      blocks: ("xmp" | "iptc_iim" | "exif")[];
      /** Fields IPTC-IIM had no room for in full. XMP has them whole. */
      shortened_in_iim: (string)[];
      /** In mode full_codex. */
      soulmark?: {
        /** Compact JWS (EdDSA) over codex and pixels, as it stands in the file; empty over MCP. */
        jws: string;
        /** The JWS as a file, for 24 hours. */
        jws_url?: string;
        /** Key that signed it; /.well-known/jwks.json has it. */
        kid: string;
        /** Of the codex in its canonical form (RFC 8785). */
        codex_sha256: string;
        /** Of the decoded pixels. */
        pixels_sha256: string;
      };
      /** In mode full_codex. */
      registration?: {
        /** Copies of the picture will be found. If not, warnings says why. */
        registered: boolean;
        hash_id: string | null;
        /** PDQ of the picture: 256 bits as 64 hex digits. */
        hash: string;
        quality: number;
      };
      /** The file has a signed C2PA manifest; this server has a certificate. */
      c2pa_manifest: boolean;
      /** RFC 3161 time stamp of the manifest, or why it has none; null where no manifest was made. */
      time_stamp: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      } | null;
      /** Where rights were sent: what is read back. */
      rights?: {
        statements: ({
          dialect: "plus" | "iptc" | "tdmrep" | "rsl" | "cawg";
          place: string;
          value: string;
        })[];
        /** Places that contradict each other. */
        conflicts: (string)[];
        /** In the file that was sent. */
        conflicts_found: (string)[];
        /** null: nothing stands there any more. */
        replaced: ({
          place: string;
          was: string;
          now: string | null;
        })[];
        /** What a language has no words for. */
        unsaid: (string)[];
      };
      /** Where ai was sent. */
      ai?: {
        /** As metadata and watermark have it. */
        id: string;
        payload_embedded: string;
        /** Rides along with the payload and survives more; this service keeps which payload it stands for. */
        registry_id: string;
        /** The watermark was there already. Then only a label changes the pixels. */
        was_marked: boolean;
        psnr_db?: number;
        survives?: Record<string, "payload" | "id" | "lost">;
        /** Signed by this service (JWS, mark+jwt): that the mark was made for this picture; no wallet is named. null where it was there already. */
        statement: string | null;
        /** The statement as a file, for 24 hours; over MCP in its place. */
        statement_url?: string;
        /** Where ai.label was sent. */
        label?: {
          words: string;
          style: "icon" | "text";
          language: "bg" | "cs" | "da" | "de" | "el" | "en" | "es" | "et" | "fi" | "fr" | "ga" | "hr" | "hu" | "it" | "lt" | "lv" | "mt" | "nl" | "pl" | "pt" | "ro" | "sk" | "sl" | "sv";
          /** In px of the result. */
          box: {
            x: number;
            y: number;
            width: number;
            height: number;
          };
          /** The image showed it already, so nothing was drawn. */
          was_there: boolean;
        };
        evidence: ({
          law: "eu_code_of_practice" | "california_sb_942";
          measure: string;
          title: string;
          /** Who carries it out: this server, its operator, or neither. */
          coverage: "here" | "operator" | "not_covered";
          /** not_said: the file does not tell. */
          status: "met" | "not_met" | "not_said";
          by: string;
          /** How that was found. */
          tested: string | null;
        })[];
        /** The same as a page, while the result is kept. */
        evidence_url: string;
      };
      /** The manifest as it is kept here, so that a copy that lost its metadata comes back to it: GET /api/c2pa/manifests/{manifestId}. null where none was made or is to be kept. */
      kept_manifest: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Finds public-domain works of museums by words ("phrases", -exclusions), colours, likeness or filters. */
  search_artworks: {
    input: {
      /** May be empty. */
      query: string;
      /** Default: "". */
      museum?: "" | "met" | "chicago" | "nga" | "rijks" | "smithsonian" | "cleveland" | "paris" | "smk" | "mia" | "mkg" | "fng" | "wellcome";
      /** Default: 20. */
      limit?: number;
      /** Works passed over, for the next page. Default: 0. */
      offset?: number;
      /** Hex or names; all of them. */
      colors?: (string)[];
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      like?: Picture;
      /** credit_id of a work, in place of a picture. */
      like_work?: string;
      /** composition (light and dark, shape), color (palette) or subject (of the record; needs no picture); empty: the whole look. Default: "". */
      like_by?: "" | "composition" | "color" | "subject";
      /** Draws the first 24 works as one image, numbered as the results are. Default: false. */
      sheet?: boolean;
      /** Counts the values of this field: of the collection or a museum, else of the works found. Default: "". */
      terms?: "" | "artist" | "subject" | "place" | "kind" | "department";
      /** painting, print… or "oil on canvas". Default: "". */
      medium?: string;
      /** 17, "1880s" Default: "". */
      century?: number | string;
      year_from?: number;
      year_to?: number;
      /** Height of the work in cm: "20-40", "max 40", "30". Default: "". */
      height_cm?: string;
      /** Width of the work in cm: "20-40", "max 40", "30". Default: "". */
      width_cm?: string;
      /** Of its places: "latitude,longitude,km" or "south,west,north,east". Default: "". */
      area?: string;
      /** Default: false. */
      has_image?: boolean;
      /** Long side; unknown sizes are left out. */
      min_px?: number;
      /** Default: "". */
      licence?: "" | "cc0" | "public_domain";
    };
    answer: {
      dataset: string;
      query: string;
      results: ({
        artist: string;
        date: string;
        /** Send it as artifact_id to get_artwork. */
        credit_id: string;
        image_available: boolean;
        medium: string;
        museum: string;
        title: string;
        /** Where the query was found, or what is alike. */
        why?: string;
      })[];
      /** Works found, however many are shown. */
      total_results: number;
      museum: string;
      /** Its tiles are numbered from offset + 1. */
      sheet?: {
        content_type: string;
        size_bytes: number;
        /** Handle that any image field accepts. */
        result: string;
        /** Signed link to the bytes, valid until expires_at. */
        result_url: string;
        /** When the file and its link end: 24 hours after it was made. */
        expires_at: string;
        /** Of the file it was made of, with its own extension. */
        name?: string;
        width: number;
        height: number;
      };
      terms?: {
        field: "artist" | "subject" | "place" | "kind" | "department";
        /** How many different values there are. */
        total: number;
        /** The most frequent first. */
        values: ({
          term: string;
          works: number;
        })[];
        /** Works counted; of a search the best 1000 at most. */
        works: number;
      };
      /** More works were found after those shown. */
      has_more: boolean;
      /** How all the works that were found are spread. */
      facets: {
        museum: Record<string, number>;
        /** By century of making: 17 is the 17th. */
        century: Record<string, number>;
        /** By kind, as the filter takes it; a work may be of two. */
        medium: Record<string, number>;
        /** public_domain has cc0 in it. */
        licence: Record<string, number>;
      };
      /** The query repaired; the results are for it. */
      did_you_mean?: string;
      /** What was given up because nothing had all of it. */
      relaxed: (string)[];
      /** Works that filters leave out: all, and by filter those that would come back without it. */
      left_out?: Record<string, number>;
      /** Works whose look is known; no others are found by it. */
      looks_known?: number;
      /** Where it also searches by meaning. */
      meaning?: {
        used: boolean;
        works_known: number;
        why_not?: string;
      };
      /** Where pictures are searched by what they show. */
      seen?: {
        used: boolean;
        works_known: number;
        why_not?: string;
      };
    };
  };
  /** Hides up to 256 characters in a picture, invisibly. They can be read after compression, resizing, cropping, rotation or mirroring. The response lists the attacks that this picture survived. */
  watermark_embed: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Text to hide, any Unicode. Shorter texts survive more. Anyone can read it. */
      payload: string;
      /** Higher is more robust and more visible: about 47 dB at 0.1, 42 at 0.5, 39 at 1. Default: 0.5. */
      strength?: number;
      /** Names your wallet as signer. Needs proof of the wallet. Default: false. */
      sign?: boolean;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
      /** Metadata the result takes over: all, rights (owner, licence, opt-outs, AI marks) or none. Default: "all". */
      keep?: "all" | "rights" | "none";
      /** Also where it was taken. Default: false. */
      keep_location?: boolean;
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      /** The manifest of the result, kept if you have kept that of the input and have proved your wallet. */
      kept_manifest?: {
        manifest_id: string;
        /** Of the manifest store. */
        sha256: string;
        size_bytes: number;
        /** Where anybody gets the store, byte for byte. */
        url: string;
      } | null;
      /** Of the manifest of the result, where it was signed anew. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      payload_embedded: string;
      strength: number;
      /** Of the message, its checksum included. */
      bits_embedded: number;
      /** Rides along with the payload and survives more; this service keeps which payload it stands for. */
      registry_id: string;
      /** Until when the payload is looked up by its registry id: 180 days for callers without a wallet, unless embedded again; null: for good. The payload in the picture itself does not end. */
      registry_until: string | null;
      /** Peak signal to noise ratio against the picture sent. */
      psnr_db: number;
      /** The quietest level at which this picture survives the promised attacks: strong moves no detail by more than its visibility threshold, medium by 1.5 times, none as far as strength allows. Above strength 0.5 always none. */
      masking: "strong" | "medium" | "none";
      /** What was read back after each attack on the marked picture: the payload itself, only the registry id (watermark_detect then looks the payload up), or nothing. */
      survives: Record<string, "payload" | "id" | "lost">;
      /** The wallet that is named as signer; null where none is. */
      signed_by: string | null;
      /** Empty over MCP, where statement_url has it. Signed by this service (JWS, type mark+jwt; keys at /.well-known/jwks.json): id, payload, pixels and looks of the marked picture, and what it survives. watermark_detect holds pictures against it. */
      statement: string;
      /** The statement as a file, for 24 hours. */
      statement_url?: string;
      /** That a picture without a mark would by chance have been read like this; an upper bound. */
      false_positive_probability: number;
      /** Measured against the picture that was sent; what does not apply is absent. */
      quality?: {
        compared_at?: "source_size" | "result_size";
        /** 99: the same. */
        psnr_db?: number;
        ssim?: number;
        delta_e00_mean?: number;
        delta_e00_p95?: number;
        /** Of the pixels beside edges, outside of what is around them. */
        halo_percent?: number;
        /** Of what was cut out, an edge that is a guess. */
        uncertain_percent?: number;
        /** Of the picture, detail that was made up. */
        invented_percent?: number;
        /** Of the source, for drawn lines. */
        line_error_px?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Reads a watermark of watermark_embed, also after compression, resizing, cropping, turning, shearing or being photographed: the exact payload or none. Finding none proves nothing. */
  watermark_detect: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** Also looks for marks that lie in parts of the picture, upright, mirrored or turned by quarters and at least a quarter of its shorter side: pictures on a page, collages. Takes several times as long. Default: false. */
      parts?: boolean;
    };
    answer: {
      watermark_found: boolean;
      /** 1 less the chance of a false reading; 0 where nothing was found. */
      confidence: number;
      /** The payload, exactly as it was embedded; null where none can be given. */
      payload_detected: string | null;
      /** picture: every bit was read from it and agrees with its checksum. registry: only the id was read, and looked up here. null without a payload. */
      payload_source: "picture" | "registry" | null;
      registry_id: string | null;
      /** Whether the mark was made for this picture, and who signed it; null without a mark. */
      authorship: {
        /** bound: made here for this picture. part: made here, and what is shown is the marked picture only in part. moved: made here for another picture. other_payload: the id is that of another text. unclear: too little is seen to tell. plain: nothing binds it to a picture; anybody may have put it in. */
        standing: "bound" | "part" | "moved" | "other_payload" | "unclear" | "plain";
        sentence: string;
        /** The wallet that proved itself and signed; null for none. */
        signed_by: string | null;
        signed_at: string | null;
        /** Of what is seen, how much looks as it was marked; null where nothing was compared. */
        share: number | null;
        /** Not one sample differs from the marked picture. */
        exact: boolean;
        /** What was signed when the mark was made (JWS, mark+jwt); empty over MCP. */
        statement: string | null;
        /** The statement as a file, for 24 hours. */
        statement_url?: string;
      } | null;
      /** null where nothing was found. */
      false_positive_probability: number | null;
      /** How the picture lies now against the one that was marked; null where nothing was found. */
      moved: {
        /** Clockwise. */
        rotation_degrees: number;
        /** 1 for a picture that was only resized; more for one that was cropped, less for one on a page. */
        scale: number;
        mirrored: boolean;
      } | null;
      /** With parts: every mark, the largest first, which is the one described above. null without. */
      marks: ({
        /** The payload, exactly as it was embedded; null where none can be given. */
        payload_detected: string | null;
        /** picture: every bit was read from it and agrees with its checksum. registry: only the id was read, and looked up here. null without a payload. */
        payload_source: "picture" | "registry" | null;
        registry_id: string | null;
        /** Whether the mark was made for this picture, and who signed it; null without a mark. */
        authorship: {
          /** bound: made here for this picture. part: made here, and what is shown is the marked picture only in part. moved: made here for another picture. other_payload: the id is that of another text. unclear: too little is seen to tell. plain: nothing binds it to a picture; anybody may have put it in. */
          standing: "bound" | "part" | "moved" | "other_payload" | "unclear" | "plain";
          sentence: string;
          /** The wallet that proved itself and signed; null for none. */
          signed_by: string | null;
          signed_at: string | null;
          /** Of what is seen, how much looks as it was marked; null where nothing was compared. */
          share: number | null;
          /** Not one sample differs from the marked picture. */
          exact: boolean;
          /** What was signed when the mark was made (JWS, mark+jwt); empty over MCP. */
          statement: string | null;
          /** The statement as a file, for 24 hours. */
          statement_url?: string;
        } | null;
        /** That a picture without a mark would by chance have been read like this; an upper bound. */
        false_positive_probability: number;
        /** Roughly where its bits were found, in pixels of the picture: flat margins may be missing. The whole picture where it is not known more closely. */
        where: {
          left: number;
          top: number;
          width: number;
          height: number;
        };
      })[] | null;
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** One work of the dataset: its record, how its rights are known, its picture. What is not here is asked of its museum. Without a picture it costs nothing. */
  get_artwork: {
    input: {
      /** credit_id of a search result, such as rijks_SK-C-5. */
      artifact_id: string;
    };
    answer: {
      artifact_id: string;
      metadata: {
        title: string;
        other_titles: (string)[];
        artists: ({
          name: string;
          role: string;
          nationality: string;
          born: number | null;
          died: number | null;
          /** In Wikidata and ULAN, where the museum says. */
          same_as?: (string)[];
        })[];
        date: string;
        year_from: number | null;
        year_to: number | null;
        medium: string;
        dimensions: string;
        /** Read from dimensions. */
        size?: {
          height_cm?: number;
          width_cm?: number;
          depth_cm?: number;
          diameter_cm?: number;
        };
        /** Series, portfolio or album it is part of. */
        series?: string;
        /** Its owners in the museum's words, shortened. */
        provenance?: string;
        /** Where it was shown, shortened. */
        exhibitions?: string;
        /** Where it was published, shortened. */
        references?: string;
        /** WGS 84; ambiguous names have none. */
        place_points?: ({
          name: string;
          latitude: number;
          longitude: number;
          kind: "made" | "shown" | "found" | "named";
          precision: "city" | "region" | "country";
          source: "museum" | "gazetteer";
        })[];
        /** The work in Wikidata, where the museum says. */
        same_as?: (string)[];
        /** What it shows, in Iconclass. */
        iconclass?: (string)[];
        classification: string;
        department: string;
        culture: string;
        credit_line: string;
        accession_number: string;
        tags: (string)[];
        /** The museum's own words, shortened where they are long. */
        description: string;
        /** The record in sentences. */
        summary: string;
        museum: {
          id: string;
          name: string;
          city: string;
          website: string;
        };
        /** Page of the work at the museum; of the starter catalogue not checked. */
        source_url: string;
        /** Other works of this dataset. */
        related: ({
          credit_id: string;
          title: string;
          artist: string;
          date: string;
          why: "same maker" | "same kind";
        })[];
        /** This version of the record; with asked_on it stands in place of the one in the edition. */
        record: {
          sha256: string;
          edition: number;
          /** museum_data: read in its museum's own open-access data; starter_catalogue: written down by hand, and not read at the museum. */
          basis: "museum_data" | "starter_catalogue";
          /** Day its museum was asked for it; null: it was not, or has not answered. */
          asked_on: string | null;
          /** Of the starter catalogue: what that means. */
          note?: string;
        };
      };
      /** null where no picture of the work is known here. */
      image: {
        /** The picture as the museum has it. Needs no wallet. */
        download_url: string;
        /** The same 400, 843 and 1686 pixels wide at most. */
        sizes: {
          small: string;
          medium: string;
          large: string;
        };
        /** ISO 8601; get_artwork answers fresh links. */
        expires_at: string;
        width: number | null;
        height: number | null;
        /** Send it as image to any tool. */
        handle: string;
        /** false: only the museum can say whether there is a picture. */
        certain: boolean;
      } | null;
      /** Why image is null or not certain. */
      image_note?: string;
      licence: {
        status: "public_domain" | "cc0";
        /** In words, and who says so. */
        statement: string;
        /** The licence or mark. */
        url: string;
        /** The field of the museum's own data, and what stood there; null: no field was read; check before you rely on it. */
        evidence: {
          field: string;
          value: string;
        } | null;
        /** museum_data: read in its museum's own open-access data; starter_catalogue: written down by hand, and not read at the museum. */
        basis: "museum_data" | "starter_catalogue";
        /** Day on which the museum's data was read, ISO 8601; null: it was not read (starter catalogue). */
        seen_on: string | null;
        /** The museum's page about such works. */
        policy_url: string;
        /** Of the record itself. */
        data_licence: string;
        /** A line to show beside the picture. Asked for, not required. */
        attribution: string;
        good_for: (string)[];
        /** What no statement about copyright settles. */
        not_covered: (string)[];
      };
      /** Of metadata and licence, at four characters a token. */
      token_count: number;
    };
  };
  /** The full analysis of one work: up to 111 fields in 8 sections, from picture and record, each with basis and confidence. Without a vision model, fields that need eyes say so and the call is free. */
  get_artwork_oracle: {
    input: {
      /** credit_id of a search result, such as rijks_SK-C-5. */
      artifact_id: string;
    };
    answer: {
      artifact_id: string;
      /** The 8 sections; a field that is not known is absent. */
      metadata: {
        /** Any of title, artist_name, artist_life, date, medium, dimensions, culture, period, classification, department, museum, object_number, credit_line, licence, source_url, copyright_holder, content_type, brief. */
        work: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of summary, alt_text, extended_description, keywords, themes, subjects, people, setting, objects, text_read, horizon, writing, content_hint, repeating_pattern, figure_on_plain_ground. */
        description: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of overview, format, aspect_ratio, focal_point, further_focal_points, eye_path, thirds, balance, vertical_balance, weight_left_pct, weight_top_pct, symmetry, symmetry_score, edge_direction, long_lines, meeting_point, leading_lines, depth_cues, empty_space_pct, empty_space_place. */
        composition: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of palette, dominant_color, dominant_share_pct, accent_color, basic_colors, colorfulness, colorfulness_score, mean_chroma, temperature, warm_share_pct, cool_share_pct, neutral_share_pct, harmony, harmony_fit_pct, hue_families, white_tint. */
        color: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of overview, tonal_map, tonal_key, contrast, mean_lightness, darkest_lightness, lightest_lightness, shadow_pct, highlight_pct, quality, direction, direction_degrees, brightest_area, darkest_area. */
        light: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of texture, edge_pct, edge_quality, directional_grain, flat_color_pct, technique_cues, medium_seen. */
        surface: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of mood, energy, emotional_journey, symbolism, art_movements, style, artist_analysis, cultural_context. */
        reading: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
        /** Any of width_px, height_px, megapixels, file_format, print_size_300_ppi, transparent_pct, clipped_light_pct, clipped_dark_pct, noise_level, blur_score, compression_blocks, margins, flaws. */
        reproduction: Record<string, {
          value: string | (string)[] | number | ({
            hex: string;
            name: string;
            share_pct: number;
          })[];
          basis: "measured" | "record" | "given" | "model" | "observed" | "unseen";
          confidence: number;
          /** Of a text of several statements, the basis of each in order. */
          statements?: ("measured" | "record" | "given" | "model" | "observed" | "unseen")[];
          /** The networks that have seen it, where they are not the engine. */
          by?: string;
          /** Of its terms, the ids at AAT and Wikidata. */
          ids?: Record<string, {
            aat?: string;
            wikidata?: string;
          }>;
        }>;
      };
      /** Fields nothing is known of, as section.field. */
      unknown: (string)[];
      /** null where no picture of the work is known here. */
      image: {
        /** The picture as the museum has it. Needs no wallet. */
        download_url: string;
        /** The same 400, 843 and 1686 pixels wide at most. */
        sizes: {
          small: string;
          medium: string;
          large: string;
        };
        /** ISO 8601; get_artwork answers fresh links. */
        expires_at: string;
        width: number | null;
        height: number | null;
        /** Send it as image to any tool. */
        handle: string;
        /** false: only the museum can say whether there is a picture. */
        certain: boolean;
      } | null;
      licence: {
        status: "public_domain" | "cc0";
        /** In words, and who says so. */
        statement: string;
        /** The licence or mark. */
        url: string;
        /** The field of the museum's own data, and what stood there; null: no field was read; check before you rely on it. */
        evidence: {
          field: string;
          value: string;
        } | null;
        /** museum_data: read in its museum's own open-access data; starter_catalogue: written down by hand, and not read at the museum. */
        basis: "museum_data" | "starter_catalogue";
        /** Day on which the museum's data was read, ISO 8601; null: it was not read (starter catalogue). */
        seen_on: string | null;
        /** The museum's page about such works. */
        policy_url: string;
        /** Of the record itself. */
        data_licence: string;
        /** A line to show beside the picture. Asked for, not required. */
        attribution: string;
        good_for: (string)[];
        /** What no statement about copyright settles. */
        not_covered: (string)[];
      };
      /** Of metadata, at four characters a token. */
      token_count: number;
      /** Tokens of the vision model; absent where none was asked. */
      usage?: {
        input_tokens: number;
        output_tokens: number;
        cost_usd?: number;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Hundreds of works: records and links to pictures, by page of one snapshot, as JSON or, of any length, JSON Lines. Fewer than a hundred pictures cost less. */
  batch_download: {
    input: {
      /** open-museums is the only one here. Default: "open-museums". */
      dataset_id?: string;
      /** Works to pass over. Default: 0. */
      offset?: number;
      /** Works a page; above 1000 as jsonl only. Default: 100. */
      quantity?: number;
      /** jsonl: jsonl_url streams them instead of downloads. Default: "json". */
      format?: "json" | "jsonl";
      /** As the page before said; 0: the newest. Default: 0. */
      snapshot?: number;
      /** next_cursor of the page before; quicker than an offset. Default: "". */
      cursor?: string;
      /** Only works that name a picture. Default: false. */
      has_image?: boolean;
    };
    answer: {
      dataset_id: string;
      snapshot: {
        id: number;
        /** Over "id sha256\n" of all its works in the order of ids. */
        sha256: string;
        works: number;
        published_at: string;
      };
      offset: number;
      quantity_requested: number;
      quantity_returned: number;
      /** Of these: what the batch is paid for. */
      quantity_with_picture: number;
      downloads: ({
        credit_id: string;
        /** Of the record as JSON with sorted keys and without spaces. */
        sha256: string;
        /** museum_data: read in its museum's own open-access data; starter_catalogue: written down by hand, and not read at the museum. */
        basis: "museum_data" | "starter_catalogue";
        /** Day on which the museum's data was read, ISO 8601; null: it was not read (starter catalogue). */
        seen_on: string | null;
        /** Everything that is known of the work. */
        record: Record<string, unknown>;
        /** The picture, for 24 hours; null where there is none. */
        download_url: string | null;
        attribution: string;
      })[];
      /** null at the end. */
      next_offset: number | null;
      /** Send it as cursor with the same snapshot; null at the end. */
      next_cursor: string | null;
      /** These works as JSON Lines for 24 hours; with &after=<credit_id> a broken stream goes on. */
      jsonl_url: string | null;
      licence: {
        summary: string;
        manifest: string;
      };
    };
  };
  /** What a developer has to disclose about this dataset as training data (California AB 2013, EU AI Act): computed from its works and signed with the hash of the snapshot. */
  compliance_manifest: {
    input: {
      /** open-museums is the only one here. Default: "open-museums". */
      dataset_id?: string;
      /** Only the manifest of this regulation. Default: "all". */
      regulation?: "ab2013" | "eu_ai_act" | "all";
    };
    answer: {
      dataset_id: string;
      /** The filter, as it was sent. */
      regulation: string;
      manifests: {
        ab2013?: {
          consent_mechanism: string;
          data_types: (string)[];
          dataset_name: string;
          /** ISO 8601. */
          generated_at: string;
          license_summary: string;
          /** Works taken to be in the public domain or CC0. */
          public_domain_pct: number;
          regulation: string;
          sources: (string)[];
          total_works: number;
          /** Works of which a field of their museum's data is the reason. */
          evidenced_pct: number;
          statute: string;
          applicability: string;
          disclosures: ({
            item: string;
            question: string;
            answer: string;
            /** Where the answer can be checked; null: nothing here shows it. */
            evidence_url: string | null;
            /** false: only the provider of the model can answer it. */
            computed: boolean;
          })[];
        };
        eu_ai_act?: {
          copyright_policy: string;
          data_governance: string;
          /** ISO 8601. */
          generated_at: string;
          opt_out_mechanism: string;
          regulation: string;
          transparency_summary: string;
          applicability: string;
          template: {
            version: string;
            sections: Record<string, string>;
          };
        };
      };
      snapshot: {
        id: number;
        /** Over "id sha256\n" of all its works in the order of ids. */
        sha256: string;
        works: number;
        /** ISO 8601. */
        published_at: string;
        previous: number | null;
        /** Since the snapshot before. */
        changes: {
          added: number;
          changed: number;
          removed: number;
        };
      };
      museums: ({
        museum: string;
        name: string;
        works: number;
        /** Of these: of the starter catalogue, written down by hand. */
        starter_works: number;
        pictures: number;
        /** Of its records, as this program has it; evidence_url is where to check it. */
        data_licence: string;
        policy_url: string;
        /** Where the museum publishes its records and names their licence. */
        evidence_url: string;
        /** The page as this server has read it; null: it has not. */
        terms: {
          /** Of the bytes of the page at policy_url. */
          sha256: string;
          /** ISO 8601. */
          first_seen_at: string;
          /** ISO 8601. */
          last_seen_at: string;
        } | null;
        /** Day on which its data was read first; null: it was not. */
        first_read: string | null;
        last_read: string | null;
        /** Every file that its works were read from. */
        source: string | null;
        imported_at: string | null;
        left_out: Record<string, number>;
        bad_rows: number;
        /** The last whole file that was read, and the parts since. */
        sources: ({
          source: string;
          /** ISO 8601. */
          imported_at: string;
          /** Works that were not in it have stayed. */
          is_part: boolean;
          rows: number;
          left_out: Record<string, number>;
          bad_rows: number;
        })[];
      })[];
      /** Works asked for one by one at their museum since; in none of the counts. */
      live_works: ({
        museum: string;
        /** Works with a record or a picture of their museum in place of what is in the snapshot. */
        works: number;
        /** Of these: whose record was read there, not only their picture. */
        read: number;
        pictures: number;
        /** Works whose museum has said nothing that lets them be taken. */
        refused: number;
        /** Day on which the first of them was asked for, ISO 8601. */
        first: string;
        last: string;
      })[];
      /** How works are known: read in their museum's data, or written down by hand. */
      works_by_basis: {
        museum_data: number;
        starter_catalogue: number;
      };
      rights_histogram: ({
        museum: string;
        status: string;
        evidence: string;
        works: number;
      })[];
      known_gaps: (string)[];
      opt_out_log: ({
        credit_id: string;
        /** ISO 8601. */
        at: string;
        reason: string;
        snapshot: number;
      })[];
      /** The same snapshot described for programs that load datasets. */
      croissant_url: string;
      /** Compact JWS (Ed25519) over the sha256 of the other fields (RFC 8785) and of the snapshot; keys at /.well-known/jwks.json. */
      signature: string;
      /** The signature as a file, for 24 hours; over MCP in its place. */
      signature_url?: string;
    };
  };
  /** For a picture that is only on the person's machine: answers a short-lived link, a command that sends the file there, and the handle it will have. */
  request_upload: {
    input: {
      /** Name or path of the file there, to stand in the command. */
      file?: string;
      /** How many links, one for each file: `uploads` has them all. Default: 1. */
      count?: number;
      /** Names of several files, one link each: results made of them keep the names. */
      files?: (string)[];
      /** A handle this tool answered before: says whether the file has come. */
      upload?: string;
      /** The sha256 the bytes must have, as 64 hex digits; others are refused. */
      expect_sha256?: string;
      /** How many bytes it must be; more or fewer are refused. */
      expect_bytes?: number;
    };
    answer: {
      state: "waiting" | "arrived";
      /** For any image field, once the file has come. */
      handle: string;
      /** Takes the bytes of one file by PUT or POST; opened in a browser, a page to drop it on. */
      upload_url?: string;
      /** Sends the file. Run it in your shell, or give it to the person; in Windows PowerShell: curl.exe. */
      command?: string;
      /** With files, or count above 1: every link and its handle, the first one included. */
      uploads?: ({
        handle: string;
        upload_url: string;
        name?: string;
      })[];
      link_expires_at?: string;
      /** When the file is deleted. */
      expires_at?: string;
      size_bytes?: number;
      max_bytes: number;
    };
  };
  /** Packs up to 100 results, uploads or stored files into one ZIP, under their names; or unpacks a ZIP into a handle for each file. */
  zip_files: {
    input: {
      /** To pack: handles or URLs, or {file, name} to name one otherwise. */
      files?: (string | {
        file: string;
        name?: string;
      })[];
      /** To unpack: handle or URL of a ZIP of up to 25 MB. */
      zip?: string;
      /** File name of the ZIP. Default: "files.zip". */
      name?: string;
    };
    answer: {
      files: ({
        name: string;
        size_bytes: number;
        /** Of an unpacked file: for any image field, for an hour. */
        handle?: string;
        content_type?: string;
      })[];
      skipped?: ({
        name: string;
        why: string;
      })[];
      content_type?: string;
      size_bytes?: number;
      /** Handle that any image field accepts. */
      result?: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url?: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at?: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
    };
  };
  /** Keeps a file of up to 10 MB under a key of your wallet, which has 100 MB. Saving under a key again replaces its file; ten earlier versions are kept. */
  save_asset: {
    input: {
      /** Your wallet; the one that pays. */
      wallet: string;
      /** Unique in the wallet: letters, digits, signs, slashes. */
      key: string;
      /** The file, up to 10 MB: URL, upload:<id>, asset:<key>, result:<id> or base64. */
      data: string;
      /** Media type of the file. Default: "image/png". */
      content_type?: string;
      /** Anything to keep beside it, up to 64 KB as JSON. */
      metadata?: Record<string, unknown>;
      /** Days the link works, up to 366. It ends early when the file is deleted, the wallet is locked, or the key that asked for it ends. Default: 1. */
      link_days?: number;
    };
    answer: {
      wallet: string;
      key: string;
      content_type: string;
      size_bytes: number;
      sha256: string;
      metadata: Record<string, unknown> | null;
      created_at: string;
      updated_at: string;
      /** Signed link to the bytes: everyone who has it can read them. */
      url: string;
      /** When the link ends; 24 hours from now, unless link_days asked for more. */
      url_expires_at: string;
      overwritten: boolean;
      /** What the wallet uses of its space; earlier versions and the trash take nothing of it. */
      storage: {
        used_bytes: number;
        limit_bytes: number;
        free_bytes: number;
        earlier_bytes: number;
      };
    };
  };
  /** A file a wallet keeps: its bytes as base64 (checked against their sha256), and a signed link for a day or up to a year. */
  get_asset: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
      /** Unique in the wallet: letters, digits, signs, slashes. */
      key: string;
      /** false leaves the base64 out; url has the bytes either way. Default: true. */
      include_data?: boolean;
      /** Days the link works, up to 366. It ends early when the file is deleted, the wallet is locked, or the key that asked for it ends. Default: 1. */
      link_days?: number;
    };
    answer: {
      wallet: string;
      key: string;
      content_type: string;
      size_bytes: number;
      sha256: string;
      metadata: Record<string, unknown> | null;
      created_at: string;
      updated_at: string;
      /** Signed link to the bytes: everyone who has it can read them. */
      url: string;
      /** When the link ends; 24 hours from now, unless link_days asked for more. */
      url_expires_at: string;
      /** The bytes as base64; absent with include_data false. */
      data?: string;
    };
  };
  /** The files a wallet keeps, in the order of their keys, with links and the space left. An unknown wallet has none. */
  list_assets: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
      /** Only keys that begin so. Default: "". */
      prefix?: string;
      /** Assets a page. Default: 100. */
      limit?: number;
      /** next_cursor of the page before. Default: "". */
      cursor?: string;
    };
    answer: {
      wallet: string;
      assets: ({
        key: string;
        content_type: string;
        size_bytes: number;
        sha256: string;
        metadata: Record<string, unknown> | null;
        created_at: string;
        updated_at: string;
        /** Signed link to the bytes: everyone who has it can read them. */
        url: string;
        /** When the link ends; 24 hours from now, unless link_days asked for more. */
        url_expires_at: string;
      })[];
      /** All assets with the prefix, on this page or not. */
      count: number;
      /** Their sum of bytes. */
      total_bytes: number;
      /** What the wallet uses of its space; earlier versions and the trash take nothing of it. */
      storage: {
        used_bytes: number;
        limit_bytes: number;
        free_bytes: number;
        earlier_bytes: number;
      };
      /** Send it as cursor for the next page; null on the last. */
      next_cursor: string | null;
    };
  };
  /** Deletes a file a wallet keeps and frees its space at once. For seven days it can be restored. */
  delete_asset: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
      /** Unique in the wallet: letters, digits, signs, slashes. */
      key: string;
    };
    answer: {
      wallet: string;
      key: string;
      deleted: true;
      freed_bytes: number;
      /** What the wallet uses of its space; earlier versions and the trash take nothing of it. */
      storage: {
        used_bytes: number;
        limit_bytes: number;
        free_bytes: number;
        earlier_bytes: number;
      };
    };
  };
  /** Lists deleted files of a wallet (seven days) or the ten earlier versions of a key, or restores one. */
  manage_trash: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
      /** Default: "list". */
      action?: "list" | "versions" | "restore";
      /** Of versions: which file. Of restore: its latest deleted file. */
      key?: string;
      /** What restore brings back, as list and versions answer it. */
      id?: string;
    };
    answer: {
      wallet: string;
      /** Newest first, at most 100. */
      items?: ({
        /** Names it for restoring, reading and forgetting. */
        id: string;
        key: string;
        content_type: string;
        size_bytes: number;
        sha256: string;
        metadata: Record<string, unknown> | null;
        saved_at: string;
        /** When it was replaced or deleted. */
        ended_at: string;
        /** It was deleted, and not replaced. */
        deleted: boolean;
        /** When it is forgotten; null while its key is there. */
        purge_at: string | null;
      })[];
      /** What the key holds now. */
      restored?: {
        key: string;
        content_type: string;
        size_bytes: number;
        sha256: string;
        metadata: Record<string, unknown> | null;
        created_at: string;
        updated_at: string;
        /** Signed link to the bytes: everyone who has it can read them. */
        url: string;
        /** When the link ends; 24 hours from now, unless link_days asked for more. */
        url_expires_at: string;
      };
      /** What the wallet uses of its space; earlier versions and the trash take nothing of it. */
      storage?: {
        used_bytes: number;
        limit_bytes: number;
        free_bytes: number;
        earlier_bytes: number;
      };
    };
  };
  /** Keeps any file of up to 25 MB for good, in the archive of this server by content hash (CID) or, where the operator chose so, on Arweave, with a public record. It can never be changed or taken back; what is kept already costs nothing. */
  store_permanent: {
    input: {
      /** A picture: URL, upload:<id>, asset:<key>, result:<id> or base64. This or data. */
      image?: string;
      /** Any other file, in the same forms. This or image. */
      data?: string;
      /** Media type of data; a picture says its own. Default: "application/octet-stream". */
      content_type?: string;
      /** Anything to keep beside it in the record, public. Other metadata makes another record. Default: {}. */
      metadata?: Record<string, unknown>;
    };
    answer: {
      /** What names the record, and with it content and metadata: its CID, or its id on Arweave. */
      permanent_storage_tx: string;
      /** Where the record is; in the archive with ?format=car record and file as one. What is on Arweave is also at /ar/<id> here. */
      provenance_uri: string;
      /** Where the bytes are. */
      url: string;
      sha256: string;
      size_bytes: number;
      /** Which store keeps it: the archive of this server, or Arweave. */
      store: "archive" | "arweave";
    };
  };
  /** Runs up to 12 tools in turn, each on results of earlier ones, for one picture or several; charged for the steps that succeed. */
  run_recipe: {
    input: {
      /** The steps in their order. Absent with recipe. */
      steps?: ({
        /** Name of the tool. */
        tool: string;
        /** What the tool takes. "$cut" is the file an earlier step made, "$cut.width" a field of its answer. Default: {}. */
        params?: Record<string, unknown>;
        /** Name for its answer; absent: step_1, step_2, … */
        save_as?: string;
      })[];
      /** Instead of steps: the id of a saved recipe, or a preset with its inputs: photo_to_print (photo, size); logo_to_merchandise (logo); mark_register_infuse (picture, title, artist); label_ai (picture, system, version, provider, generated_at). */
      recipe?: string;
      /** What "$name" stands for in params: {"photo": "upload:…"}. Default: {}. */
      inputs?: Record<string, unknown>;
      /** One input with several values, to run all steps for each: {"photo": ["upload:…", "upload:…"]}. */
      for_each?: Record<string, (unknown)[]>;
      /** Saves the steps under this title; everyone who knows the id can run them. */
      save?: string;
    };
    answer: {
      /** partial: a step failed; what was done is charged, the rest is not. */
      state: "done" | "partial";
      /** Steps that are done. */
      delivered: number;
      failed: number;
      /** Steps after one that failed. */
      skipped: number;
      /** With for_each: handles of the last file of each item, in their order; for zip_files. */
      results?: (string)[];
      steps: ({
        /** Place in for_each, from 0. */
        item?: number;
        save_as: string;
        tool: string;
        state: "done" | "failed" | "skipped";
        /** Answered from an earlier run of the same step on the same picture, for nothing. */
        kept: boolean;
        cost: {
          credit: number;
          usd: number;
        };
        /** The tool's own answer; files as handle and link. */
        answer?: Record<string, unknown>;
        /** Fields of the answer for which there was no room here; later steps see them. */
        left_out?: (string)[];
        warnings?: (string)[];
        error?: {
          code: string;
          detail: string;
          retry_after_s?: number;
        };
      })[];
      /** Of the recipe that was saved. */
      recipe_id?: string;
      /** Everyone with this link can read the recipe and run it by its id. */
      recipe_url?: string;
    };
  };
  /** Lists the presets and the recipes a wallet has saved, shows, saves or deletes one. Everyone who has its id or link can run it. */
  manage_recipes: {
    input: {
      /** Default: "list". */
      action?: "list" | "get" | "save" | "delete";
      /** Whose recipes; absent: those of the payer or bearer. */
      wallet?: string;
      /** get, delete: id of a saved recipe; get: or a preset. */
      id?: string;
      /** save: title of the recipe. */
      title?: string;
      /** save: as run_recipe takes them. */
      steps?: ({
        /** Name of the tool. */
        tool: string;
        /** What the tool takes. "$cut" is the file an earlier step made, "$cut.width" a field of its answer. Default: {}. */
        params?: Record<string, unknown>;
        /** Name for its answer; absent: step_1, step_2, … */
        save_as?: string;
      })[];
    };
    answer: {
      presets?: ({
        /** What run_recipe takes as recipe. */
        id: string;
        title: string;
        about?: string;
        /** What run_recipe takes as inputs, or one of them as for_each. */
        inputs: ({
          name: string;
          about?: string;
          /** Taken where it is not sent. */
          otherwise?: unknown;
        })[];
        steps: ({
          tool: string;
          params: Record<string, unknown>;
          save_as: string;
        })[];
        /** Of the steps as JSON: they never change under this id. */
        sha256?: string;
        /** Everyone with this link can read the recipe and run it by its id. */
        url?: string;
        created_at?: string;
      })[];
      /** Newest first. */
      recipes?: ({
        /** What run_recipe takes as recipe. */
        id: string;
        title: string;
        about?: string;
        /** What run_recipe takes as inputs, or one of them as for_each. */
        inputs: ({
          name: string;
          about?: string;
          /** Taken where it is not sent. */
          otherwise?: unknown;
        })[];
        steps: ({
          tool: string;
          params: Record<string, unknown>;
          save_as: string;
        })[];
        /** Of the steps as JSON: they never change under this id. */
        sha256?: string;
        /** Everyone with this link can read the recipe and run it by its id. */
        url?: string;
        created_at?: string;
      })[];
      recipe?: {
        /** What run_recipe takes as recipe. */
        id: string;
        title: string;
        about?: string;
        /** What run_recipe takes as inputs, or one of them as for_each. */
        inputs: ({
          name: string;
          about?: string;
          /** Taken where it is not sent. */
          otherwise?: unknown;
        })[];
        steps: ({
          tool: string;
          params: Record<string, unknown>;
          save_as: string;
        })[];
        /** Of the steps as JSON: they never change under this id. */
        sha256?: string;
        /** Everyone with this link can read the recipe and run it by its id. */
        url?: string;
        created_at?: string;
      };
      deleted?: true;
    };
  };
  /** Makes a workspace, or opens one by id or link. Calls with the field workspace keep images and results there, for people and agents. */
  open_workspace: {
    input: {
      /** Id, share link or page address of an existing one; absent: a new one is made. */
      workspace?: string;
      /** Title of the new one. */
      title?: string;
    };
    answer: {
      /** Send it as workspace with every call; who has a link needs no wallet. */
      workspace_id: string;
      /** Page of the workspace, for people. */
      url: string;
      title: string;
      /** Of the caller: view, work (changes) or own (shares). */
      role: "view" | "work" | "own";
      /** Without an owner: when it is deleted unless it changes. */
      expires_at: string | null;
      /** Current branch. */
      branch: string;
      counts: {
        items: number;
        trash: number;
        acts: number;
        comments: number;
      };
    };
  };
  /** Shows a workspace: contact sheet with the numbers of its items, newest acts, comments. */
  show_workspace: {
    input: {
      /** As open_workspace answered it; a link; the address of the page. */
      workspace: string;
      /** Absent: the current one. */
      branch?: string;
      /** These alone, of any branch and hidden ones too. */
      items?: (number)[];
      /** 24 items are on a page. Default: 1. */
      page?: number;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      workspace_id: string;
      title: string;
      role: "view" | "work" | "own";
      branch: string;
      /** The newest, where there are several. */
      branches?: (string)[];
      pages: number;
      /** In the order of the sheet. */
      items: ({
        item: number;
        name: string;
        /** Width × height in px. */
        size?: string;
        /** The act that made it; absent: it was added. */
        act?: number;
      })[];
      /** Items that are shown on all pages. */
      total: number;
      /** Newest first. */
      acts: ({
        act: number;
        tool: string;
        /** Absent: done. */
        state?: string;
        outputs: (number)[];
        by: string;
      })[];
      /** Newest first. */
      comments: ({
        text: string;
        by: string;
        item?: number;
        act?: number;
      })[];
    };
  };
  /** Progress of a call that became a job, and once it has ended its result or problem. Waits up to 20 s. Send the same payer as with that call. */
  get_job: {
    input: {
      /** job_id of the call that became a job. */
      job_id: string;
      /** How long to wait for its end; 0 answers at once. Default: 20. */
      wait_seconds?: number;
    };
    answer: {
      /** Unguessable; of a job without a wallet it is all it takes to see it. */
      job_id: string;
      tool: string;
      state: "queued" | "running" | "succeeded" | "failed" | "canceled";
      progress: {
        fraction: number;
        message: string;
      };
      /** In the queue; 1 is next. null unless queued. */
      place: number | null;
      /** From its progress or earlier jobs; late: longer than first estimated. */
      estimate: {
        seconds_left: number | null;
        late: boolean;
      };
      /** Held while it lives; charged when it has succeeded; neither when it has failed or was canceled. */
      credits: {
        held: number;
        charged: number;
      };
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** Of a live job: when it is given up. Of an ended one: when it is forgotten. */
      expires_at: string;
      status_url: string;
      /** The answer of the tool, as a call that waits gets it. Only of a job that has succeeded. */
      result?: Record<string, unknown>;
      /** The problem object, as a call that waits gets it. Only of a job that has failed. */
      problem?: Record<string, unknown>;
    };
  };
  /** Stops a job and releases what it holds. One that has ended, or whose image a provider makes, stays. Send the same payer as with its call. */
  cancel_job: {
    input: {
      /** job_id of the call that became a job. */
      job_id: string;
    };
    answer: {
      /** Unguessable; of a job without a wallet it is all it takes to see it. */
      job_id: string;
      tool: string;
      state: "queued" | "running" | "succeeded" | "failed" | "canceled";
      progress: {
        fraction: number;
        message: string;
      };
      /** In the queue; 1 is next. null unless queued. */
      place: number | null;
      /** From its progress or earlier jobs; late: longer than first estimated. */
      estimate: {
        seconds_left: number | null;
        late: boolean;
      };
      /** Held while it lives; charged when it has succeeded; neither when it has failed or was canceled. */
      credits: {
        held: number;
        charged: number;
      };
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** Of a live job: when it is given up. Of an ended one: when it is forgotten. */
      expires_at: string;
      status_url: string;
      /** The answer of the tool, as a call that waits gets it. Only of a job that has succeeded. */
      result?: Record<string, unknown>;
      /** The problem object, as a call that waits gets it. Only of a job that has failed. */
      problem?: Record<string, unknown>;
    };
  };
  /** Posts an artwork to the public gallery, a message to the cafe or a signature to the guest registry, for good. */
  post_to_community: {
    input: {
      place: "gallery" | "cafe" | "registry";
      /** Name of the author. It is not verified. */
      name: string;
      /** What to say: up to 1000 characters in the cafe, 500 beside an artwork, 500 in the registry. */
      message?: string;
      /** Gallery: title of the artwork. */
      title?: string;
      /** Gallery: https://…, or asset:<key> of a picture that your wallet keeps (save_asset). Uploads and results last a day: save them first. Default: "". */
      image_url?: string;
      /** Words to find it by: a list, or one text with commas between. */
      tags?: string | (string)[];
      /** Cafe; general when absent. */
      category?: "tip" | "suggestion" | "request" | "question" | "showcase" | "general";
      /** Registry: what kind of visitor signs. */
      type?: "explorer" | "artist" | "curator" | "researcher" | "collector" | "builder" | "wanderer" | "sentinel" | "archivist" | "critic";
      /** The model you run on, in free words. */
      model?: string;
      /** A wallet to show with the post. Its owner is not verified. */
      wallet?: string;
    };
    answer: {
      place: "gallery" | "cafe" | "registry";
      posted: true;
      /** The same words were posted in the last ten minutes. */
      already_posted?: true;
      artwork?: {
        id: string;
        name: string;
        title: string;
        description: string;
        image_url: string;
        /** Empty where there is no permanent record. */
        permanent_storage_tx: string;
        agent_model: string;
        wallet: string;
        tags: (string)[];
        /** ISO 8601 with microseconds and UTC offset. */
        posted_at: string;
      };
      post?: {
        id: string;
        name: string;
        category: "tip" | "suggestion" | "request" | "question" | "showcase" | "general";
        message: string;
        agent_model: string;
        wallet: string;
        /** ISO 8601 with microseconds and UTC offset. */
        posted_at: string;
      };
      entry?: {
        id: string;
        name: string;
        type: "explorer" | "artist" | "curator" | "researcher" | "collector" | "builder" | "wanderer" | "sentinel" | "archivist" | "critic";
        label: string;
        message: string;
        model: string;
        /** ISO 8601 with microseconds and UTC offset. */
        signed_at: string;
      };
      /** When the link to a picture of a locked wallet ends. */
      image_expires_at?: string;
    };
  };
  /** Opens an account for an agent without a wallet: a locked wallet with 10 free credits, a key to send as payer, and a link by which a person takes it over. */
  open_account: {
    input: {
      /** Your name, shown to the owner. Default: "guest account". */
      name?: string;
    };
    answer: {
      wallet: string;
      /** A key of this wallet, shown only now: send it as payer, or as Authorization: Bearer. */
      payer: string;
      balance: number;
      bonus_credits: number;
      /** What the key may spend; the owner can change it. */
      limits: {
        credits_a_day: number;
        credits_in_all: number;
      };
      /** Only for the person this account is for: shows the private key of the wallet once, and then this server deletes it. */
      claim_url: string;
    };
  };
  /** Open an account for an EVM wallet address and receive 10 free credits, once per address. Registering again is harmless. */
  register_wallet: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
    };
    answer: {
      wallet: string;
      registered: true;
      already_registered: boolean;
      /** What this call granted: 10 the first time, then 0. */
      bonus_credits: number;
      bonus_usd: number;
      /** Credits the wallet owns; not told of a locked wallet without proof. */
      balance?: number;
      registered_at: string;
      /** How to pay from now on. */
      auth: {
        header: string;
      };
      /** Access that the address alone gives; absent for a locked wallet. */
      address_alone?: string;
    };
  };
  /** Locks a wallet, so that its address alone opens nothing; lists, makes and revokes its keys. The owner proves it first: challenge, then sign_in. */
  manage_wallet: {
    input: {
      action: "challenge" | "sign_in" | "lock" | "unlock" | "keys" | "create_key" | "revoke_key";
      /** challenge: the wallet to prove. Else that of the session. */
      wallet?: string;
      /** sign_in: the message that challenge answered. */
      message?: string;
      /** 0x and hex: r, s and v of 65 bytes; of a contract wallet what its contract takes, or the wrapper of ERC-6492. */
      signature?: string;
      /** What sign_in answered, or send it as Authorization header. Every later action needs it. */
      session?: string;
      /** create_key: its name and bounds. */
      key?: {
        /** For you, to tell keys apart. */
        name: string;
        /** spend: pay for tools. assets:read, assets:write: what the wallet keeps. account:read: balance and statement. Default: ["spend"]. */
        scopes?: ("spend" | "assets:read" | "assets:write" | "account:read")[];
        /** The only tools it may call. Absent: every tool. */
        tools?: (string)[];
        /** Most it may ever spend, in whole credits. Absent: no cap. */
        max_credits?: number;
        /** Most it may spend in a day (UTC), in whole credits. Absent: no cap. */
        max_credits_per_day?: number;
        /** When it ends, such as 2030-01-01T00:00:00Z. Absent: when it is revoked. */
        expires_at?: string;
      };
      /** revoke_key: as keys answers it. */
      id?: string;
      /** challenge of a contract wallet: its chain (EIP-155). Default: 1. */
      chain_id?: number;
    };
    answer: {
      wallet: string;
      state: "open" | "claimed" | "locked";
      /** Access that the address alone gives; absent for a locked wallet. */
      address_alone?: string;
      /** To sign exactly as it is, with personal_sign (EIP-191). */
      message?: string;
      /** Proves the wallet. Shown only now. */
      session?: string;
      /** Of the message or the session. */
      expires_at?: string;
      bonus_credits?: number;
      /** The key, shown only now: send it as payer. */
      token?: string;
      key?: {
        /** Names the key; it is no secret. */
        id: string;
        name: string;
        scopes: ("spend" | "assets:read" | "assets:write" | "account:read")[];
        /** null: every tool. */
        tools: (string)[] | null;
        max_credits: number | null;
        /** Held by running calls, or charged. */
        used_credits: number;
        max_credits_per_day: number | null;
        /** Since midnight UTC. */
        used_credits_today: number;
        state: "active" | "expired" | "revoked";
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
      };
      /** Newest first. */
      keys?: ({
        /** Names the key; it is no secret. */
        id: string;
        name: string;
        scopes: ("spend" | "assets:read" | "assets:write" | "account:read")[];
        /** null: every tool. */
        tools: (string)[] | null;
        max_credits: number | null;
        /** Held by running calls, or charged. */
        used_credits: number;
        max_credits_per_day: number | null;
        /** Since midnight UTC. */
        used_credits_today: number;
        state: "active" | "expired" | "revoked";
        created_at: string;
        expires_at: string | null;
        revoked_at: string | null;
      })[];
    };
  };
  /** Credits a wallet owns, what is held by running calls, totals, recent entries and storage used. */
  check_balance: {
    input: {
      /** EVM wallet address: 0x followed by 40 hex digits. */
      wallet: string;
    };
    answer: {
      wallet: string;
      registered: boolean;
      /** true: the owner has locked it. Without proof of ownership only this is answered, and `unlock` says how to prove it. */
      locked: boolean;
      /** Access that the address alone gives; absent for a locked wallet. */
      address_alone?: string;
      /** Credits owned. */
      balance?: number;
      /** Credits that can be spent now: balance less held. */
      available?: number;
      /** Credits set aside for calls still running. */
      held?: number;
      value_usd?: number;
      unit?: "credit";
      credits_expire?: false;
      credit_back_pct?: 5;
      totals?: {
        granted: number;
        purchased: number;
        spent: number;
        credit_back: number;
        refunded: number;
      };
      storage?: {
        used_bytes: number;
        limit_bytes: number;
      };
      recent?: ({
        id: string;
        type: string;
        amount: number;
        balance_after: number;
        tool?: string;
        at: string;
      })[];
      /** How its owner proves it. */
      unlock?: {
        challenge: string;
        session: string;
        header: string;
      };
    };
  };
  /** For when you cannot pay: opens a card payment for credits or calls of one tool, or asks the owner of a wallet for a key, and answers a link for the person. Call it again with `code` to see whether it is done. */
  request_payment: {
    input: {
      /** credits: a pack for a wallet. call: calls of one tool, without a wallet. key: the owner lets you spend. Absent: what fits. */
      way?: "credits" | "call" | "key";
      /** The tool you want to call. */
      tool?: string;
      /** Its parameters, without pictures: they decide the price. */
      params?: Record<string, unknown>;
      /** How many credits are needed; of a key, its bound. */
      credits?: number;
      /** Who gets the credits. Absent: the wallet of this connection. */
      wallet?: string;
      /** Of a key: what the person sees of you. Default: "an assistant". */
      name?: string;
      /** A code answered before; the rest is not looked at. */
      code?: string;
    };
    answer: {
      /** paid: go on as `what_now` says. expired or refused: nothing was taken. */
      state: "waiting" | "paid" | "refused" | "expired";
      way: "credits" | "call" | "key";
      /** Send it here again to see what became of it. Of a key: keep it to yourself. */
      code: string;
      /** For the person. */
      url?: string;
      /** Show it to the person; the page shows the same. */
      check?: string;
      /** What to do now. */
      what_now: string;
      amount_usd?: number;
      /** What is bought. */
      buys_credits?: number;
      wallet?: string;
      /** Send it as `payer` beside the fields of any paid tool. A key is shown once. */
      payer?: string;
      /** false: no money moves. */
      livemode?: boolean;
      expires_at?: string;
    };
  };
  /** Find tools by words, category or price. Without any filter it lists all of them. */
  search_tools: {
    input: {
      /** What you want to do, in your own words. Default: "". */
      query?: string;
      /** Default: "all". */
      category?: "creative" | "dataset" | "storage" | "account" | "free" | "all";
      /** Dearest price of a call in USD; 0: free tools only, -1: any. Default: -1. */
      max_price_usd?: number;
    };
    answer: {
      tools: ({
        name: string;
        title: string;
        /** In a sentence; get_tool_schema has the whole. */
        description: string;
        category: "creative" | "dataset" | "storage" | "account";
        /** The most one call can cost. */
        cost: {
          credit: number;
          usd: number;
        };
        free: boolean;
      })[];
      total: number;
      /** Where no tool meets the request: why, and the nearest tools with what they do instead. */
      not_offered?: {
        why: string;
        nearest: ({
          tool: string;
          does: string;
        })[];
      };
    };
  };
  /** Everything needed to call one tool: input and output as JSON Schema, price and working examples. */
  get_tool_schema: {
    input: {
      /** A name that search_tools answered. */
      tool_name: string;
      /** full: every bound, and the whole output as JSON Schema; thousands of tokens for some tools. Default: "brief". */
      detail?: "brief" | "full";
    };
    answer: {
      name: string;
      title: string;
      description: string;
      category: "creative" | "dataset" | "storage" | "account";
      /** The most a call of that tool can cost. `cost` is what this answer cost. */
      price: {
        credit: number;
        usd: number;
        /** Present where the price follows from an input field. */
        by?: {
          field: string;
          credits: Record<string, number>;
        };
        /** Where no number says it. */
        note?: string;
      };
      /** JSON Schema 2020-12; brief: long fields as a signature in description. */
      input_schema: Record<string, unknown>;
      /** JSON Schema 2020-12; brief: a signature in description. */
      output_schema: Record<string, unknown>;
      /** Input bodies that work as they stand; brief: one, with handles in place of files. */
      examples: (Record<string, unknown>)[];
    };
  };
  /** Makes an image from a description by the image model of this server, marked as AI-generated. */
  generate_image: {
    input: {
      /** What the image shows: subject, style, light. */
      prompt: string;
      /** Width to height. Default: "1:1". */
      aspect?: "1:1" | "3:2" | "2:3" | "4:3" | "3:4" | "16:9" | "9:16";
      /** The same seed gives a similar image, where the model has seeds. */
      seed?: number;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** Who made it; the file says so too. */
      model: {
        name: string;
        provider: string;
      };
      /** Marks of AI that the file carries. */
      marks: {
        /** IPTC term, in XMP. */
        digital_source_type: string;
        /** Invisible, in the pixels. */
        watermark: boolean;
        /** Signed; this server has a certificate. */
        c2pa_manifest: boolean;
      };
      /** Of the manifest. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
  /** Has the image model of this server draw an image anew with a change described in words; details elsewhere may change. Marked as AI-modified. */
  edit_with_words: {
    input: {
      /** PNG, JPEG, WebP, AVIF, HEIC, TIFF, GIF, BMP, ICO, PSD, SVG, PDF, JPEG XL or RAW, as base64 or a handle: https://…, upload:<id>, asset:<key>, artwork:<id>, result:<id>. */
      image: Picture;
      /** What to change: "make it winter". */
      prompt: string;
      /** "url" leaves the base64 out of the answer; result_url has the bytes for 24 hours either way. Default: "base64". */
      output?: "base64" | "url";
    };
    answer: {
      /** The picture as base64; absent with output "url", and above 32 MB: then result_url has it. */
      image_b64?: string;
      width: number;
      height: number;
      content_type: string;
      size_bytes: number;
      /** Handle that any image field accepts. */
      result: string;
      /** Signed link to the bytes, valid until expires_at. */
      result_url: string;
      /** When the file and its link end: 24 hours after it was made. */
      expires_at: string;
      /** Of the file it was made of, with its own extension. */
      name?: string;
      /** Who made it; the file says so too. */
      model: {
        name: string;
        provider: string;
      };
      /** Marks of AI that the file carries. */
      marks: {
        /** IPTC term, in XMP. */
        digital_source_type: string;
        /** Invisible, in the pixels. */
        watermark: boolean;
        /** Signed; this server has a certificate. */
        c2pa_manifest: boolean;
      };
      /** Of the manifest. */
      time_stamp?: {
        /** ISO 8601. */
        time: string | null;
        authority: string | null;
        status: "trusted" | "untrusted" | "invalid" | "none";
        /** Why it is not trusted. */
        reason?: string;
      };
      /** What became of the metadata of the picture that was sent. */
      metadata: {
        kept: (string)[];
        changed: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          how: string;
        })[];
        dropped: ({
          /** xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, … */
          what: string;
          why: string;
        })[];
      };
      engine: {
        name: string;
        version: string;
        weights_sha256?: string;
      };
      degraded: boolean;
      /** Where degraded: what would do better, and how to get it. */
      degraded_reason?: string;
    };
  };
}

export const TOOLS: readonly (keyof Tools)[] = ["edit_image","compose_image","resize_image","convert_image","make_variants","inspect_image","read_text","extract_palette","convert_color_profile","remove_background","erase_object","vectorize_image","upscale_image","compare_upscalers","enrich_metadata","register_hash","verify_provenance","print_ready","preflight_file","mockup_image","infuse_metadata","search_artworks","watermark_embed","watermark_detect","get_artwork","get_artwork_oracle","batch_download","compliance_manifest","request_upload","zip_files","save_asset","get_asset","list_assets","delete_asset","manage_trash","store_permanent","run_recipe","manage_recipes","open_workspace","show_workspace","get_job","cancel_job","post_to_community","open_account","register_wallet","manage_wallet","check_balance","request_payment","search_tools","get_tool_schema","generate_image","edit_with_words"];

/** Those that cost, or do more the second time: their calls are named, so that a repeat is the same call. */
export const KEYED_TOOLS: ReadonlySet<keyof Tools> = new Set<keyof Tools>(["erase_object","upscale_image","enrich_metadata","register_hash","mockup_image","infuse_metadata","get_artwork","get_artwork_oracle","batch_download","request_upload","zip_files","save_asset","store_permanent","run_recipe","open_workspace","post_to_community","open_account","manage_wallet","request_payment","generate_image","edit_with_words"]);

/** Fields that take a picture. */
export const PICTURE_FIELDS: { readonly [Name in keyof Tools]: readonly string[] } = {
  edit_image: ["image"],
  compose_image: [],
  resize_image: ["image"],
  convert_image: ["image"],
  make_variants: ["image"],
  inspect_image: ["image"],
  read_text: ["image"],
  extract_palette: ["image"],
  convert_color_profile: ["image"],
  remove_background: ["image","mask"],
  erase_object: ["image","mask"],
  vectorize_image: ["image"],
  upscale_image: ["image"],
  compare_upscalers: ["image"],
  enrich_metadata: ["image"],
  register_hash: ["image"],
  verify_provenance: ["image"],
  print_ready: ["image"],
  preflight_file: [],
  mockup_image: ["image","scene","scene_mask"],
  infuse_metadata: ["image"],
  search_artworks: ["like"],
  watermark_embed: ["image"],
  watermark_detect: ["image"],
  get_artwork: [],
  get_artwork_oracle: [],
  batch_download: [],
  compliance_manifest: [],
  request_upload: [],
  zip_files: [],
  save_asset: [],
  get_asset: [],
  list_assets: [],
  delete_asset: [],
  manage_trash: [],
  store_permanent: [],
  run_recipe: [],
  manage_recipes: [],
  open_workspace: [],
  show_workspace: [],
  get_job: [],
  cancel_job: [],
  post_to_community: [],
  open_account: [],
  register_wallet: [],
  manage_wallet: [],
  check_balance: [],
  request_payment: [],
  search_tools: [],
  get_tool_schema: [],
  generate_image: [],
  edit_with_words: ["image"],
};
