import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {openView} from '../core/open-view.js';
import {findProfile, readTimeZone} from '../core/profiles.js';
import {isChannelId, presentSetupRetry} from './offer.js';
import {presentSetup, presentSetupSentence} from './setup-view.js';
import {newTeamRules} from './team-rules.js';
import {createZoneSearch} from './zones.js';

/** The channel names that Slack sends for channels whose real name it hides. */
const nameless = /^(?:privategroup|directmessage|mpdm-.*)$/;

export interface SetupWish {
  /** The channel's name as Slack sent it. */
  readonly channelName: string;
  /** The update to post once the team exists; empty for none. */
  readonly text: string;
}

/** Opens the setup of a team, filled with the known data of the person and of the channel. */
export async function openSetup(
  deps: SlackContext,
  request: SlackRequest,
  {channelName, text}: SetupWish,
): Promise<void> {
  const {translation, user, origin} = request;
  const {texts} = translation;
  const zones = createZoneSearch(deps.now);
  const channel = isChannelId(request.channel) ? request.channel : undefined;
  await openView<{readonly zone: string | undefined}>(deps, request, {
    async load(deadline) {
      const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
      const {workspace} = slackWorkspace;
      const known = await deps.services.people.findSlackMember({workspace, deadline}, user.id);
      if (known === undefined) await deps.identities.refuseOutsider(slackWorkspace, user, deadline);
      return {zone: known?.timezone ?? undefined};
    },
    lacks: ({zone}) => zone === undefined,
    complete: async (_, client) => ({zone: readTimeZone(await findProfile(client, user.id))}),
    present({zone}) {
      const fields = {
        name: nameless.test(channelName) ? '' : channelName,
        members: [user.id],
        zone: zone === undefined ? undefined : zones.present(zone),
        channel,
        rules: newTeamRules,
      };
      return presentSetup(texts, fields, {own: zone, ...(text !== '' && {text})});
    },
    loading: presentSetupSentence(texts, texts.setup.loading),
    presentNote: ({sentence}) => presentSetupSentence(texts, sentence),
    presentRefusal: ({sentence}) => privateAnswer(sentence),
    retry: presentSetupRetry(translation, request.channel, text),
  });
}
