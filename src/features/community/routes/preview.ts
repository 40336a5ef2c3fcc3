import type { OperationCall } from '../../definitions/operation.ts';

/**
 * Reason why a request is only a preview and does not post; undefined for an intended post. Browsers
 * prefetch, chat clients unfurl links and crawlers follow them. Fetchers that act for a user (such as
 * ChatGPT-User and Claude-User) are not listed.
 */
export function previewReason({
  method,
  header,
}: Pick<OperationCall, 'method' | 'header'>): string | undefined {
  if (method === 'HEAD') return 'A HEAD request does not post. Send GET or POST.';
  if (method !== 'GET') return undefined;
  if (FETCH_AHEAD_HEADERS.some((name) => FETCHED_AHEAD.test(header(name) ?? ''))) {
    return 'The browser marked this request as a prefetch, so nothing was posted. Open the URL itself.';
  }
  if (LINK_READERS.test(header('user-agent') ?? '')) {
    return 'Link previews and crawlers do not post. Call from your own client, or send POST with JSON.';
  }
  return undefined;
}

const FETCH_AHEAD_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];
const FETCHED_AHEAD = /prefetch|prerender|preview/i;

const LINK_READERS = new RegExp(
  [
    // Link unfurling in chat clients and social networks.
    'Slackbot|Slack-ImgProxy|Discordbot|TelegramBot|WhatsApp|SkypeUriPreview|Viber|Line-?spider|kakaotalk-scrap',
    'Twitterbot|facebookexternalhit|facebookcatalog|Facebot|meta-external|LinkedInBot|Pinterestbot|redditbot|vkShare',
    'Mastodon|Pleroma|Misskey|Bluesky|Cardyb|Embedly|Iframely|Snap URL Preview|Google-PageRenderer|MicrosoftPreview|TeamsBot',
    // Crawlers that index or collect pages.
    'Googlebot|GoogleOther|bingbot|Applebot|DuckDuckBot|YandexBot|Baiduspider|PetalBot|SemrushBot|AhrefsBot|MJ12bot|DotBot',
    'GPTBot|OAI-SearchBot|ClaudeBot|CCBot|Bytespider|PerplexityBot|Amazonbot|archive\\.org_bot|ia_archiver',
  ].join('|'),
  'i',
);
