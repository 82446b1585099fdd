import {parseWire} from '../../../domain/core/resource.js';
import {everyScope} from '../../../domain/core/access.js';
import {plainRefusal} from '../../../domain/core/errors.js';
import {limits} from '../../../domain/core/limits.js';
import {privately} from '../blocks/blocks.js';
import type {Kit, Visit} from '../door/kit.js';
import {openView} from '../door/open-view.js';
import {createZones} from '../setup/zones.js';
import {type OwnSettings, presentOwnNote, presentOwnRetry, presentOwnSettings} from './own-view.js';

/** Opens a person's own settings. Never throws. */
export async function openOwnSettings(kit: Kit, visit: Visit): Promise<void> {
  const {
    reader: {words},
    origin,
    user,
  } = visit;
  const zones = createZones(kit.now);
  await openView<OwnSettings>(kit, visit, {
    async load(deadline) {
      const place = await kit.visitors.findPlace(origin, deadline);
      const {workspace} = place;
      const member = await kit.services.people.findSlackMember({workspace, deadline}, user.id);
      if (member === undefined) await kit.visitors.refuseOutsider(place, user, deadline);
      if (member === undefined) throw plainRefusal('forbidden', words.own.unknown);
      const principal = {type: 'member', id: member.id, name: member.name} as const;
      const access = {workspace, principal, scopes: everyScope, deadline};
      const {rows} = await kit.services.holidayCalendars.listCalendars(access, {
        limit: limits.holidayCalendars,
      });
      return {
        member,
        zone: member.timezone === null ? undefined : zones.present(member.timezone),
        calendars: rows.map(parseWire),
      };
    },
    present: (settings) => presentOwnSettings(words, settings),
    loading: presentOwnNote(words, words.own.loading),
    presentNote: ({sentence}) => presentOwnNote(words, sentence),
    presentRefusal: ({sentence}) => privately(sentence),
    retry: {...privately(words.own.retry), blocks: presentOwnRetry(words)},
  });
}
