type Node = Readonly<Record<string, unknown>>;

/**
 * A person's text as a payload shows it. `violations`: parts of the text on which Slack would act, such as
 * mentions.
 */
export interface PayloadText {
  readonly text: string | undefined;
  /**
   * The blocks that contain the text, as kind and content: `rich_text text: its content` or `plain_text: …`.
   */
  readonly blocks: string[];
  readonly violations: string[];
}

/** Types of elements that notify a person, link to a target, or show something other than their text. */
const acting = new Set(['user', 'usergroup', 'broadcast', 'channel', 'team', 'color', 'image', 'video']);

/** Descriptions of the fields whose text Slack shows unchanged. */
const inert: Readonly<Record<string, string>> = {
  'text.text': 'rich_text text',
  'link.url': 'link that shows itself',
  'plain_text.text': 'plain_text',
  'plain_text_input.initial_value': 'input',
  'button.accessibility_label': 'label',
};
const hidden = new Set(['value', 'private_metadata', 'block_id', 'action_id', 'callback_id']);

const ownDate = /<!date\^\d+\^[^<>|^]*\|[^<>|]*>/g;
const ownChannel = /<#([CG][A-Z0-9]+)>/g;
const ownLink = /<https:\/\/[^<>|]*\|[^<>|]*>/g;

/**
 * Finds where a payload or an answer shows a person's text, which contains the string `mark`. `ours`: the
 * only links and channels that the bot may add to the text.
 */
export function findShownText(
  body: unknown,
  mark: string,
  ours: {readonly host: string; readonly channels: RegExp},
): PayloadText {
  const root = body as Node;
  const violations: string[] = [];
  const blocks: string[] = [];
  const text = typeof root['text'] === 'string' ? root['text'] : undefined;
  if (text !== undefined) {
    const rest = text
      .replaceAll(ownDate, '')
      .replaceAll(ownChannel, (named, id: string) => (ours.channels.test(id) ? '' : named))
      .replaceAll(ownLink, (link) => (link.includes(ours.host) ? '' : link));
    if (/[<>]/.test(rest)) violations.push('text: not escaped');
    if (/&(?!amp;|lt;|gt;)/.test(rest)) violations.push('text: an ampersand that is not escaped');
    if (text.includes(mark) && root['blocks'] === undefined) violations.push('text: shown itself, as mrkdwn');
  }
  searchNode(root['blocks']);
  searchNode(root['view']);
  searchNode(root['errors']);
  if (JSON.stringify(root['metadata'] ?? '').includes(mark))
    violations.push('metadata: has words of a person');
  return {text: text?.includes(mark) ? text : undefined, blocks, violations};

  function searchNode(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(searchNode);
    if (typeof node !== 'object' || node === null) return;
    const {type = '', channel_id: channel = ''} = node as {type?: string; channel_id?: string};
    if (type === 'channel' ? !ours.channels.test(channel) : acting.has(type))
      violations.push(`blocks: an element of type ${type}`);
    if (type === 'link')
      violations.push(
        ...findLinkViolations(node as Node, ours.host).map((violation) => `blocks: ${violation}`),
      );
    for (const [name, value] of Object.entries(node)) {
      if (typeof value === 'object') searchNode(value);
      else if (typeof value === 'string' && value.includes(mark) && !hidden.has(name)) {
        const holder = inert[`${type}.${name}`];
        if (holder === undefined) violations.push(`blocks: ${type}.${name}`);
        else blocks.push(`${holder}: ${value}`);
      }
    }
  }
}

/**
 * Returns the violations of a link that could mislead about its target. The bot's own links may have other
 * text.
 */
function findLinkViolations({url, text}: Node, ours: string): string[] {
  const address = String(url);
  if (address.includes(ours)) return [];
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(address) ?? [];
  return [
    ...(text !== undefined && text !== url ? ['a link with other words than its address'] : []),
    ...(/^[a-z0-9._-]+(?::\d+)?$/i.test(authority) ? [] : ['a link to a host in disguise']),
    ...(/[^\p{L}\p{N}\p{M}\p{P}\p{S}]/u.test(address) ? ['a link with characters that no one sees'] : []),
  ];
}

/**
 * Checks that a call of the Web API tells Slack not to turn names and channels into links, and not to show
 * previews of links.
 */
export function findCallViolations({method, body}: {readonly method: string; readonly body: Node}): string[] {
  const wanted: Readonly<Record<string, Node>> = {
    'chat.postMessage': {parse: 'none', link_names: 'false', unfurl_links: 'false', unfurl_media: 'false'},
    'chat.update': {parse: 'none', link_names: 'false'},
    'chat.postEphemeral': {parse: 'none', link_names: 'false'},
  };
  return Object.entries(wanted[method] ?? {}).flatMap(([name, value]) =>
    String(body[name]) === value ? [] : [`${method}: ${name} is ${String(body[name])}`],
  );
}
