import type { OperationCall } from '../../definitions/operation.ts';

/**
 * Why a GET that would post is only a preview; undefined where it is intended. Browsers prefetch, chat programs unfurl links and
 * crawlers follow them. Fetchers that act for a person or an agent (ChatGPT-User, Claude-User and similar) are not in the list.
 */
export function previewReason({
  method,
  header,
}: Pick<OperationCall, 'method' | 'header'>): string | undefined {
  if (method === 'HEAD') return 'A HEAD request does not post. Send GET or POST.';
  if (method !== 'GET') return undefined;
  if (FETCH_AHEAD_HEADERS.some((name) => FETCHED_AHEAD.test(header(name) ?? ''))) {
    return 'This request was marked as fetched ahead of time, so nothing was posted. Open the address itself.';
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
    // Link unfurling in conversations.
    'Slackbot|Slack-ImgProxy|Discordbot|TelegramBot|WhatsApp|SkypeUriPreview|Viber|Line-?spider|kakaotalk-scrap',
    'Twitterbot|facebookexternalhit|facebookcatalog|Facebot|meta-external|LinkedInBot|Pinterestbot|redditbot|vkShare',
    'Mastodon|Pleroma|Misskey|Bluesky|Cardyb|Embedly|Iframely|Snap URL Preview|Google-PageRenderer|MicrosoftPreview|TeamsBot',
    // Crawlers that index or collect pages.
    'Googlebot|GoogleOther|bingbot|Applebot|DuckDuckBot|YandexBot|Baiduspider|PetalBot|SemrushBot|AhrefsBot|MJ12bot|DotBot',
    'GPTBot|OAI-SearchBot|ClaudeBot|CCBot|Bytespider|PerplexityBot|Amazonbot|archive\\.org_bot|ia_archiver',
  ].join('|'),
  'i',
);
