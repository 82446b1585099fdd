import {afterAll, beforeAll, beforeEach, expect, it} from '@jest/globals';
import {createSetup, describeNextStep} from '../../../src/domain/workspaces/setup.js';
import type {ServiceContext} from '../../../src/service/core/context.js';
import {createSetupFinder} from '../../../src/service/workspaces/setup.js';
import {addPerson} from '../../api/people.js';
import {createTestContext} from '../../support/service-context.js';
import {startService, type TestService, type TestWorkspace} from '../../support/service.js';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await startService();
});

beforeEach(async () => {
  workspace = await service.addWorkspace();
});

afterAll(() => service.close());

const slack = {mode: 'token', transport: 'http'} as const;

/** A provider that speaks for the workspaces with these slugs or ids. */
const providerFor = (...workspaces: readonly string[]) => ({
  trustedIssuers: [
    {
      issuer: 'https://id.example.com',
      audience: 'standup',
      jwksUrl: 'https://id.example.com/keys',
      workspaces,
      serviceAccounts: new Map<string, string>(),
      signIn: {},
    },
  ],
});

/** The steps of a new owner in an installation with these settings. */
async function findStates(
  person: Parameters<typeof addPerson>[2],
  settings: Partial<ServiceContext>,
): Promise<Readonly<Record<string, string>>> {
  const {id, name} = await addPerson(service, workspace, {role: 'owner', ...person});
  const findSetup = createSetupFinder(createTestContext(service.core, settings));
  const {steps} = await findSetup({...workspace.operator(), principal: {type: 'member', id, name}});
  return Object.fromEntries(steps.map(({step, state}) => [step, state]));
}

it.each<[string, Parameters<typeof addPerson>[2], () => Partial<ServiceContext>, string]>([
  ['without any way is off', {}, () => ({}), 'off'],
  ['is open for a person without a Slack link', {}, () => ({slack}), 'open'],
  ['is done by a Slack link', {slack_user_id: 'U024BE7LH'}, () => ({slack}), 'done'],
  [
    'is off if only their Slack link is left, and Slack is not configured',
    {slack_user_id: 'U024BE7LH'},
    () => ({}),
    'off',
  ],
  [
    'is done by an address that a provider can vouch for',
    {email: 'ada@example.com'},
    () => providerFor(workspace.id),
    'done',
  ],
  ['is open for a person without an address', {}, () => providerFor(workspace.id), 'open'],
  [
    'ignores a provider of another workspace',
    {email: 'ada@example.com'},
    () => providerFor('elsewhere'),
    'off',
  ],
])('the step to sign in again %s', async (_, person, settings, state) => {
  expect((await findStates(person, settings()))['sign_in']).toBe(state);
});

it('a person needs an address to be known where e-mail is on, and only there', async () => {
  const you = async (person: Parameters<typeof addPerson>[2], mail?: 'sent') =>
    (await findStates(person, {mail}))['you'];
  expect(await you({name: 'Ada'})).toBe('done');
  expect(await you({name: 'Ada'}, 'sent')).toBe('open');
  expect(await you({name: 'Ada', email: 'ada@example.com'}, 'sent')).toBe('done');
  expect(await you({name: 'Owner', email: 'owner@example.com'}, 'sent')).toBe('open');
});

it('Slack is a step of an installation with Slack', async () => {
  // A token without a named workspace serves the only one, and this store has several.
  await service.addWorkspace();
  expect((await findStates({}, {slack}))['slack']).toBe('open');
  expect((await findStates({}, {slack: {...slack, workspace: workspace.id}}))['slack']).toBe('done');
});

it('the next step is named with the progress, which counts neither optional steps nor those that are off', () => {
  const states = {workspace: 'done', you: 'done', sign_in: 'off', invite: 'open', slack: 'open'} as const;
  expect(describeNextStep(createSetup(states))).toBe('invite your team (2 of 3 done)');
  expect(describeNextStep(createSetup({...states, invite: 'done'}))).toBeUndefined();
});
