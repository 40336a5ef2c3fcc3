# Made by "npm run generate"; changes belong in the code it is made from.

"""One method per tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, cast

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types
    from .transport import Options

# Tools that cost credits or are not idempotent. The client sends an Idempotency-Key with them, so a retry is the same call.
KEYED_TOOLS = frozenset(["erase_object","upscale_image","enrich_metadata","register_hash","mockup_image","infuse_metadata","get_artwork","get_artwork_oracle","batch_download","request_upload","zip_files","save_asset","store_permanent","run_recipe","open_workspace","post_to_community","open_account","manage_wallet","request_payment","generate_image","edit_with_words"])

# Fields that take an image.
PICTURE_FIELDS: Dict[str, Any] = {
    "edit_image": ["image"],
    "compose_image": [],
    "resize_image": ["image"],
    "convert_image": ["image"],
    "make_variants": ["image"],
    "inspect_image": ["image"],
    "read_text": ["image"],
    "extract_palette": ["image"],
    "convert_color_profile": ["image"],
    "remove_background": ["image","mask"],
    "erase_object": ["image","mask"],
    "vectorize_image": ["image"],
    "upscale_image": ["image"],
    "compare_upscalers": ["image"],
    "enrich_metadata": ["image"],
    "register_hash": ["image"],
    "verify_provenance": ["image"],
    "print_ready": ["image"],
    "preflight_file": [],
    "mockup_image": ["image","scene","scene_mask"],
    "infuse_metadata": ["image"],
    "search_artworks": ["like"],
    "watermark_embed": ["image"],
    "watermark_detect": ["image"],
    "get_artwork": [],
    "get_artwork_oracle": [],
    "batch_download": [],
    "compliance_manifest": [],
    "request_upload": [],
    "zip_files": [],
    "save_asset": [],
    "get_asset": [],
    "list_assets": [],
    "delete_asset": [],
    "manage_trash": [],
    "store_permanent": [],
    "run_recipe": [],
    "manage_recipes": [],
    "open_workspace": [],
    "show_workspace": [],
    "get_job": [],
    "cancel_job": [],
    "post_to_community": [],
    "open_account": [],
    "register_wallet": [],
    "manage_wallet": [],
    "check_balance": [],
    "request_payment": [],
    "search_tools": [],
    "get_tool_schema": [],
    "generate_image": [],
    "edit_with_words": ["image"],
}


class Tools:
    """Every tool as a blocking method."""

    def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:
        """Calls a tool by its name."""
        raise NotImplementedError

    def edit_image(self, *, options: Options | None = None, **fields: Unpack[types.EditImageInput]) -> types.EditImageAnswer:
        """Edit an image. Crop, rotate, resize, pad, adjust, blur, redact and overlay an image: a list of operations; keeps animations."""
        return cast("types.EditImageAnswer", self.call("edit_image", dict(fields), options))

    def compose_image(self, *, options: Options | None = None, **fields: Unpack[types.ComposeImageInput]) -> types.ComposeImageAnswer:
        """Compose an image of layers. Place images, text of any script, shapes and QR codes on a canvas in px or mm: posters, cards, collages."""
        return cast("types.ComposeImageAnswer", self.call("compose_image", dict(fields), options))

    def resize_image(self, *, options: Options | None = None, **fields: Unpack[types.ResizeImageInput]) -> types.ResizeImageAnswer:
        """Resize an image. Make an image smaller or larger, fitted, cropped or stretched, in any common format."""
        return cast("types.ResizeImageAnswer", self.call("resize_image", dict(fields), options))

    def convert_image(self, *, options: Options | None = None, **fields: Unpack[types.ConvertImageInput]) -> types.ConvertImageAnswer:
        """Convert an image. Save an image in another format, or below a size in bytes; keeps animations."""
        return cast("types.ConvertImageAnswer", self.call("convert_image", dict(fields), options))

    def make_variants(self, *, options: Options | None = None, **fields: Unpack[types.MakeVariantsInput]) -> types.MakeVariantsAnswer:
        """Make a set of sizes. Make an image in all sizes for social media, favicons, app icons, shops, email or srcset."""
        return cast("types.MakeVariantsAnswer", self.call("make_variants", dict(fields), options))

    def inspect_image(self, *, options: Options | None = None, **fields: Unpack[types.InspectImageInput]) -> types.InspectImageAnswer:
        """Inspect an image. Get format, size, colour, pages, frames, metadata, location and faults of an image file; find faces, text."""
        return cast("types.InspectImageAnswer", self.call("inspect_image", dict(fields), options))

    def read_text(self, *, options: Options | None = None, **fields: Unpack[types.ReadTextInput]) -> types.ReadTextAnswer:
        """Read text. Read text in an image (OCR): lines with boxes, text, Markdown, hOCR."""
        return cast("types.ReadTextAnswer", self.call("read_text", dict(fields), options))

    def extract_palette(self, *, options: Options | None = None, **fields: Unpack[types.ExtractPaletteInput]) -> types.ExtractPaletteAnswer:
        """Extract a palette. Find the main colours of an image with their shares and names, small vivid accents included; exact for flat artwork."""
        return cast("types.ExtractPaletteAnswer", self.call("extract_palette", dict(fields), options))

    def convert_color_profile(self, *, options: Options | None = None, **fields: Unpack[types.ConvertColorProfileInput]) -> types.ConvertColorProfileAnswer:
        """Convert the colour profile. Convert an image between screen and print colours by ICC profiles: to a CMYK TIFF for a press with a report of inks and lost colours, a soft proof, or an sRGB PNG."""
        return cast("types.ConvertColorProfileAnswer", self.call("convert_color_profile", dict(fields), options))

    def remove_background(self, *, options: Options | None = None, **fields: Unpack[types.RemoveBackgroundInput]) -> types.RemoveBackgroundAnswer:
        """Remove the background. Cuts the subject out of a picture, with soft edges."""
        return cast("types.RemoveBackgroundAnswer", self.call("remove_background", dict(fields), options))

    def erase_object(self, *, options: Options | None = None, **fields: Unpack[types.EraseObjectInput]) -> types.EraseObjectAnswer:
        """Erase an object. Erase boxes, a mask, text or faces and fill in a likely background."""
        return cast("types.EraseObjectAnswer", self.call("erase_object", dict(fields), options))

    def vectorize_image(self, *, options: Options | None = None, **fields: Unpack[types.VectorizeImageInput]) -> types.VectorizeImageAnswer:
        """Vectorize an image. Redraw a logo, icon or drawing as sharp SVG shapes."""
        return cast("types.VectorizeImageAnswer", self.call("vectorize_image", dict(fields), options))

    def upscale_image(self, *, options: Options | None = None, **fields: Unpack[types.UpscaleImageInput]) -> types.UpscaleImageAnswer:
        """Upscale an image. Enlarge an image 2, 3, 4, 6 or 8 times with a super-resolution network."""
        return cast("types.UpscaleImageAnswer", self.call("upscale_image", dict(fields), options))

    def compare_upscalers(self, *, options: Options | None = None, **fields: Unpack[types.CompareUpscalersInput]) -> types.CompareUpscalersAnswer:
        """Compare upscalers. Run every upscaling network on the most detailed part of an image: contact sheet, figures, and which one to use."""
        return cast("types.CompareUpscalersAnswer", self.call("compare_upscalers", dict(fields), options))

    def enrich_metadata(self, *, options: Options | None = None, **fields: Unpack[types.EnrichMetadataInput]) -> types.EnrichMetadataAnswer:
        """Enrich metadata. Writes title, description, keywords and alt text of an image, or a full analysis in tier premium. Look at the image and send `observations`: they are compared with the pixels. Without them and without a model here it returns a preview and a brief, free."""
        return cast("types.EnrichMetadataAnswer", self.call("enrich_metadata", dict(fields), options))

    def register_hash(self, *, options: Options | None = None, **fields: Unpack[types.RegisterHashInput]) -> types.RegisterHashAnswer:
        """Register an image by its hash. Registers what a picture looks like (PDQ and hashes of windows), with the time, so that copies are found later, cropped, turned or mirrored too. A known museum work, or your own registration, answers so and costs nothing."""
        return cast("types.RegisterHashAnswer", self.call("register_hash", dict(fields), options))

    def verify_provenance(self, *, options: Options | None = None, **fields: Unpack[types.VerifyProvenanceInput]) -> types.VerifyProvenanceAnswer:
        """Verify provenance. Says whether a picture is marked as made with AI, by whom and in which layer (C2PA, IPTC, watermark, label), and which registered work it copies, by perceptual hash, even cropped. Unregistered is not fake."""
        return cast("types.VerifyProvenanceAnswer", self.call("verify_provenance", dict(fields), options))

    def print_ready(self, *, options: Options | None = None, **fields: Unpack[types.PrintReadyInput]) -> types.PrintReadyAnswer:
        """Prepare for print. Make a file a printer accepts: CMYK TIFF or PDF/X-4 at exact size with bleed, marks, preflight; stickers with cut, n-up, booklets, tiled posters."""
        return cast("types.PrintReadyAnswer", self.call("print_ready", dict(fields), options))

    def preflight_file(self, *, options: Options | None = None, **fields: Unpack[types.PreflightFileInput]) -> types.PreflightFileAnswer:
        """Check a print file. Check a PDF (X-1a, X-3, X-4) or TIFF made elsewhere before printing: each fault with place and remedy, in drawings; fix repairs it."""
        return cast("types.PreflightFileAnswer", self.call("preflight_file", dict(fields), options))

    def mockup_image(self, *, options: Options | None = None, **fields: Unpack[types.MockupImageInput]) -> types.MockupImageAnswer:
        """Show it on a product. Show artwork on a product, over a sofa or in your photo, like a photograph."""
        return cast("types.MockupImageAnswer", self.call("mockup_image", dict(fields), options))

    def infuse_metadata(self, *, options: Options | None = None, **fields: Unpack[types.InfuseMetadataInput]) -> types.InfuseMetadataAnswer:
        """Write metadata into an image. Writes IPTC metadata into PNG, JPEG, WebP or TIFF. Only ai changes pixels: a watermark and, if asked, a visible label. full_codex embeds the codex, signed with the pixels."""
        return cast("types.InfuseMetadataAnswer", self.call("infuse_metadata", dict(fields), options))

    def search_artworks(self, *, options: Options | None = None, **fields: Unpack[types.SearchArtworksInput]) -> types.SearchArtworksAnswer:
        """Search artworks. Finds public-domain works of museums by words ("phrases", -exclusions), colours, likeness or filters."""
        return cast("types.SearchArtworksAnswer", self.call("search_artworks", dict(fields), options))

    def watermark_embed(self, *, options: Options | None = None, **fields: Unpack[types.WatermarkEmbedInput]) -> types.WatermarkEmbedAnswer:
        """Embed a watermark. Hides up to 256 characters in a picture, invisibly. They can be read after compression, resizing, cropping, rotation or mirroring. The response lists the attacks that this picture survived."""
        return cast("types.WatermarkEmbedAnswer", self.call("watermark_embed", dict(fields), options))

    def watermark_detect(self, *, options: Options | None = None, **fields: Unpack[types.WatermarkDetectInput]) -> types.WatermarkDetectAnswer:
        """Detect a watermark. Reads a watermark of watermark_embed, also after compression, resizing, cropping, turning, shearing or being photographed: the exact payload or none. Finding none proves nothing."""
        return cast("types.WatermarkDetectAnswer", self.call("watermark_detect", dict(fields), options))

    def get_artwork(self, *, options: Options | None = None, **fields: Unpack[types.GetArtworkInput]) -> types.GetArtworkAnswer:
        """Get artwork. One work of the dataset: its record, how its rights are known, its picture. What is not here is asked of its museum. Without a picture it costs nothing."""
        return cast("types.GetArtworkAnswer", self.call("get_artwork", dict(fields), options))

    def get_artwork_oracle(self, *, options: Options | None = None, **fields: Unpack[types.GetArtworkOracleInput]) -> types.GetArtworkOracleAnswer:
        """Analyse an artwork. The full analysis of one work: up to 111 fields in 8 sections, from picture and record, each with basis and confidence. Without a vision model, fields that need eyes say so and the call is free."""
        return cast("types.GetArtworkOracleAnswer", self.call("get_artwork_oracle", dict(fields), options))

    def batch_download(self, *, options: Options | None = None, **fields: Unpack[types.BatchDownloadInput]) -> types.BatchDownloadAnswer:
        """Batch download. Hundreds of works: records and links to pictures, by page of one snapshot, as JSON or, of any length, JSON Lines. Fewer than a hundred pictures cost less."""
        return cast("types.BatchDownloadAnswer", self.call("batch_download", dict(fields), options))

    def compliance_manifest(self, *, options: Options | None = None, **fields: Unpack[types.ComplianceManifestInput]) -> types.ComplianceManifestAnswer:
        """Compliance manifest. What a developer has to disclose about this dataset as training data (California AB 2013, EU AI Act): computed from its works and signed with the hash of the snapshot."""
        return cast("types.ComplianceManifestAnswer", self.call("compliance_manifest", dict(fields), options))

    def request_upload(self, *, options: Options | None = None, **fields: Unpack[types.RequestUploadInput]) -> types.RequestUploadAnswer:
        """Bring a file. For an image that is only on the person's machine: returns a short-lived link, a command that uploads the file, and its future handle."""
        return cast("types.RequestUploadAnswer", self.call("request_upload", dict(fields), options))

    def zip_files(self, *, options: Options | None = None, **fields: Unpack[types.ZipFilesInput]) -> types.ZipFilesAnswer:
        """Pack and unpack ZIP files. Pack up to 100 results, uploads or stored files into one ZIP, under their names; or unpack a ZIP into a handle for each file."""
        return cast("types.ZipFilesAnswer", self.call("zip_files", dict(fields), options))

    def save_asset(self, *, options: Options | None = None, **fields: Unpack[types.SaveAssetInput]) -> types.SaveAssetAnswer:
        """Save an asset. Store a file of up to 10 MB under a key of your wallet, which has 100 MB. Saving under a key again replaces its file; ten earlier versions are kept."""
        return cast("types.SaveAssetAnswer", self.call("save_asset", dict(fields), options))

    def get_asset(self, *, options: Options | None = None, **fields: Unpack[types.GetAssetInput]) -> types.GetAssetAnswer:
        """Get an asset. Get a stored file of a wallet: bytes as base64 (checked against their sha256), and a signed link for up to a year."""
        return cast("types.GetAssetAnswer", self.call("get_asset", dict(fields), options))

    def list_assets(self, *, options: Options | None = None, **fields: Unpack[types.ListAssetsInput]) -> types.ListAssetsAnswer:
        """List assets. List the stored files of a wallet by key, with links and the space left. An unknown wallet has none."""
        return cast("types.ListAssetsAnswer", self.call("list_assets", dict(fields), options))

    def delete_asset(self, *, options: Options | None = None, **fields: Unpack[types.DeleteAssetInput]) -> types.DeleteAssetAnswer:
        """Delete an asset. Delete a stored file of a wallet to free up space. It can be restored for seven days."""
        return cast("types.DeleteAssetAnswer", self.call("delete_asset", dict(fields), options))

    def manage_trash(self, *, options: Options | None = None, **fields: Unpack[types.ManageTrashInput]) -> types.ManageTrashAnswer:
        """Trash and versions. List deleted files of a wallet (seven days) or the ten earlier versions of a key, or restore one."""
        return cast("types.ManageTrashAnswer", self.call("manage_trash", dict(fields), options))

    def store_permanent(self, *, options: Options | None = None, **fields: Unpack[types.StorePermanentInput]) -> types.StorePermanentAnswer:
        """Store for good. Keeps any file of up to 25 MB for good, in the archive of this server by content hash (CID) or, where the operator chose so, on Arweave, with a public record. It can never be changed or taken back; what is kept already costs nothing."""
        return cast("types.StorePermanentAnswer", self.call("store_permanent", dict(fields), options))

    def run_recipe(self, *, options: Options | None = None, **fields: Unpack[types.RunRecipeInput]) -> types.RunRecipeAnswer:
        """Run several tools in one call. Run up to 12 tools in turn, each on results of earlier ones, for one image or several; charged for the steps that succeed."""
        return cast("types.RunRecipeAnswer", self.call("run_recipe", dict(fields), options))

    def manage_recipes(self, *, options: Options | None = None, **fields: Unpack[types.ManageRecipesInput]) -> types.ManageRecipesAnswer:
        """Saved recipes. List the presets and saved recipes of a wallet; show, save or delete one. Anyone with its id or link can run it."""
        return cast("types.ManageRecipesAnswer", self.call("manage_recipes", dict(fields), options))

    def open_workspace(self, *, options: Options | None = None, **fields: Unpack[types.OpenWorkspaceInput]) -> types.OpenWorkspaceAnswer:
        """Open a workspace. Create a workspace, or open one by id or link. Calls with the field workspace keep images and results there, for people and agents."""
        return cast("types.OpenWorkspaceAnswer", self.call("open_workspace", dict(fields), options))

    def show_workspace(self, *, options: Options | None = None, **fields: Unpack[types.ShowWorkspaceInput]) -> types.ShowWorkspaceAnswer:
        """Show a workspace. Show a workspace: contact sheet with the numbers of its items, newest acts, comments."""
        return cast("types.ShowWorkspaceAnswer", self.call("show_workspace", dict(fields), options))

    def get_job(self, *, options: Options | None = None, **fields: Unpack[types.GetJobInput]) -> types.GetJobAnswer:
        """Get a job. Progress of a call that became a job, or its result or error once it has ended. Waits up to 20 s. Send the same payer as with that call."""
        return cast("types.GetJobAnswer", self.call("get_job", dict(fields), options))

    def cancel_job(self, *, options: Options | None = None, **fields: Unpack[types.CancelJobInput]) -> types.CancelJobAnswer:
        """Cancel a job. Stop a job and release its hold, unless it has ended or a provider is making its image. Send the same payer as with its call."""
        return cast("types.CancelJobAnswer", self.call("cancel_job", dict(fields), options))

    def post_to_community(self, *, options: Options | None = None, **fields: Unpack[types.PostToCommunityInput]) -> types.PostToCommunityAnswer:
        """Post to gallery, cafe or registry. Posts an artwork to the public gallery, a message to the cafe or a signature to the guest registry, for good."""
        return cast("types.PostToCommunityAnswer", self.call("post_to_community", dict(fields), options))

    def open_account(self, *, options: Options | None = None, **fields: Unpack[types.OpenAccountInput]) -> types.OpenAccountAnswer:
        """Open a guest account. Open an account for an agent without a wallet: a locked wallet with 10 free credits, a key to send as payer, and a link by which a person takes it over."""
        return cast("types.OpenAccountAnswer", self.call("open_account", dict(fields), options))

    def register_wallet(self, *, options: Options | None = None, **fields: Unpack[types.RegisterWalletInput]) -> types.RegisterWalletAnswer:
        """Register a wallet. Open an account for an EVM wallet address and receive 10 free credits, once per address. Registering again is harmless."""
        return cast("types.RegisterWalletAnswer", self.call("register_wallet", dict(fields), options))

    def manage_wallet(self, *, options: Options | None = None, **fields: Unpack[types.ManageWalletInput]) -> types.ManageWalletAnswer:
        """Lock a wallet, manage its keys. Lock a wallet, so that its address alone gives no access; list, create and revoke its keys. Prove ownership first: challenge, then sign_in."""
        return cast("types.ManageWalletAnswer", self.call("manage_wallet", dict(fields), options))

    def check_balance(self, *, options: Options | None = None, **fields: Unpack[types.CheckBalanceInput]) -> types.CheckBalanceAnswer:
        """Check a balance. Get the credits of a wallet, holds of running calls, totals, recent entries and storage used."""
        return cast("types.CheckBalanceAnswer", self.call("check_balance", dict(fields), options))

    def request_payment(self, *, options: Options | None = None, **fields: Unpack[types.RequestPaymentInput]) -> types.RequestPaymentAnswer:
        """Have a person pay. For when you cannot pay: open a card payment for credits or calls of one tool, or ask the owner of a wallet for a key; returns a link for the person. Call it again with `code` to see whether it is done."""
        return cast("types.RequestPaymentAnswer", self.call("request_payment", dict(fields), options))

    def search_tools(self, *, options: Options | None = None, **fields: Unpack[types.SearchToolsInput]) -> types.SearchToolsAnswer:
        """Search the tools. Find tools by words, category or price. Without any filter it lists all of them."""
        return cast("types.SearchToolsAnswer", self.call("search_tools", dict(fields), options))

    def get_tool_schema(self, *, options: Options | None = None, **fields: Unpack[types.GetToolSchemaInput]) -> types.GetToolSchemaAnswer:
        """Describe a tool. Everything needed to call one tool: input and output as JSON Schema, price and working examples."""
        return cast("types.GetToolSchemaAnswer", self.call("get_tool_schema", dict(fields), options))

    def generate_image(self, *, options: Options | None = None, **fields: Unpack[types.GenerateImageInput]) -> types.GenerateImageAnswer:
        """Generate an image from words. Makes an image from a description by the image model of this server, marked as AI-generated."""
        return cast("types.GenerateImageAnswer", self.call("generate_image", dict(fields), options))

    def edit_with_words(self, *, options: Options | None = None, **fields: Unpack[types.EditWithWordsInput]) -> types.EditWithWordsAnswer:
        """Change an image by words. Has the image model of this server draw an image anew with a change described in words; details elsewhere may change. Marked as AI-modified."""
        return cast("types.EditWithWordsAnswer", self.call("edit_with_words", dict(fields), options))


