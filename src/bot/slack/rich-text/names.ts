import type {Id} from '../../../domain/core/ids.js';
import type {Texts} from '../../texts/translation.js';

/** The known names of people and channels, by Slack id. */
export interface SlackNames {
  /** Returns the name of a person. `given`: the name that Slack sent. */
  user: (id: string, given?: string) => string | undefined;
  /** Returns the name of a channel, without `#`. */
  channel: (id: string, given?: string) => string | undefined;
  /** Returns the id of the member who is a person, for texts that may mention them. */
  readonly member?: (id: string) => Id<'member'> | undefined;
  /** The domain of the Slack workspace, as in `domain.slack.com`. */
  readonly domain?: string | undefined;
  /** The texts for people and channels without a known name. */
  readonly unknown: Texts['text']['unknown'];
}

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
