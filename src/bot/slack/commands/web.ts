import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {privateAnswer} from '../blocks/blocks.js';
import {link, paragraph, textElement} from '../blocks/shapes.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {slackKey} from '../core/slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/** Handles `/standup web`: creates a link that signs the person in to the dashboard. */
export async function createSignInLink(
  context: SlackContext,
  request: SlackRequest,
): Promise<RespondArguments> {
  const {user, translation, commandKey, triggerId} = request;
  const {identities, services} = context;
  try {
    const deadline = identities.answerBy();
    const slackWorkspace = await identities.findSlackWorkspace(request.origin, deadline);
    const call = await identities.admitLookedAt(slackWorkspace, user, deadline);
    const idempotency = slackKey(call, 'command', commandKey ?? triggerId, 'web');
    const {body} = await services.sessions.createSignInLink({...call, idempotency}, {});
    const {url} = parseWire(body);
    return presentSignInLink(translation, url);
  } catch (error) {
    return privateAnswer(explainError(context, error, translation.texts).sentence);
  }
}

function presentSignInLink({texts: {web}}: SlackTranslation, url: string): RespondArguments {
  // Only an address on this computer (loopback) may be plain http.
  const note = url.startsWith('https:') ? web.once : `${web.once} ${web.here}`;
  return {
    response_type: 'ephemeral',
    text: `${web.open}: ${url}\n${note}`,
    blocks: [paragraph([link(url, web.open), textElement(`\n${note}`)])],
  };
}