class AsyncTools:
    """Every tool as a coroutine."""

    async def call(self, tool: str, fields: Dict[str, Any], options: Options | None = None) -> Dict[str, Any]:
        """Calls a tool by its name."""
        raise NotImplementedError

    async def edit_image(self, *, options: Options | None = None, **fields: Unpack[types.EditImageInput]) -> types.EditImageAnswer:
        """Edit an image. Crop, rotate, resize, pad, adjust, blur, redact and overlay an image: a list of operations; keeps animations."""
        return cast("types.EditImageAnswer", await self.call("edit_image", dict(fields), options))

    async def compose_image(self, *, options: Options | None = None, **fields: Unpack[types.ComposeImageInput]) -> types.ComposeImageAnswer:
        """Compose an image of layers. Place images, text of any script, shapes and QR codes on a canvas in px or mm: posters, cards, collages."""
        return cast("types.ComposeImageAnswer", await self.call("compose_image", dict(fields), options))

    async def resize_image(self, *, options: Options | None = None, **fields: Unpack[types.ResizeImageInput]) -> types.ResizeImageAnswer:
        """Resize an image. Make an image smaller or larger, fitted, cropped or stretched, in any common format."""
        return cast("types.ResizeImageAnswer", await self.call("resize_image", dict(fields), options))

    async def convert_image(self, *, options: Options | None = None, **fields: Unpack[types.ConvertImageInput]) -> types.ConvertImageAnswer:
        """Convert an image. Save an image in another format, or below a size in bytes; keeps animations."""
        return cast("types.ConvertImageAnswer", await self.call("convert_image", dict(fields), options))

    async def make_variants(self, *, options: Options | None = None, **fields: Unpack[types.MakeVariantsInput]) -> types.MakeVariantsAnswer:
        """Make a set of sizes. Make an image in all sizes for social media, favicons, app icons, shops, email or srcset."""
        return cast("types.MakeVariantsAnswer", await self.call("make_variants", dict(fields), options))

    async def inspect_image(self, *, options: Options | None = None, **fields: Unpack[types.InspectImageInput]) -> types.InspectImageAnswer:
        """Inspect an image. Get format, size, colour, pages, frames, metadata, location and faults of an image file; find faces, text."""
        return cast("types.InspectImageAnswer", await self.call("inspect_image", dict(fields), options))

    async def read_text(self, *, options: Options | None = None, **fields: Unpack[types.ReadTextInput]) -> types.ReadTextAnswer:
        """Read text. Read text in an image (OCR): lines with boxes, text, Markdown, hOCR."""
        return cast("types.ReadTextAnswer", await self.call("read_text", dict(fields), options))

    async def extract_palette(self, *, options: Options | None = None, **fields: Unpack[types.ExtractPaletteInput]) -> types.ExtractPaletteAnswer:
        """Extract a palette. Find the main colours of an image with their shares and names, small vivid accents included; exact for flat artwork."""
        return cast("types.ExtractPaletteAnswer", await self.call("extract_palette", dict(fields), options))

    async def convert_color_profile(self, *, options: Options | None = None, **fields: Unpack[types.ConvertColorProfileInput]) -> types.ConvertColorProfileAnswer:
        """Convert the colour profile. Convert an image between screen and print colours by ICC profiles: to a CMYK TIFF for a press with a report of inks and lost colours, a soft proof, or an sRGB PNG."""
        return cast("types.ConvertColorProfileAnswer", await self.call("convert_color_profile", dict(fields), options))

    async def remove_background(self, *, options: Options | None = None, **fields: Unpack[types.RemoveBackgroundInput]) -> types.RemoveBackgroundAnswer:
        """Remove the background. Cuts the subject out of a picture, with soft edges."""
        return cast("types.RemoveBackgroundAnswer", await self.call("remove_background", dict(fields), options))

    async def erase_object(self, *, options: Options | None = None, **fields: Unpack[types.EraseObjectInput]) -> types.EraseObjectAnswer:
        """Erase an object. Erase boxes, a mask, text or faces and fill in a likely background."""
        return cast("types.EraseObjectAnswer", await self.call("erase_object", dict(fields), options))

    async def vectorize_image(self, *, options: Options | None = None, **fields: Unpack[types.VectorizeImageInput]) -> types.VectorizeImageAnswer:
        """Vectorize an image. Redraw a logo, icon or drawing as sharp SVG shapes."""
        return cast("types.VectorizeImageAnswer", await self.call("vectorize_image", dict(fields), options))

    async def upscale_image(self, *, options: Options | None = None, **fields: Unpack[types.UpscaleImageInput]) -> types.UpscaleImageAnswer:
        """Upscale an image. Enlarge an image 2, 3, 4, 6 or 8 times with a super-resolution network."""
        return cast("types.UpscaleImageAnswer", await self.call("upscale_image", dict(fields), options))

    async def compare_upscalers(self, *, options: Options | None = None, **fields: Unpack[types.CompareUpscalersInput]) -> types.CompareUpscalersAnswer:
        """Compare upscalers. Run every upscaling network on the most detailed part of an image: contact sheet, figures, and which one to use."""
        return cast("types.CompareUpscalersAnswer", await self.call("compare_upscalers", dict(fields), options))

    async def enrich_metadata(self, *, options: Options | None = None, **fields: Unpack[types.EnrichMetadataInput]) -> types.EnrichMetadataAnswer:
        """Enrich metadata. Writes title, description, keywords and alt text of an image, or a full analysis in tier premium. Look at the image and send `observations`: they are compared with the pixels. Without them and without a model here it returns a preview and a brief, free."""
        return cast("types.EnrichMetadataAnswer", await self.call("enrich_metadata", dict(fields), options))

    async def register_hash(self, *, options: Options | None = None, **fields: Unpack[types.RegisterHashInput]) -> types.RegisterHashAnswer:
        """Register an image by its hash. Registers what a picture looks like (PDQ and hashes of windows), with the time, so that copies are found later, cropped, turned or mirrored too. A known museum work, or your own registration, answers so and costs nothing."""
        return cast("types.RegisterHashAnswer", await self.call("register_hash", dict(fields), options))

    async def verify_provenance(self, *, options: Options | None = None, **fields: Unpack[types.VerifyProvenanceInput]) -> types.VerifyProvenanceAnswer:
        """Verify provenance. Says whether a picture is marked as made with AI, by whom and in which layer (C2PA, IPTC, watermark, label), and which registered work it copies, by perceptual hash, even cropped. Unregistered is not fake."""
        return cast("types.VerifyProvenanceAnswer", await self.call("verify_provenance", dict(fields), options))

    async def print_ready(self, *, options: Options | None = None, **fields: Unpack[types.PrintReadyInput]) -> types.PrintReadyAnswer:
        """Prepare for print. Make a file a printer accepts: CMYK TIFF or PDF/X-4 at exact size with bleed, marks, preflight; stickers with cut, n-up, booklets, tiled posters."""
        return cast("types.PrintReadyAnswer", await self.call("print_ready", dict(fields), options))

    async def preflight_file(self, *, options: Options | None = None, **fields: Unpack[types.PreflightFileInput]) -> types.PreflightFileAnswer:
        """Check a print file. Check a PDF (X-1a, X-3, X-4) or TIFF made elsewhere before printing: each fault with place and remedy, in drawings; fix repairs it."""
        return cast("types.PreflightFileAnswer", await self.call("preflight_file", dict(fields), options))

    async def mockup_image(self, *, options: Options | None = None, **fields: Unpack[types.MockupImageInput]) -> types.MockupImageAnswer:
        """Show it on a product. Show artwork on a product, over a sofa or in your photo, like a photograph."""
        return cast("types.MockupImageAnswer", await self.call("mockup_image", dict(fields), options))

    async def infuse_metadata(self, *, options: Options | None = None, **fields: Unpack[types.InfuseMetadataInput]) -> types.InfuseMetadataAnswer:
        """Write metadata into an image. Writes IPTC metadata into PNG, JPEG, WebP or TIFF. Only ai changes pixels: a watermark and, if asked, a visible label. full_codex embeds the codex, signed with the pixels."""
        return cast("types.InfuseMetadataAnswer", await self.call("infuse_metadata", dict(fields), options))

    async def search_artworks(self, *, options: Options | None = None, **fields: Unpack[types.SearchArtworksInput]) -> types.SearchArtworksAnswer:
        """Search artworks. Finds public-domain works of museums by words ("phrases", -exclusions), colours, likeness or filters."""
        return cast("types.SearchArtworksAnswer", await self.call("search_artworks", dict(fields), options))

    async def watermark_embed(self, *, options: Options | None = None, **fields: Unpack[types.WatermarkEmbedInput]) -> types.WatermarkEmbedAnswer:
        """Embed a watermark. Hides up to 256 characters in a picture, invisibly. They can be read after compression, resizing, cropping, rotation or mirroring. The response lists the attacks that this picture survived."""
        return cast("types.WatermarkEmbedAnswer", await self.call("watermark_embed", dict(fields), options))

    async def watermark_detect(self, *, options: Options | None = None, **fields: Unpack[types.WatermarkDetectInput]) -> types.WatermarkDetectAnswer:
        """Detect a watermark. Reads a watermark of watermark_embed, also after compression, resizing, cropping, turning, shearing or being photographed: the exact payload or none. Finding none proves nothing."""
        return cast("types.WatermarkDetectAnswer", await self.call("watermark_detect", dict(fields), options))

    async def get_artwork(self, *, options: Options | None = None, **fields: Unpack[types.GetArtworkInput]) -> types.GetArtworkAnswer:
        """Get artwork. One work of the dataset: its record, how its rights are known, its picture. What is not here is asked of its museum. Without a picture it costs nothing."""
        return cast("types.GetArtworkAnswer", await self.call("get_artwork", dict(fields), options))

    async def get_artwork_oracle(self, *, options: Options | None = None, **fields: Unpack[types.GetArtworkOracleInput]) -> types.GetArtworkOracleAnswer:
        """Analyse an artwork. The full analysis of one work: up to 111 fields in 8 sections, from picture and record, each with basis and confidence. Without a vision model, fields that need eyes say so and the call is free."""
        return cast("types.GetArtworkOracleAnswer", await self.call("get_artwork_oracle", dict(fields), options))

    async def batch_download(self, *, options: Options | None = None, **fields: Unpack[types.BatchDownloadInput]) -> types.BatchDownloadAnswer:
        """Batch download. Hundreds of works: records and links to pictures, by page of one snapshot, as JSON or, of any length, JSON Lines. Fewer than a hundred pictures cost less."""
        return cast("types.BatchDownloadAnswer", await self.call("batch_download", dict(fields), options))

    async def compliance_manifest(self, *, options: Options | None = None, **fields: Unpack[types.ComplianceManifestInput]) -> types.ComplianceManifestAnswer:
        """Compliance manifest. What a developer has to disclose about this dataset as training data (California AB 2013, EU AI Act): computed from its works and signed with the hash of the snapshot."""
        return cast("types.ComplianceManifestAnswer", await self.call("compliance_manifest", dict(fields), options))

    async def request_upload(self, *, options: Options | None = None, **fields: Unpack[types.RequestUploadInput]) -> types.RequestUploadAnswer:
        """Bring a file. For an image that is only on the person's machine: returns a short-lived link, a command that uploads the file, and its future handle."""
        return cast("types.RequestUploadAnswer", await self.call("request_upload", dict(fields), options))

    async def zip_files(self, *, options: Options | None = None, **fields: Unpack[types.ZipFilesInput]) -> types.ZipFilesAnswer:
        """Pack and unpack ZIP files. Pack up to 100 results, uploads or stored files into one ZIP, under their names; or unpack a ZIP into a handle for each file."""
        return cast("types.ZipFilesAnswer", await self.call("zip_files", dict(fields), options))

    async def save_asset(self, *, options: Options | None = None, **fields: Unpack[types.SaveAssetInput]) -> types.SaveAssetAnswer:
        """Save an asset. Store a file of up to 10 MB under a key of your wallet, which has 100 MB. Saving under a key again replaces its file; ten earlier versions are kept."""
        return cast("types.SaveAssetAnswer", await self.call("save_asset", dict(fields), options))

    async def get_asset(self, *, options: Options | None = None, **fields: Unpack[types.GetAssetInput]) -> types.GetAssetAnswer:
        """Get an asset. Get a stored file of a wallet: bytes as base64 (checked against their sha256), and a signed link for up to a year."""
        return cast("types.GetAssetAnswer", await self.call("get_asset", dict(fields), options))

    async def list_assets(self, *, options: Options | None = None, **fields: Unpack[types.ListAssetsInput]) -> types.ListAssetsAnswer:
        """List assets. List the stored files of a wallet by key, with links and the space left. An unknown wallet has none."""
        return cast("types.ListAssetsAnswer", await self.call("list_assets", dict(fields), options))

    async def delete_asset(self, *, options: Options | None = None, **fields: Unpack[types.DeleteAssetInput]) -> types.DeleteAssetAnswer:
        """Delete an asset. Delete a stored file of a wallet to free up space. It can be restored for seven days."""
        return cast("types.DeleteAssetAnswer", await self.call("delete_asset", dict(fields), options))

    async def manage_trash(self, *, options: Options | None = None, **fields: Unpack[types.ManageTrashInput]) -> types.ManageTrashAnswer:
        """Trash and versions. List deleted files of a wallet (seven days) or the ten earlier versions of a key, or restore one."""
        return cast("types.ManageTrashAnswer", await self.call("manage_trash", dict(fields), options))

    async def store_permanent(self, *, options: Options | None = None, **fields: Unpack[types.StorePermanentInput]) -> types.StorePermanentAnswer:
        """Store for good. Keeps any file of up to 25 MB for good, in the archive of this server by content hash (CID) or, where the operator chose so, on Arweave, with a public record. It can never be changed or taken back; what is kept already costs nothing."""
        return cast("types.StorePermanentAnswer", await self.call("store_permanent", dict(fields), options))

    async def run_recipe(self, *, options: Options | None = None, **fields: Unpack[types.RunRecipeInput]) -> types.RunRecipeAnswer:
        """Run several tools in one call. Run up to 12 tools in turn, each on results of earlier ones, for one image or several; charged for the steps that succeed."""
        return cast("types.RunRecipeAnswer", await self.call("run_recipe", dict(fields), options))

    async def manage_recipes(self, *, options: Options | None = None, **fields: Unpack[types.ManageRecipesInput]) -> types.ManageRecipesAnswer:
        """Saved recipes. List the presets and saved recipes of a wallet; show, save or delete one. Anyone with its id or link can run it."""
        return cast("types.ManageRecipesAnswer", await self.call("manage_recipes", dict(fields), options))

    async def open_workspace(self, *, options: Options | None = None, **fields: Unpack[types.OpenWorkspaceInput]) -> types.OpenWorkspaceAnswer:
        """Open a workspace. Create a workspace, or open one by id or link. Calls with the field workspace keep images and results there, for people and agents."""
        return cast("types.OpenWorkspaceAnswer", await self.call("open_workspace", dict(fields), options))

    async def show_workspace(self, *, options: Options | None = None, **fields: Unpack[types.ShowWorkspaceInput]) -> types.ShowWorkspaceAnswer:
        """Show a workspace. Show a workspace: contact sheet with the numbers of its items, newest acts, comments."""
        return cast("types.ShowWorkspaceAnswer", await self.call("show_workspace", dict(fields), options))

    async def get_job(self, *, options: Options | None = None, **fields: Unpack[types.GetJobInput]) -> types.GetJobAnswer:
        """Get a job. Progress of a call that became a job, or its result or error once it has ended. Waits up to 20 s. Send the same payer as with that call."""
        return cast("types.GetJobAnswer", await self.call("get_job", dict(fields), options))

    async def cancel_job(self, *, options: Options | None = None, **fields: Unpack[types.CancelJobInput]) -> types.CancelJobAnswer:
        """Cancel a job. Stop a job and release its hold, unless it has ended or a provider is making its image. Send the same payer as with its call."""
        return cast("types.CancelJobAnswer", await self.call("cancel_job", dict(fields), options))

    async def post_to_community(self, *, options: Options | None = None, **fields: Unpack[types.PostToCommunityInput]) -> types.PostToCommunityAnswer:
        """Post to gallery, cafe or registry. Posts an artwork to the public gallery, a message to the cafe or a signature to the guest registry, for good."""
        return cast("types.PostToCommunityAnswer", await self.call("post_to_community", dict(fields), options))

    async def open_account(self, *, options: Options | None = None, **fields: Unpack[types.OpenAccountInput]) -> types.OpenAccountAnswer:
        """Open a guest account. Open an account for an agent without a wallet: a locked wallet with 10 free credits, a key to send as payer, and a link by which a person takes it over."""
        return cast("types.OpenAccountAnswer", await self.call("open_account", dict(fields), options))

    async def register_wallet(self, *, options: Options | None = None, **fields: Unpack[types.RegisterWalletInput]) -> types.RegisterWalletAnswer:
        """Register a wallet. Open an account for an EVM wallet address and receive 10 free credits, once per address. Registering again is harmless."""
        return cast("types.RegisterWalletAnswer", await self.call("register_wallet", dict(fields), options))

    async def manage_wallet(self, *, options: Options | None = None, **fields: Unpack[types.ManageWalletInput]) -> types.ManageWalletAnswer:
        """Lock a wallet, manage its keys. Lock a wallet, so that its address alone gives no access; list, create and revoke its keys. Prove ownership first: challenge, then sign_in."""
        return cast("types.ManageWalletAnswer", await self.call("manage_wallet", dict(fields), options))

    async def check_balance(self, *, options: Options | None = None, **fields: Unpack[types.CheckBalanceInput]) -> types.CheckBalanceAnswer:
        """Check a balance. Get the credits of a wallet, holds of running calls, totals, recent entries and storage used."""
        return cast("types.CheckBalanceAnswer", await self.call("check_balance", dict(fields), options))

    async def request_payment(self, *, options: Options | None = None, **fields: Unpack[types.RequestPaymentInput]) -> types.RequestPaymentAnswer:
        """Have a person pay. For when you cannot pay: open a card payment for credits or calls of one tool, or ask the owner of a wallet for a key; returns a link for the person. Call it again with `code` to see whether it is done."""
        return cast("types.RequestPaymentAnswer", await self.call("request_payment", dict(fields), options))

    async def search_tools(self, *, options: Options | None = None, **fields: Unpack[types.SearchToolsInput]) -> types.SearchToolsAnswer:
        """Search the tools. Find tools by words, category or price. Without any filter it lists all of them."""
        return cast("types.SearchToolsAnswer", await self.call("search_tools", dict(fields), options))

    async def get_tool_schema(self, *, options: Options | None = None, **fields: Unpack[types.GetToolSchemaInput]) -> types.GetToolSchemaAnswer:
        """Describe a tool. Everything needed to call one tool: input and output as JSON Schema, price and working examples."""
        return cast("types.GetToolSchemaAnswer", await self.call("get_tool_schema", dict(fields), options))

    async def generate_image(self, *, options: Options | None = None, **fields: Unpack[types.GenerateImageInput]) -> types.GenerateImageAnswer:
        """Generate an image from words. Makes an image from a description by the image model of this server, marked as AI-generated."""
        return cast("types.GenerateImageAnswer", await self.call("generate_image", dict(fields), options))

    async def edit_with_words(self, *, options: Options | None = None, **fields: Unpack[types.EditWithWordsInput]) -> types.EditWithWordsAnswer:
        """Change an image by words. Has the image model of this server draw an image anew with a change described in words; details elsewhere may change. Marked as AI-modified."""
        return cast("types.EditWithWordsAnswer", await self.call("edit_with_words", dict(fields), options))
