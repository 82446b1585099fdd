import type {types} from '@slack/bolt';
import type {ViewOutput, ViewResponseAction} from '@slack/bolt';
import type {Call} from '../../domain/access.js';
import {AppError, fieldError} from '../../domain/errors.js';
import {limits} from '../../domain/limits.js';
import type {Log} from '../../domain/log.js';
import type {SlackOrigin} from '../../domain/slack-installation.js';
import type {Team} from '../../domain/team.js';
import {codePoints, textFault} from '../../domain/text.js';
import type {Services} from '../../service/services.js';
import {parsePlace, presentNote} from './form-view.js';
import {fields, fieldValue} from '../names.js';
import {explain} from '../refusals.js';
import {composeUpdate, cutText, decodeText, type FormText} from '../text.js';
import {answerMs, type Place, type SlackUser, slackKey, type Visitors} from '../visitors.js';

export interface SubmitParts {
  readonly visitors: Visitors;
  readonly services: Pick<Services, 'standups'>;
  readonly log: Log;
  readonly drawReference: () => string;
  /** Called when a form could not be saved for a reason of ours, so that the same request may come again. */
  readonly onUnserved: () => void;
}

/**
 * Validates, saves, and only then answers: undefined closes the form. Whatever goes wrong leaves it open, with its text and the reason.
 * The view's id stands for the standup: submitting it again changes the one it has made.
 */
export async function submitForm(
  parts: SubmitParts,
  view: ViewOutput,
  {origin, user}: {readonly origin: SlackOrigin; readonly user: SlackUser},
): Promise<ViewResponseAction | undefined> {
  const {visitors, log, drawReference, onUnserved} = parts;
  const form = readForm(view);
  const faults = findFaults(form);
  if (Object.keys(faults).length > 0) return {response_action: 'errors', errors: faults};
  const deadline = performance.now() + answerMs;
  try {
    const place = await visitors.findPlace(origin, deadline);
    const call = await visitors.admit(place, user, deadline);
    const team = await chooseTeam(parts, place, call, view);
    await save(parts, call, team, view.id, composeUpdate(form));
    if (team.slack_channel_id !== null) return undefined;
    return {response_action: 'update', view: presentNote(`Your standup for ${team.name} is saved.`)};
  } catch (error) {
    const {code, sentence} = explain(error, log, drawReference());
    if (code === 'service_unavailable' || code === 'internal_error') onUnserved();
    const field = code === 'team_not_found' && hasField(view, fields.team) ? fields.team : fields.today;
    return refuseForm(sentence, field);
  }
}

/** Leaves the form open, with the reason under one of its fields. */
export function refuseForm(sentence: string, field: string = fields.today): ViewResponseAction {
  return {response_action: 'errors', errors: {[field]: cutText(`Not saved. ${sentence}`, 300)}};
}

async function save(
  {services: {standups}}: SubmitParts,
  call: Call,
  team: Team,
  viewId: string,
  update: string,
): Promise<void> {
  const keyed = {...call, idempotency: slackKey(call, 'form', viewId, update)};
  try {
    await standups.postStandup(keyed, {team: team.slug, update, source: 'slack'});
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'idempotency_key_reused') throw error;
    const kept = await standups.findKept(keyed);
    if (kept === undefined)
      throw new AppError('not_found', 'The standup that this form has made is deleted.', {cause: error});
    await standups.editStandup(call, kept.id, {update});
  }
}

/** Posting in a team's channel joins it; a team chosen from the list is one they are in already, and the service checks that. */
async function chooseTeam(
  {visitors}: SubmitParts,
  {directory}: Place,
  call: Call,
  view: ViewOutput,
): Promise<Team> {
  const place = parsePlace(view.private_metadata);
  const chosen = place.team ?? view.state.values[fields.team]?.[fieldValue]?.selected_option?.value;
  const team = chosen === undefined ? undefined : directory.byReference(chosen);
  if (team === undefined)
    throw fieldError('team_not_found', '#/team', 'This team is not there any more. Choose another one.');
  if (place.joins) await visitors.join(call, team);
  return team;
}

function readForm({state}: ViewOutput): FormText {
  const read = (field: string) => decodeText(state.values[field]?.[fieldValue]?.value ?? '');
  return {yesterday: read(fields.yesterday), today: read(fields.today), blockers: read(fields.blockers)};
}

function findFaults(form: FormText): Record<string, string> {
  const faults: Record<string, string> = {};
  if (form.today.trim() === '') faults[fields.today] = 'Say what you do today.';
  for (const field of ['yesterday', 'today', 'blockers'] as const) {
    const fault = form[field].trim() === '' ? undefined : textFault(form[field], limits.update);
    if (fault !== undefined) faults[fields[field]] = `This text ${fault}.`;
  }
  const length = codePoints(composeUpdate(form));
  if (Object.keys(faults).length === 0 && length > limits.update) {
    const longest = (['yesterday', 'today', 'blockers'] as const).toSorted(
      (a, b) => form[b].length - form[a].length,
    )[0];
    faults[fields[longest ?? 'today']] =
      `Together this is ${length} characters long; at most ${limits.update} fit into one standup.`;
  }
  return faults;
}

function hasField({blocks}: ViewOutput, field: string): boolean {
  return (blocks as types.Block[]).some(({block_id}) => block_id === field);
}
