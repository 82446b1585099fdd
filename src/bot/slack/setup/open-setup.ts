import {privately} from '../blocks/blocks.js';
import type {Kit, Visit} from '../door/kit.js';
import {openView} from '../door/open-view.js';
import {findProfile, zoneOf} from '../door/profiles.js';
import {isChannel, presentSetupRetry} from './offer.js';
import {presentSetup, presentSetupSentence} from './setup-view.js';
import {newTeamRules} from './team-rules.js';
import {createZones} from './zones.js';

/** The channel name that Slack sends with a command or a button when it hides the real one. */
const nameless = /^(?:privategroup|directmessage|mpdm-.*)$/;

export interface SetupWish {
  /** The name that Slack sends with a command or a button. */
  readonly channelName: string;
  /** An update that waits for the team; empty for none. */
  readonly text: string;
}

/** Opens the setup of a team, filled with the known data of the person and of the channel. */
export async function openSetup(kit: Kit, visit: Visit, {channelName, text}: SetupWish): Promise<void> {
  const {reader, user, origin} = visit;
  const {words} = reader;
  const zones = createZones(kit.now);
  const channel = isChannel(visit.channel) ? visit.channel : undefined;
  await openView<{readonly zone: string | undefined}>(kit, visit, {
    async load(deadline) {
      const place = await kit.visitors.findPlace(origin, deadline);
      const {workspace} = place;
      const known = await kit.services.people.findSlackMember({workspace, deadline}, user.id);
      if (known === undefined) await kit.visitors.refuseOutsider(place, user, deadline);
      return {zone: known?.timezone ?? undefined};
    },
    lacks: ({zone}) => zone === undefined,
    complete: async (_, client) => ({zone: zoneOf(await findProfile(client, user.id))}),
    present({zone}) {
      const fields = {
        name: nameless.test(channelName) ? '' : channelName,
        members: [user.id],
        zone: zone === undefined ? undefined : zones.present(zone),
        channel,
        rules: newTeamRules,
      };
      return presentSetup(words, fields, {own: zone, ...(text !== '' && {text})});
    },
    loading: presentSetupSentence(words, words.setup.loading),
    presentNote: ({sentence}) => presentSetupSentence(words, sentence),
    presentRefusal: ({sentence}) => privately(sentence),
    retry: presentSetupRetry(reader, visit.channel, text),
  });
}
