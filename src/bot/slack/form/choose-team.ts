import type {ViewOutput} from '@slack/bolt';
import {everyScope} from '../../../domain/core/access.js';
import {plainRefusal} from '../../../domain/core/errors.js';
import {privately} from '../blocks/blocks.js';
import {readText} from '../blocks/button-value.js';
import type {Visit} from '../door/kit.js';
import {actions} from '../blocks/names.js';
import {explain} from '../door/refusals.js';
import {findNames} from '../rich-text/find-names.js';
import {listAlsoTeams, readAlso} from './also-teams.js';
import {carryContent} from './carry-content.js';
import {parsePlace, readContent, readPicked} from './form-place.js';
import {type FormData, presentForm} from './form-view.js';
import {findSince} from './find-since.js';
import {dateIn, packDates} from './form-dates.js';
import {findDates, lastBefore, shownDate} from './load-form.js';
import {listOpenBlockers} from './open-blockers.js';
import {fillView, type FormParts} from './open-form.js';

const loadMs = 5_000;

/**
 * Shows the inputs of the team that was picked, in the form's place, with what was typed. With the view's
 * hash: a form that has changed since is left alone. When the team cannot be read the form stays as it is,
 * and still posts what is typed there for the team that is picked.
 */
export async function showPicked(parts: FormParts, visit: Visit, view: ViewOutput): Promise<void> {
  const {visitors, log, drawReference} = parts;
  const {reader} = visit;
  const team = readPicked(view);
  if (team === undefined || team === parsePlace(view.private_metadata).picked) return;
  const deadline = performance.now() + loadMs;
  try {
    const [client, data] = await Promise.all([
      visitors.findClient(visit.origin, deadline),
      loadPicked(parts, visit, {view, picked: team}, deadline),
    ]);
    await fillView(parts, client, visit, view, presentForm(reader, data), {mode: 'new', team});
  } catch (error) {
    const {sentence} = explain(error, log, drawReference(), reader.words);
    await visit.respond({...privately(sentence), replace_original: false});
  }
}

async function loadPicked(
  parts: FormParts,
  {origin, user, reader, domain}: Visit,
  {view, picked}: {readonly view: ViewOutput; readonly picked: string},
  deadline: number,
): Promise<FormData> {
  const {visitors} = parts;
  const place = parsePlace(view.private_metadata);
  const at = await visitors.findPlace(origin, deadline);
  const member = await visitors.findMember(at, user, deadline);
  const mine = member === undefined ? [] : await visitors.listPostable(at, member, deadline);
  // A form that knows its dates has one for each team that it lets choose from.
  const teams = mine.filter(({id}) => place.dates === undefined || dateIn(place.dates, id) !== undefined);
  const team = teams.find(({id}) => id === picked);
  if (team === undefined || member === undefined) {
    throw plainRefusal('team_not_found', reader.words.form.teamGone);
  }
  const principal = {type: 'member', id: member, name: user.name} as const;
  const access = {workspace: at.workspace, principal, scopes: everyScope, deadline};
  const dates = await findDates(parts, {workspace: at.workspace, deadline, member}, teams, place.dates);
  const day = dates.get(team.id) ?? '';
  const [ofTeam, ofAny, open, since] = await Promise.all([
    lastBefore(parts, access, team, day),
    // The same as the form began with.
    lastBefore(parts, access, undefined, dates.get((teams[0] ?? team).id) ?? day),
    listOpenBlockers(parts.services, access, team),
    findSince(parts, access, team, day),
  ]);
  const names = await findNames(parts, () => Promise.resolve(at), view.state, {
    words: reader.words,
    deadline,
    domain,
  });
  const {content, cut} = carryContent(readContent(view, place, names), team, {ofTeam, ofAny});
  return {
    place: {...place, picked, dates: packDates(dates)},
    content,
    questions: team.questions,
    open,
    date: shownDate(parts, [team], dates),
    since,
    teams,
    also: {teams: listAlsoTeams(teams, picked), chosen: readAlso(view, place)},
    waiting: waitingIn(view),
    note: cut ? {sentence: reader.words.form.appendCut} : undefined,
  };
}

/** The text that goes along to the set-up of a team, as the form has it. */
function waitingIn({blocks}: Pick<ViewOutput, 'blocks'>): string | undefined {
  const buttons = (blocks as {elements?: {action_id?: string; value?: string}[]}[]).flatMap(
    ({elements = []}) => elements,
  );
  const value = buttons.find(({action_id: id}) => id === actions.setUp)?.value;
  return value === undefined ? undefined : readText(value);
}
