import type {Texts} from '../../texts/translation.js';

/** Names for Slack's ids, as far as they are known. */
export interface SlackNames {
  /** The name of a person; `given`: the name that Slack sent. */
  user: (id: string, given?: string) => string | undefined;
  /** The name of a channel, without its mark. */
  channel: (id: string, given?: string) => string | undefined;
  /** The domain of the Slack workspace, as in `domain.slack.com`. */
  readonly domain?: string | undefined;
  /** For ids without a name. */
  readonly unknown: Texts['text']['unknown'];
}

/** Only names that came with a request. */
export function namesFromRequest(
  texts: Texts,
  {
    users = new Map<string, string>(),
    channels = new Map<string, string>(),
    domain,
  }: {
    readonly users?: ReadonlyMap<string, string>;
    readonly channels?: ReadonlyMap<string, string>;
    readonly domain?: string | undefined;
  } = {},
): SlackNames {
  return {
    user: (id, given) => users.get(id) ?? given,
    channel: (id, given) => channels.get(id) ?? given,
    domain,
    unknown: texts.text.unknown,
  };
}
