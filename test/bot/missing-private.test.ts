import {afterAll, afterEach, beforeAll, expect, test} from '@jest/globals';
import {until} from '../support/until.js';
import {minute, type PromptPerson, type PromptScene, startPromptScene} from './prompt-scene.js';
import {asId} from '../support/ids.js';
import type {Id} from '../../src/domain/core/ids.js';

let scene: PromptScene;
let secret: Id<'team'>;
let lead: PromptPerson;
let left: PromptPerson;
beforeAll(async () => {
  scene = await startPromptScene();
  const {slack} = scene;
  const input = {slug: 'secret', name: 'Takeover', slack_channel_id: 'G0SECRET', names_missing: true};
  secret = (await slack.core.services.teams.createTeam(slack.operator(), input)).id ?? asId('');
  lead = await scene.addPerson({teams: [secret]});
  left = await scene.addPerson({teams: [slack.team]});
  await scene.openRun(scene.clock.now() + 60 * minute, secret, [lead]);
});
afterAll(() => scene.close());
afterEach(() => scene.slack.slack.clear());

const as = ({user}: PromptPerson) => ({user: {id: user, name: user}, channel: 'D1'});
/** Presses a button and returns all private answers. */
async function press(action: string, person: PromptPerson, says: RegExp): Promise<string> {
  const {slack} = scene;
  slack.slack.clear();
  await slack.action({action_id: action, value: JSON.stringify({team: secret})}, {}, as(person));
  const said = () => JSON.stringify(slack.slack.of('respond'));
  await until(() => says.test(said()) || said().includes('Takeover'), {what: 'an answer'});
  return said();
}

test('regression: missing members of a team with a possibly private channel are shown to its members alone', async () => {
  expect(await press('show-missing', left, /was deleted/)).not.toMatch(/Takeover/);
  expect(await press('remind-missing', left, /was deleted/)).not.toMatch(/Takeover/);
  expect(await press('show-missing', lead, /Takeover/)).toMatch(/Takeover/);
  const {members} = scene.slack.core.services;
  await members.changeMember(scene.slack.operator(), left.member.id, {role: 'admin'});
  expect(await press('show-missing', left, /Takeover/)).toMatch(/Takeover/);
});
