import {afterEach, beforeEach, expect, it} from '@jest/globals';
import {type Id, suffixOf} from '../../../src/domain/core/ids.js';
import type {TeamRest} from '../../../src/domain/slack/team-rest.js';
import {type ListName, lists} from '../../../src/domain/core/lists.js';
import {workspaceKeys} from '../../../src/store/core/keys.js';
import {addPerson, type Person} from '../../api/people.js';
import {eventsOf, make} from '../../api/samples.js';
import {dumpRedis} from '../../store/dump.js';
import {type Receiver, startReceiver} from '../../support/receiver.js';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {until} from '../../support/until.js';
import {inSlack, kindsOf, personal} from './key-owners.js';
import type {PrincipalId} from '../../../src/domain/core/access.js';
import {asId, asSuffix} from '../../support/ids.js';

/** A service that answers requests without background work, which the test does instead. */
let front: TestService;
let receiver: Receiver;
const opened: TestService[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
  front = await open({ROLES: 'web'});
});

afterEach(async () => {
  for (const service of opened.splice(0)) await service.close();
  await receiver.close();
});

async function open(env: Record<string, string> = {}): Promise<TestService> {
  const redisUrl = opened[0]?.redisUrl;
  const service = await startService({env, ...(redisUrl !== undefined && {redisUrl})});
  opened.push(service);
  return service;
}

/** A word that no other text contains, to search for in all data. */
const mark = 'wordsofada';

/**
 * Adds a member with texts in every kind of data. With a large `standups` the member has more standups than
 * one step erases.
 */
