import type {RespondArguments} from '@slack/bolt';
import {parseWire} from '../../../domain/core/resource.js';
import {isolateName} from '../../texts/bidi.js';
import {privateAnswer} from '../blocks/blocks.js';
import {link, paragraph, textElement} from '../blocks/shapes.js';
import {escapeText} from '../blocks/text.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {explainError} from '../core/refusals.js';
import {NotServed, slackKey} from '../core/slack-identities.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';

/**
 * Creates a dashboard sign-in link for `/standup web`, or where links are off the plain address. `reference`:
 * the team whose settings it opens.
 */
export async function createSignInLink(
  context: SlackContext,
  request: SlackRequest,
  reference?: string,
): Promise<RespondArguments> {
  const {user, translation, commandKey, triggerId} = request;
  const {identities, services} = context;
  const {texts} = translation;
  try {
    const deadline = identities.answerBy();
    const slackWorkspace = await identities.findSlackWorkspace(request.origin, deadline);
    const call = await identities.admitLookedAt(slackWorkspace, user, deadline);
    const team = reference === undefined ? undefined : await services.teams.findTeam(call, reference);
    const page = team && `/t/${team.slug}/settings`;
    const label =
      team === undefined ? texts.web.open : texts.web.openSettings({team: isolateName(team.name)});
    const address = services.sessions.findAddressWithoutLink(page);
    if (address !== undefined) return presentAddress(translation, address, label, texts.web.signInThere);
    const idempotency = slackKey(call, 'command', commandKey ?? triggerId, 'web');
    const {body} = await services.sessions.createSignInLink({...call, idempotency}, {page});
    return presentAddress(translation, parseWire(body).url, label, texts.web.once);
  } catch (error) {
    const {sentence} = explainError(context, error, texts);
    const isOutsider = error instanceof NotServed && reference !== undefined;
    return privateAnswer(isOutsider ? `${sentence} ${texts.web.askLead}` : sentence);
  }
}

function presentAddress(
  {texts: {web}}: SlackTranslation,
  url: string,
  label: string,
  about: string,
): RespondArguments {
  // Only an address on this computer (loopback) may be plain http.
  const note = url.startsWith('https:') ? about : `${about} ${web.here}`;
  return {
    response_type: 'ephemeral',
    text: `${escapeText(label)}: ${url}\n${note}`,
    blocks: [paragraph([link(url, label), textElement(`\n${note}`)])],
  };
}
