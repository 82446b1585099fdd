import {randomBytes} from 'node:crypto';
import {limits} from '../domain/core/limits.js';
import {parseWire} from '../domain/core/resource.js';
import type {Call} from '../domain/core/access.js';
import type {Session} from './session.js';
import {CommandError} from './usage.js';
import type {Id} from '../domain/core/ids.js';

export interface TriggerRequest {
  readonly session: Session;
  readonly workspace: Id<'workspace'>;
  readonly team: string | undefined;
  readonly webhook: string | undefined;
}

const by = 'standup-admin webhook trigger';
const metadata = {triggered_by: by};

/** The events, each with a function that causes it, prints what it created, and deletes what only helped. */
export const triggers = {
  async 'standup.created'(request: TriggerRequest) {
    const id = await postStandup(request);
    request.session.print(`standup ${id} was posted\n`);
  },
  async 'standup.updated'(request: TriggerRequest) {
    const {services, print} = request.session;
    const id = await postStandup(request);
    await services.standups.editStandup(await createTriggerCall(request), id, {
      update: 'Triggered, then changed.',
    });
    await services.standups.deleteStandup(await createTriggerCall(request), id);
    print(`standup ${id} was posted, changed and deleted\n`);
  },
  async 'standup.deleted'(request: TriggerRequest) {
    const {services, print} = request.session;
    const id = await postStandup(request);
    await services.standups.deleteStandup(await createTriggerCall(request), id);
    print(`standup ${id} was posted and deleted\n`);
  },
  async 'team.created'(request: TriggerRequest) {
    const {id, slug} = await addTeamForTrigger(request);
    request.session.print(`team ${id} (${slug}) was made\n`);
  },
  async 'team.updated'(request: TriggerRequest) {
    const {services, print} = request.session;
    const {id, slug} = await addTeamForTrigger(request);
    await services.teams.changeTeam(await createTriggerCall(request), id, {name: `${by}, changed`});
    await services.teams.deleteTeam(await createTriggerCall(request), id, {force: false});
    print(`team ${id} (${slug}) was made, changed and deleted\n`);
  },
  async 'team.deleted'(request: TriggerRequest) {
    const {services, print} = request.session;
    const {id, slug} = await addTeamForTrigger(request);
    await services.teams.deleteTeam(await createTriggerCall(request), id, {force: false});
    print(`team ${id} (${slug}) was made and deleted\n`);
  },
  async 'webhook.test'({session, workspace, webhook}: TriggerRequest) {
    const {services, print} = session;
    const call = () => session.call({id: workspace});
    const ids = webhook === undefined ? await listEnabledWebhooks(session, call()) : [webhook];
    if (ids.length === 0) throw new CommandError('There is no enabled webhook to test.');
    for (const id of ids) {
      const {id: delivery} = await services.deliveries.testWebhook(call(), id);
      print(`delivery ${delivery ?? ''} of a test to ${id} was made\n`);
    }
  },
} as const satisfies Readonly<Record<string, (request: TriggerRequest) => Promise<void>>>;

export const triggerable = Object.keys(triggers);

/** Creates a call of a service account, because the operator cannot be the author of a standup. */
async function createTriggerCall({session, workspace}: TriggerRequest): Promise<Call> {
  const call = session.call({id: workspace});
  return {...call, principal: await session.services.people.ensureServiceAccount(call, by)};
}

async function postStandup(request: TriggerRequest): Promise<string> {
  const {services} = request.session;
  const call = await createTriggerCall(request);
  const team = request.team ?? (await services.teams.findDirectory(call)).teams[0]?.slug;
  if (team === undefined)
    throw new CommandError('There is no team to post for. Create one: standup-admin team create SLUG');
  const update = `Triggered by \`${by}\`.`;
  const {id = ''} = await services.standups.postStandup(call, {team, update, metadata, source: 'cli'});
  return id;
}

async function addTeamForTrigger(request: TriggerRequest): Promise<{id: string; slug: string}> {
  const slug = `triggered-${randomBytes(4).toString('hex')}`;
  const {id = ''} = await request.session.services.teams.createTeam(await createTriggerCall(request), {
    slug,
    name: by,
  });
  return {id, slug};
}

async function listEnabledWebhooks({services}: Session, call: Call): Promise<string[]> {
  const {rows} = await services.webhooks.listWebhooks(call, {limit: limits.webhooksPerWorkspace});
  return rows
    .map((json) => parseWire(json))
    .filter(({enabled}) => enabled)
    .map(({id}) => id);
}
