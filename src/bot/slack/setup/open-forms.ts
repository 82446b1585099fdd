import {everyScope} from '../../../domain/core/access.js';
import {notFound, refusalForPeople} from '../../../domain/core/errors.js';
import {type Team, teamDefaults} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {privateAnswer} from '../blocks/blocks.js';
import {actions, fieldValue, teamFields, views} from '../blocks/names.js';
import {actionsRow, button, presentFieldErrors, readText, section, sentenceModal} from '../blocks/shapes.js';
import {createZoneSearch} from '../blocks/zones.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {isChannelName} from '../core/find-names.js';
import {findRequestingMember} from '../core/requester.js';
import {openView} from '../core/open-view.js';
import {findProfile, readTimeZone} from '../core/profiles.js';
import {isChannelId, presentSetupRetry, readSetupChannel} from '../answers/setup-offer.js';
import {findChangeableTeam} from './save-team.js';
import {presentSettings, presentSetup, readMemo} from './setup-view.js';
import {describeClock, readSettings, readTeamFields} from './team-form.js';
import type {KnownBlock} from '@slack/types';
import {listenToAction, listenToSearch, listenToView, type ButtonPress} from '../core/listeners.js';
import {postUpdate} from '../commands/post.js';
import {createSignInLink} from '../commands/web.js';
import {openForm} from '../form/open-form.js';
import {submitSettings, addMissingPeople, submitSetup} from './submit-setup.js';

/** Opens the setup of a team. `text`: the update to post once the team exists, or empty. Never throws. */
async function openSetup(
  deps: SlackContext,
  request: SlackRequest,
  {channelName, text}: {readonly channelName: string; readonly text: string},
): Promise<void> {
  const {translation, user} = request;
  const {texts} = translation;
  await openView<{readonly zone: string | undefined}>(deps, request, {
    async load(deadline) {
      const {member} = await findRequestingMember(deps, request, deadline);
      return {zone: member?.timezone ?? undefined};
    },
    lacks: ({zone}) => zone === undefined,
    complete: async (_, client) => ({zone: readTimeZone(await findProfile(client, user.id))}),
    present({zone}) {
      const channel = isChannelId(request.channel) ? request.channel : undefined;
      const name = channel !== undefined && isChannelName(channelName) ? channelName : '';
      const data = {
        ...readTeamFields(undefined, texts),
        ...(name === '' && {name}),
        channel,
        ...(zone === undefined ? {zone: {chosen: undefined}} : {clock: describeClock(texts, zone)}),
        mode: teamDefaults.slack_post_mode,
      };
      return presentSetup(texts, data, {own: zone, channel, name, ...(text !== '' && {text})});
    },
    loading: texts.setup.loading,
    presentNote: ({sentence}) => sentenceModal(texts.setup, sentence),
    retry: presentSetupRetry(translation, request.channel, text),
  });
}

/** Opens a team's settings, or says why not. `reference`: the team's id or slug. Never throws. */
export async function openTeamSettings(
  deps: SlackContext,
  request: SlackRequest,
  reference: string,
): Promise<void> {
  const {texts} = request.translation;
  const {setup} = texts;
  await openView<Team>(deps, request, {
    async load(deadline) {
      const {slackWorkspace, member} = await findRequestingMember(deps, request, deadline);
      const {workspace, directory} = slackWorkspace;
      const team = directory.byReference(reference);
      if (team === undefined) throw notFound('team');
      if (member === undefined)
        throw refusalForPeople('forbidden', setup.notInTeam({team: isolateName(team.name)}));
      const principal = {type: 'member', id: member.id, name: member.name} as const;
      return findChangeableTeam(deps, {workspace, principal, scopes: everyScope, deadline}, team, texts);
    },
    present: (team) => presentSettings(texts, team, readSettings(team, texts)),
    loading: setup.loading,
    presentNote: ({sentence}) => sentenceModal(texts.setup, sentence),
    retry: {
      ...privateAnswer(setup.retry),
      blocks: [section(setup.retry), actionsRow(button(actions.openSettings, setup.settings, reference))],
    },
  });
}

/**
 * Listens to the forms for a new team and its settings: the buttons that open them, searches in them, and
 * submissions.
 */
export function listenToSetup(deps: SlackContext): void {
  const zones = createZoneSearch(deps.now);

  listen(actions.setUp, ({request, text, view, channelName}) => {
    // A modal has no channel itself, but may have been opened in one.
    const channel = request.channel || readSetupChannel(view?.private_metadata ?? '');
    return openSetup(deps, {...request, channel}, {channelName, text: readText(text)});
  });
  listen(actions.openSettings, ({request, text: team}) => openTeamSettings(deps, request, team));
  listen(actions.moreSettings, async ({request, text: team}) =>
    request.respond(await createSignInLink(deps, request, team)),
  );
  listen(actions.postAfterSetup, async ({request, text, view}) => {
    if (view === undefined) return;
    const {team} = readMemo(view.private_metadata);
    // Pressed twice in one modal, the button posts once.
    const outcome = await postUpdate(deps, request, {update: readText(text), key: view.id, team});
    if (outcome.outcome === 'form') return openForm(deps, request, outcome.request);
    const {text: said, blocks} = outcome.answer as {text: string; blocks: KnownBlock[]};
    // The buttons of an answer need the address of a message. Those of the modal below it stay.
    await request.respond({text: said, blocks: blocks.filter(({type}) => type !== 'actions')});
  });

  listenToSearch(deps, {block_id: teamFields.zone, action_id: fieldValue}, (typed, view) =>
    zones.search(typed, readMemo(view?.private_metadata ?? '').own),
  );

  const submissions = {
    [views.setup]: submitSetup,
    [views.settings]: submitSettings,
    [views.addPeople]: addMissingPeople,
  };
  for (const [name, submit] of Object.entries(submissions)) {
    listenToView(
      deps,
      name,
      (submission, answer) => submit(deps, submission, answer),
      (sentence) => presentFieldErrors({[teamFields.channel]: sentence}),
    );
  }

  function listen(name: string, act: (press: ButtonPress) => Promise<void>): void {
    listenToAction(deps, name, act, 'view');
  }
}
