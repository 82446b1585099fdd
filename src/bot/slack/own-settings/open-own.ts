import {refusalForPeople} from '../../../domain/core/errors.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {openView} from '../core/open-view.js';
import {createZoneSearch} from '../blocks/zones.js';
import {
  type OwnSettings,
  presentOwnSettingsNote,
  presentOwnSettingsRetry,
  presentOwnSettings,
} from './own-view.js';

/** Opens the form for a person's own settings. Never throws. */
export async function openOwnSettings(deps: SlackContext, request: SlackRequest): Promise<void> {
  const {
    translation: {texts},
    origin,
    user,
  } = request;
  await openView<OwnSettings>(deps, request, {
    async load(deadline) {
      const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
      const {workspace} = slackWorkspace;
      const member = await deps.services.people.findSlackMember({workspace, deadline}, user.id);
      if (member === undefined) await deps.identities.refuseOutsider(slackWorkspace, user, deadline);
      if (member === undefined) throw refusalForPeople('forbidden', texts.own.unknown);
      return {
        member,
        zone: member.timezone === null ? undefined : createZoneSearch(deps.now).present(member.timezone),
      };
    },
    present: (settings) => presentOwnSettings(texts, settings),
    loading: presentOwnSettingsNote(texts, texts.own.loading),
    presentNote: ({sentence}) => presentOwnSettingsNote(texts, sentence),
    presentRefusal: ({sentence}) => privateAnswer(sentence),
    retry: {...privateAnswer(texts.own.retry), blocks: presentOwnSettingsRetry(texts)},
  });
}
