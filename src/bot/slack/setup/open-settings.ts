import {parseWire} from '../../../domain/core/resource.js';
import {type Caller, everyScope} from '../../../domain/core/access.js';
import {AppError, notFound, refusalForPeople} from '../../../domain/core/errors.js';
import type {Team} from '../../../domain/teams/team.js';
import {isolateName} from '../../texts/bidi.js';
import {privateAnswer} from '../blocks/blocks.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {actions} from '../blocks/names.js';
import {button, actionsRow, section} from '../blocks/shapes.js';
import {openView} from '../core/open-view.js';
import type {Texts} from '../../texts/translation.js';
import {findLeads, type Leads} from './leads.js';
import {presentSettings} from './settings-view.js';
import {presentSetupSentence} from './setup-view.js';
import {maxPeople} from './team-form.js';
import {readTeamRules} from './team-rules.js';
import {createZoneSearch} from './zones.js';

interface SettingsData {
  readonly team: Team;
  /** The Slack ids of the team's members; undefined if the team is too big to show them. */
  readonly members: readonly string[] | undefined;
  readonly elsewhere: readonly string[];
  readonly leads: Leads | undefined;
}

/**
 * Opens the settings of a team for people who may change it; others see why they may not. `teamId`: the
 * team's id or slug. Never throws.
 */
export async function openTeamSettings(
  deps: SlackContext,
  request: SlackRequest,
  teamId: string,
): Promise<void> {
  const {translation, origin, user} = request;
  const {texts} = translation;
  const zones = createZoneSearch(deps.now);
  await openView<SettingsData>(deps, request, {
    async load(deadline) {
      const slackWorkspace = await deps.identities.findSlackWorkspace(origin, deadline);
      const {workspace, directory} = slackWorkspace;
      const team = directory.byReference(teamId);
      if (team === undefined) throw notFound('team');
      const member = await deps.services.people.findSlackMember({workspace, deadline}, user.id);
      if (member === undefined) await deps.identities.refuseOutsider(slackWorkspace, user, deadline);
      if (member === undefined)
        throw refusalForPeople('forbidden', texts.setup.notInTeam({team: isolateName(team.name)}));
      const principal = {type: 'member', id: member.id, name: member.name} as const;
      const access = {workspace, principal, scopes: everyScope, deadline};
      const current = await findChangeableTeam(deps, access, team, texts);
      const [people, leads] = await Promise.all([
        listPeople(deps, access, current),
        findLeads(deps.services, access, current),
      ]);
      return {team: current, ...people, leads};
    },
    present({team, members, elsewhere, leads}) {
      const fields = {
        name: team.name,
        members,
        leads: leads?.inSlack,
        needsLead: leads?.elsewhere === false && leads.inSlack.length > 0,
        zone: zones.present(team.timezone),
        channel: team.slack_channel_id ?? undefined,
        rules: readTeamRules(team),
      };
      const {id, revision, slack_channel_id: channel, timezone} = team;
      const led = {leads: leads?.inSlack, ledElsewhere: leads?.elsewhere === true};
      const memo = {team: id, revision, channel, before: members, ...led, own: timezone};
      return presentSettings(texts, fields, memo, {elsewhere});
    },
    loading: presentSetupSentence(texts, texts.setup.loading),
    presentNote: ({sentence}) => presentSetupSentence(texts, sentence),
    presentRefusal: ({sentence}) => privateAnswer(sentence),
    retry: {
      ...privateAnswer(texts.setup.retry),
      blocks: [
        section(texts.setup.retry),
        actionsRow(button(actions.openSettings, texts.setup.settings, teamId)),
      ],
    },
  });
}

/**
 * Returns the current team. Errors: `forbidden`, with the name of the team, for a person who may not change
 * it.
 */
export async function findChangeableTeam(
  {services}: Pick<SlackContext, 'services'>,
  access: Caller,
  {id, name}: Pick<Team, 'id' | 'name'>,
  {setup}: Texts,
): Promise<Team> {
  try {
    return await services.teams.findTeamToChange(access, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    throw refusalForPeople('forbidden', setup.notInTeam({team: isolateName(name)}));
  }
}

/** Lists the people in a team: by Slack id or, if they are not in Slack, by name. */
async function listPeople(
  {services}: SlackContext,
  access: Caller,
  team: Team,
): Promise<Pick<SettingsData, 'members' | 'elsewhere'>> {
  const {rows, next} = await services.teamMembers.listTeamMembers(access, team.id, {limit: maxPeople});
  if (next !== undefined) return {members: undefined, elsewhere: []};
  const people = await Promise.all(
    rows.map((row) => services.members.findMember(access, parseWire(row).member.id)),
  );
  return {
    members: people.flatMap(({slack_user_id}) => (slack_user_id === null ? [] : [slack_user_id])),
    elsewhere: people.flatMap(({slack_user_id, name}) => (slack_user_id === null ? [isolateName(name)] : [])),
  };
}
