import {parseWire} from '../../../domain/core/resource.js';
import {type Caller, everyScope} from '../../../domain/core/access.js';
import {AppError, notFound, plainRefusal} from '../../../domain/core/errors.js';
import type {Team} from '../../../domain/teams/team.js';
import {nameInText} from '../../words/bidi.js';
import {privately} from '../blocks/blocks.js';
import type {Kit, Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {button, row, section} from '../blocks/shapes.js';
import {openView} from '../door/open-view.js';
import type {Words} from '../../words/words.js';
import {findLeads, type Leads} from './leads.js';
import {presentSettings} from './settings-view.js';
import {presentSetupSentence} from './setup-view.js';
import {maxPeople} from './team-form.js';
import {rulesOf} from './team-rules.js';
import {createZones} from './zones.js';

interface SettingsData {
  readonly team: Team;
  /** Slack ids; undefined when the team is too big to show them all. */
  readonly members: readonly string[] | undefined;
  readonly elsewhere: readonly string[];
  readonly leads: Leads | undefined;
}

/**
 * Opens the settings of a team for people who may change it; others see why they may not. `teamId`: id or
 * slug. Never throws.
 */
export async function openTeamSettings(kit: Kit, visit: Visit, teamId: string): Promise<void> {
  const {reader, origin, user} = visit;
  const {words} = reader;
  const zones = createZones(kit.now);
  await openView<SettingsData>(kit, visit, {
    async load(deadline) {
      const place = await kit.visitors.findPlace(origin, deadline);
      const {workspace, directory} = place;
      const team = directory.byReference(teamId);
      if (team === undefined) throw notFound('team');
      const member = await kit.services.people.findSlackMember({workspace, deadline}, user.id);
      if (member === undefined) await kit.visitors.refuseOutsider(place, user, deadline);
      if (member === undefined) throw plainRefusal('forbidden', words.setup.notInTeam(nameInText(team.name)));
      const principal = {type: 'member', id: member.id, name: member.name} as const;
      const access = {workspace, principal, scopes: everyScope, deadline};
      const current = await findToChange(kit, access, team, words);
      const [people, leads] = await Promise.all([
        listPeople(kit, access, current),
        findLeads(kit.services, access, current),
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
        rules: rulesOf(team),
      };
      const {id, revision, slack_channel_id: channel, timezone} = team;
      const led = {leads: leads?.inSlack, ledElsewhere: leads?.elsewhere === true};
      const memo = {team: id, revision, channel, before: members, ...led, own: timezone};
      return presentSettings(words, fields, memo, {elsewhere});
    },
    loading: presentSetupSentence(words, words.setup.loading),
    presentNote: ({sentence}) => presentSetupSentence(words, sentence),
    presentRefusal: ({sentence}) => privately(sentence),
    retry: {
      ...privately(words.setup.retry),
      blocks: [section(words.setup.retry), row(button(actions.openSettings, words.setup.settings, teamId))],
    },
  });
}

/** The current team. Errors: `forbidden`, with the name of the team, for a person who may not change it. */
export async function findToChange(
  {services}: Pick<Kit, 'services'>,
  access: Caller,
  {id, name}: Pick<Team, 'id' | 'name'>,
  {setup}: Words,
): Promise<Team> {
  try {
    return await services.teams.findTeamToChange(access, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    throw plainRefusal('forbidden', setup.notInTeam(nameInText(name)));
  }
}

/** The people in a team, by Slack id or, if they are not in Slack, by name. */
async function listPeople(
  {services}: Kit,
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
    elsewhere: people.flatMap(({slack_user_id, name}) => (slack_user_id === null ? [nameInText(name)] : [])),
  };
}