async function addWriter(workspace: TestWorkspace, standups = 3): Promise<Person> {
  const person = await addPerson(front, workspace, {
    name: `Ada ${mark}`,
    email: `ada.${mark}@example.com`,
    slack_user_id: `U0${mark.toUpperCase()}`,
    team: 'platform',
    as: 'lead',
  });
  const own = {token: person.token};
  let asked = 0;
  const ask = async (method: string, path: string, body?: Json) => {
    asked += 1;
    const headers = {'idempotency-key': `${mark}-${asked}`, 'x-request-id': `${mark}-${asked}`};
    const answer = await workspace.request(method, path, {...own, ...(body && {body}), headers});
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const post = (update: string, team = 'platform') =>
    ask('POST', '/v1/standups', {team, update, metadata: {[mark]: mark}});
  for (let i = 0; i < standups; i++) await post(`${mark} ${i}`);
  const edited = await post(`${mark} first`);
  await ask('PATCH', `/v1/standups/${edited.id}`, {update: `${mark} second`});
  const blocker = await ask('POST', '/v1/blockers', {team: 'platform', text: `${mark} is in the way`});
  await ask('PATCH', `/v1/blockers/${blocker.id}`, {text: `${mark} again`, state: 'resolved'});
  const theirs = await workspace.request('POST', '/v1/blockers', {body: {team: 'platform', text: 'Theirs'}});
  await ask('PATCH', `/v1/blockers/${theirs.body.id}`, {state: 'acknowledged'});
  const theirsToo = await make(workspace, '/v1/standups', {team: 'platform', update: 'Of another'});
  const comment = await ask('POST', '/v1/comments', {standup: theirsToo.id, text: `${mark} says`});
  await ask('PATCH', `/v1/comments/${comment.id}`, {text: `${mark} says again`});
  const unsaid = await ask('POST', '/v1/comments', {standup: edited.id, text: `${mark} unsaid`});
  await ask('DELETE', `/v1/comments/${unsaid.id}`);
  // A reaction that changes, one that is taken back, and those of another person to a standup that goes.
  const shown = await workspace.request('POST', '/v1/standups', {body: {team: 'platform', update: 'Shown'}});
  const react = (subject: string, change: Json) => ask('POST', '/v1/reactions', {subject, ...change});
  await react(shown.body.id, {add: [`:${mark}:`, '👍']});
  await react(shown.body.id, {remove: ['👍']});
  await react(edited.id, {add: [`:${mark}:`]});
  await react(edited.id, {remove: [`:${mark}:`]});
  await workspace.request('POST', '/v1/reactions', {body: {subject: edited.id, add: ['👍']}});
  const removed = await post(`${mark} removed`);
  await ask('PATCH', `/v1/standups/${removed.id}`, {update: `${mark} removed, second`});
  await ask('DELETE', `/v1/standups/${removed.id}`);
  await ask('PATCH', `/v1/members/${person.id}`, {name: `Ada King ${mark}`});
  await ask('POST', '/v1/absences', {reason: `${mark} away`});
  const back = await ask('POST', '/v1/absences', {reason: `${mark} ill`, until: null});
  await ask('PATCH', `/v1/absences/${back.id}`, {reason: `${mark} well`});
  await ask('DELETE', `/v1/absences/${back.id}`);
  // An absence entered for another member, which must remain.
  const other = await addPerson(front, workspace, {name: 'Grace', team: 'platform'});
  await ask('POST', '/v1/absences', {member: other.id, team: 'platform', reason: 'Holidays of another'});
  // A membership that ended, a membership in a deleted team, and a revoked token.
  await ask('POST', '/v1/teams', {slug: 'left', name: 'Left'});
  await ask('DELETE', `/v1/teams/left/members/${person.id}`);
  await ask('POST', '/v1/teams', {slug: 'gone', name: 'Gone'});
  await post(`${mark} gone`, 'gone');
  await ask('DELETE', '/v1/teams/gone?force=true');
  // Answers, blockers and reasons of absences that stay unchanged, are changed, or are withdrawn.
  const questions = [{key: 'next', label: 'Next?', type: 'text', raises_blocker: true}];
  await ask('PATCH', '/v1/teams/platform', {questions});
  const answers = [{question: 'next', value: `${mark} is in the way`}];
  await ask('POST', '/v1/standups', {team: 'platform', answers});
  const days = {from: '2026-11-23', until: '2026-11-24'};
  const absence = await ask('POST', '/v1/absences', {...days, reason: mark});
  await ask('PATCH', `/v1/absences/${absence.id}`, {reason: `${mark} again`});
  const taken = await ask('POST', '/v1/absences', {...days, reason: `${mark}, taken back`});
  await ask('DELETE', `/v1/absences/${taken.id}`);
  await ask('PUT', '/v1/drafts/me', {team: 'platform', source: 'git', update: `${mark} drafted`});
  const {id} = await ask('POST', '/v1/tokens', {name: `token of ${mark}`});
  await ask('DELETE', `/v1/tokens/${id}`);
  await ask('POST', '/v1/tokens', {name: `another of ${mark}`});
  return person;
}

const call = (workspace: TestWorkspace) => workspace.operator();
const newDeadline = () => performance.now() + 1_000;

/** Queues a mail that waits for long, because no worker of this test sends any, and notes a status in Slack. */
async function queueMailTo({id}: TestWorkspace, member: Id<'member'>): Promise<void> {
  const mail = {
    suffix: asSuffix<'mail'>('7000000000000000'),
    fact: {kind: 'sign_in_code'},
    to: `${mark}@example.com`,
  } as const;
  const look = {at: Date.now(), emoji: `:${mark}:`, made: false};
  const writes = [
    {do: 'queue-mail', ...mail, member, until: Date.now() + 600_000},
    {do: 'note-slack-status', member, run: asSuffix<'run'>('7000000000000001'), look},
  ] as const;
  const commit = {guards: [], writes, events: [], reply: {kind: 'empty'}} as const;
  await front.core.store.commits.run({workspace: id, deadline: newDeadline()}, commit);
}

/** Lists the keys of the store with texts, names or the Slack id of the erased member. */
async function listTraces(): Promise<string[]> {
  const {text} = await dumpRedis(front.redisUrl);
  // Leaves out waiting jobs, which a worker would remove.
  const kept = text.split('\n').filter((line) => !line.startsWith('{standup-queue}'));
  return kept.filter((line) => new RegExp(mark, 'i').test(line)).map((line) => line.slice(0, 150));
}

/** Empties the log, as retention does after 30 days. */
const cutLog = ({id}: TestWorkspace) =>
  front.core.store.connection.call(newDeadline(), ['XTRIM', workspaceKeys(id).events(), 'MAXLEN', '0']);

async function forgetAll(workspace: TestWorkspace, member: PrincipalId): Promise<void> {
  while ((await front.core.services.forgetMember(call(workspace), member, true)) !== false);
}

async function purgeTeams(workspace: TestWorkspace): Promise<void> {
  const ready = workspaceKeys(workspace.id).ready();
  const works = await front.core.store.connection.call<string[]>(newDeadline(), ['ZRANGE', ready, '0', '-1']);
  for (const team of works.flatMap((name) => name.match(/^purge-team\/(.+)$/)?.[1] ?? []))
    while (await front.core.services.teams.purgeTeam(call(workspace), asId(team)));
}

it('an erased member leaves no data in the store, and every holder of a copy is notified', async () => {
  const worker = await open();
  const workspace = await front.addWorkspace();
  // The receiver repeats the request in its answer.
  receiver.respondWith(({body}) => ({status: 200, body}));
  await make(workspace, '/v1/webhooks', {url: receiver.url, events: ['*']});
  const webhook = (await eventsOf(workspace)).at(-1);
  const kept = await make(workspace, '/v1/standups', {team: 'platform', update: 'Of somebody else.'});
  const standups = 30;
  const ada = await addWriter(workspace, standups);
  const logged = (await eventsOf(workspace)).filter(({sequence}) => sequence > webhook.sequence);
  await until(() => logged.every(({id}) => receiver.received.some((one) => one.id === id)), {
    what: 'the receiver had every event',
  });
  await queueMailTo(workspace, asId(ada.id));
  const elsewhere = Object.keys(personal).filter((kind) => !inSlack.includes(kind));
  expect(kindsOf(await listTraces())).toEqual(elsewhere);

  const before = (await workspace.request('GET', '/v1/events?limit=1')).body;
  expect(before.data).toHaveLength(1);
  const erased = await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  expect(erased.status).toBe(204);

  await until(async () => !new RegExp(mark, 'i').test((await dumpRedis(front.redisUrl)).text), {
    what: 'the words were gone',
    everyMs: 100,
  });
  const {text} = await dumpRedis(front.redisUrl);
  expect(text).toContain('Of somebody else.');
  const {body: absences} = await workspace.request('GET', '/v1/absences');
  expect(absences.data).toMatchObject([
    {member: {name: 'Grace'}, reason: 'Holidays of another', created_by: {name: null}},
  ]);
  // The text is checked again, because a dump is not taken at a single moment.
  expect(text).not.toMatch(new RegExp(mark, 'i'));
  const list = await workspace.request('GET', '/v1/standups?limit=100');
  expect(list.body.data).toMatchObject([{update: 'Shown'}, {update: 'Of another'}, {id: kept.id}]);

  // Neither process returns erased data from its cache, and no event is missing.
  const events = await until(async () => {
    const all = await eventsOf(workspace);
    return JSON.stringify(all).includes(mark) ? undefined : all;
  });
  expect(events.map(({sequence}) => sequence)).toEqual(events.map((_, i) => i + 1));
  const deleted = events.filter(({type}) => type === 'standup.deleted');
  // One standup was deleted by hand. The standup of the deleted team was deleted with the team or with its
  // author.
  expect(deleted.length - standups).toBeGreaterThanOrEqual(2);
  expect(new Set(deleted.map(({data}) => data))).toEqual(new Set([null]));
  expect(events.find(({type, data}) => type === 'standup.created' && data?.id === kept.id)).toBeDefined();
  await receiver.waitFor((all) => all.filter(isDeletion).length >= standups + 2);
  expect(worker.core).toBeDefined();
});

const isDeletion = ({body}: {body: Buffer}) => JSON.parse(body.toString()).type === 'standup.deleted';

it('an erasure that two processes continue at once, after a third was killed, takes each step once', async () => {
  const twin = await open({ROLES: 'web'});
  const workspace = await front.addWorkspace();
  const standups = 80;
  const ada = await addWriter(workspace, standups);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  // Takes the first steps, as the killed process did.
  for (let i = 0; i < 3; i++)
    expect(await front.core.services.forgetMember(call(workspace), ada.id, true)).toBe(true);
  const work = async ({core}: TestService) => {
    while (await core.services.forgetMember(call(workspace), ada.id, true));
  };
  await Promise.all([front, twin, front, twin].map(work));

  const {text} = await dumpRedis(front.redisUrl);
  expect(text.split('\n').filter((line) => new RegExp(mark, 'i').test(line))).toEqual([]);
  const deleted = (await eventsOf(workspace)).filter(({type}) => type === 'standup.deleted');
  // One standup was deleted by hand before. That of the deleted team is deleted by the team's job or with the
  // others.
  expect(new Set(deleted.map(({id}) => id)).size).toBe(deleted.length);
  expect(deleted.length).toBe(standups + 4);
  for (const service of [front, twin]) await work(service);
  expect(await eventsOf(workspace)).toHaveLength((await eventsOf(workspace)).at(-1)?.sequence ?? 0);
});

it("the reason of a member's absence stays in the log after the name of the erased lead who entered it is removed", async () => {
  const workspace = await front.addWorkspace();
  await workspace.request('PATCH', '/v1/teams/platform', {body: {absence_reasons: 'team'}});
  const ada = await addPerson(front, workspace, {team: 'platform', as: 'lead'});
  const grace = await addPerson(front, workspace, {name: 'Grace', team: 'platform'});
  const body = {member: grace.id, team: 'platform', reason: 'Why Grace is away'};
  const {body: absence} = await workspace.request('POST', '/v1/absences', {body, token: ada.token});
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  const path = `/v1/absences/${absence.id}`;
  const forget = () => front.core.services.forgetMember(call(workspace), ada.id, true);
  const isSigned = async () => (await workspace.request('GET', path)).body.created_by.name !== null;
  while (await isSigned()) await forget();
  await workspace.request('PATCH', path, {body: {until: null}, token: grace.token});
  while (await forget());
  const logged = (await eventsOf(workspace)).filter(({type}) => type === 'absence.updated');
  expect(logged.map(({data}) => data?.reason)).toEqual(['Why Grace is away', 'Why Grace is away']);
});

it('a process that starts later completes unfinished erasures', async () => {
  const workspace = await front.addWorkspace();
  const ada = await addWriter(workspace);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await front.core.services.forgetMember(call(workspace), ada.id, true);
  const {store} = (await open()).core;
  const newDeadline = () => performance.now() + 1_000;
  await until(
    async () =>
      (
        await store.ready.listDue(
          {side: 'service', from: 0, perWorkspace: 50, mostOfOne: 500, atMost: 500},
          newDeadline(),
        )
      ).due.every(({work}) => work.kind !== 'forget-member'),
    {what: 'the work was done'},
  );
  expect(await store.records.count(workspace.id, lists.standupsOfAuthor(ada.id), newDeadline())).toBe(0);
  expect((await dumpRedis(front.redisUrl)).text).not.toMatch(new RegExp(mark, 'i'));
});

it('regression: data removed before an erasure is erased too, even if no event refers to that data any longer', async () => {
  const workspace = await front.addWorkspace();
  const ada = await addWriter(workspace);
  const open = {team: 'open', text: `${mark} in the way of a team that goes`};
  const own = {token: ada.token};
  await workspace.request('POST', '/v1/teams', {...own, body: {slug: 'open', name: 'Open'}});
  await workspace.request('POST', '/v1/blockers', {...own, body: open});
  await workspace.request('DELETE', '/v1/teams/open?force=true', own);
  const changed = await workspace.request('DELETE', '/v1/teams/platform?force=true', own);
  expect(changed.status).toBe(204);
  await purgeTeams(workspace);
  await cutLog(workspace);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
});

it('regression: data removed while the log is trimmed is erased with its member', async () => {
  const workspace = await front.addWorkspace();
  const ada = await addWriter(workspace);
  await cutLog(workspace);
  // Another account deletes the team, after the last event about the team, which causes no event.
  await workspace.request('DELETE', '/v1/teams/platform?force=true');
  await purgeTeams(workspace);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
});

it('regression: the current and former Slack ids of an erased member are removed even if no process serves Slack', async () => {
  const workspace = await front.addWorkspace();
  // Slack was served once, so that the notices and problems below exist.
  await front.core.store.events.addConsumer(workspace.id, 'slack', newDeadline());
  const [before, now] = [`U1${mark.toUpperCase()}`, `U0${mark.toUpperCase()}`];
  const ada = await addPerson(front, workspace, {team: 'platform', slack_user_id: before});
  await addPerson(front, workspace, {team: 'platform', slack_user_id: 'U0GRACE'});
  const {core} = front;
  const remind = async (team: string) => {
    const {id} = (await workspace.request('GET', `/v1/teams/${team}`)).body;
    await workspace.request('POST', `/v1/teams/${team}/runs`, {body: {minutes: 600}});
    expect((await workspace.request('POST', `/v1/teams/${team}/reminders`)).status).toBe(202);
    while (await core.services.runs.advanceRuns(call(workspace), suffixOf(id)));
  };
  await remind('platform');
  await workspace.request('PATCH', `/v1/members/${ada.id}`, {body: {slack_user_id: now}});
  await make(workspace, '/v1/teams', {slug: 'second', name: 'Second'});
  await core.services.teamMembers.setTeamMember(call(workspace), 'second', ada.id, 'member');
  await remind('second');
  const {slackPosts, slackTroubles, slackPeople, events} = core.store;
  for (const user of [before, now, 'U0GRACE'])
    await Promise.all([
      slackPeople.keepPicture(workspace.id, user, `https://a.slack-edge.com/${user}.png`, newDeadline()),
      slackPeople.keepLocale(workspace.id, user, 'de-DE', newDeadline()),
    ]);
  const next = async () => {
    const cursor = (await events.findCursor(workspace.id, 'slack', newDeadline())) ?? 0;
    const [entry] = await events.listAfter(workspace.id, cursor, 1, newDeadline());
    return entry!;
  };
  await slackPosts.readNotice(workspace.id, await next(), [before, now, 'U0GRACE'], newDeadline());
  const trouble = {team: suffixOf(workspace.team), code: 'is_archived'};
  await slackTroubles.note(workspace.id, 'C1', trouble, newDeadline());
  const wish = {channel: 'C1', notify: [now, 'U0GRACE']};
  await slackTroubles.read(workspace.id, await next(), wish, newDeadline());
  await events.removeIdleConsumer(workspace.id, 'slack', 0, newDeadline());
  await core.store.teamRests.save(workspace.id, 'V0', unfinished(workspace, now), newDeadline());
  const principal = {type: 'member', id: ada.id, name: mark} as const;
  const typing = {kind: 'typed', channel: 'D1', command: false, text: mark} as const;
  const asAda = () => ({...call(workspace), principal});
  for (const user of [before, now])
    await core.services.typing.hear(asAda(), user, {...typing, key: '1.1', ts: '1.1'});
  expect(kindsOf(await listTraces())).toEqual(expect.arrayContaining(inSlack));

  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
  // A message that is being handled during the erasure leaves nothing either.
  const late = core.services.typing.hear(asAda(), now, {...typing, key: '2.1', ts: '2.1'});
  await expect(late).rejects.toMatchObject({code: 'not_found'});
  expect(await listTraces()).toEqual([]);
  const {keys} = await dumpRedis(front.redisUrl);
  expect(keys.filter((key) => key.includes('U0GRACE')).length).toBeGreaterThanOrEqual(3);
  expect((await slackTroubles.find(workspace.id, 'C1', newDeadline()))?.notified).toEqual(['U0GRACE']);
});

/**
 * The unfinished part of a team set-up in Slack. The member has submitted the form and is also named in it.
 */
const unfinished = ({team}: TestWorkspace, slackUser: string): TeamRest => ({
  origin: {team: 'T1', orgWide: false},
  user: {id: slackUser, name: mark},
  team,
  did: 'made',
  enters: false,
  add: ['U0GRACE', slackUser],
});

it('regression: an erasure removes the member’s unfinished team set-ups in Slack, and the member from those of others', async () => {
  const workspace = await front.addWorkspace();
  const slack_user_id = `U0${mark.toUpperCase()}`;
  const ada = await addPerson(front, workspace, {team: 'platform', slack_user_id});
  const {teamRests} = front.core.store;
  const own = unfinished(workspace, slack_user_id);
  const theirs = {...own, user: {id: 'U0GRACE', name: 'Grace'}};
  await teamRests.save(workspace.id, 'V0OWN', own, newDeadline());
  await teamRests.save(workspace.id, 'V0GRACE', theirs, newDeadline());
  expect(kindsOf(await listTraces())).toContain('teamRest');
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
  expect(await teamRests.take(workspace.id, 'V0OWN', newDeadline())).toBeUndefined();
  const left = {...theirs, add: ['U0GRACE']};
  expect(await teamRests.take(workspace.id, 'V0GRACE', newDeadline())).toEqual(left);
});

it('regression: the stored reminder of an erased member is erased even if the bot was removed from Slack', async () => {
  const workspace = await front.addWorkspace();
  const slack_user_id = `U0${mark.toUpperCase()}`;
  const ada = await addPerson(front, workspace, {team: 'platform', slack_user_id});
  const {connection, events} = front.core.store;
  await events.addConsumer(workspace.id, 'slack', newDeadline());
  await workspace.request('POST', '/v1/teams/platform/runs', {body: {minutes: 600}});
  await workspace.request('POST', '/v1/teams/platform/reminders');
  while (await front.core.services.runs.advanceRuns(call(workspace), suffixOf(workspace.team)));
  const {keys} = await dumpRedis(front.redisUrl);
  const prompt = keys.find((key) => key.includes(`:z:${suffixOf(ada.id)}:`)) ?? '';
  await connection.call(newDeadline(), ['HSET', prompt, 'ts', '1.1']);
  const installation = workspaceKeys(workspace.id).slackInstallation();
  await connection.call(newDeadline(), ['HSET', installation, 'id', 'T1', 'installed', '1']);
  await workspace.request('DELETE', `/v1/members/${ada.id}?erase=true`);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
});

it('a removed member can still be erased, and then nothing of their data remains', async () => {
  const workspace = await front.addWorkspace();
  const ada = await addWriter(workspace);
  const erase = `/v1/members/${ada.id}?erase=true`;
  expect((await workspace.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(204);
  while (await front.core.services.forgetMember(call(workspace), ada.id, false));
  await cutLog(workspace);
  expect((await listTraces()).length).toBeGreaterThan(10);
  expect((await workspace.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(404);
  const {token} = await addPerson(front, workspace, {name: 'Grace'});
  expect((await workspace.request('DELETE', erase, {token})).status).toBe(403);
  expect((await workspace.request('DELETE', erase)).status).toBe(204);
  await forgetAll(workspace, ada.id);
  expect(await listTraces()).toEqual([]);
  expect((await workspace.request('DELETE', erase)).status).toBe(404);
});

it('the removal of a member without erasure keeps standups, and removes tokens and memberships', async () => {
  await open();
  const workspace = await front.addWorkspace();
  const ada = await addPerson(front, workspace, {team: 'platform'});
  const body = {team: 'platform', update: 'Stays.'};
  const {body: standup} = await workspace.request('POST', '/v1/standups', {body, token: ada.token});
  await workspace.request('DELETE', `/v1/members/${ada.id}`);
  const {records} = front.core.store;
  const left = (name: ListName) => records.count(workspace.id, name, performance.now() + 1_000);
  await until(
    async () => (await left(lists.teamsOfMember(ada.id))) + (await left(lists.accessTokensOf(ada.id))) === 0,
    {what: 'tokens and places were cleared away'},
  );
  expect((await workspace.request('GET', `/v1/standups/${standup.id}`)).body).toEqual(standup);
  const types = (await eventsOf(workspace)).map(({type}) => type);
  expect(types.at(-1)).toBe('member.left');
});

it('regression: the removal of a member is not stopped by a token that an older version revoked', async () => {
  const workspace = await front.addWorkspace();
  const {connection} = front.core.store;
  const ada = await addPerson(front, workspace, {role: 'admin'});
  const list = workspaceKeys(workspace.id).list(lists.accessTokensBy(ada.id));
  await connection.call(newDeadline(), ['ZADD', list, '1', '0000000000000000']);
  expect((await workspace.request('DELETE', `/v1/members/${ada.id}`)).status).toBe(204);
  for (let steps = 0; await front.core.services.forgetMember(call(workspace), ada.id, false); steps += 1)
    expect(steps).toBeLessThan(10);
});
