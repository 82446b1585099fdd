import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {type Json, startService, type TestService, type TestWorkspace} from '../../support/service.js';
import {expectProblem} from '../http/expect-problem.js';
import {addPerson, type Person} from '../people.js';

let service: TestService;
let workspace: TestWorkspace;
let owner: Person;
/** A member of no other role, with a token of every scope. */
let mallory: Person;

beforeAll(async () => {
  service = await startService();
  workspace = await service.addWorkspace();
  owner = await addPerson(service, workspace, {name: 'Olga Owner', role: 'owner'});
  mallory = await addPerson(service, workspace, {name: 'Mallory'});
});

afterAll(() => service.close());

const ask = (person: Person, method: string, path: string, body?: Json) =>
  workspace.request(method, path, {token: person.token, ...(body && {body})});

let teams = 0;

/** A team that Mallory has created and added the owner to. */
async function trap(): Promise<string> {
  teams += 1;
  const slug = `trap-${teams}`;
  expect((await ask(mallory, 'POST', '/v1/teams', {slug})).status).toBe(201);
  const membership = await ask(mallory, 'PUT', `/v1/teams/${slug}/members/${owner.id}`, {role: 'member'});
  expect(membership).toMatchObject({status: 201, body: {accepted: false}});
  return slug;
}

const membershipOf = async (slug: string) =>
  (await ask(mallory, 'GET', `/v1/teams/${slug}/members/${owner.id}`)).body;

const forOwner = (slug: string) => ({team: slug, author: owner.id, update: 'I approve the bonus list.'});

describe('regression: a lead of a team with members who have not accepted', () => {
  it('cannot post, or raise a blocker, in their name', async () => {
    const slug = await trap();
    expectProblem(await ask(mallory, 'POST', '/v1/standups', forOwner(slug)), 'forbidden');
    const blocker = {team: slug, author: owner.id, text: 'I am in the way.'};
    expectProblem(await ask(mallory, 'POST', '/v1/blockers', blocker), 'forbidden');
  });

  it('cannot enter an absence for them, for any team', async () => {
    const slug = await trap();
    for (const team of [undefined, slug, 'platform']) {
      const body = {member: owner.id, until: null, reason: 'resigned', ...(team && {team})};
      expectProblem(await ask(mallory, 'POST', '/v1/absences', body), 'forbidden');
    }
  });

  it('cannot change or delete an absence of theirs', async () => {
    const slug = await trap();
    const {body: own} = await ask(owner, 'POST', '/v1/absences', {reason: 'Vacation'});
    const path = `/v1/absences/${own.id}`;
    expectProblem(await ask(mallory, 'PATCH', path, {reason: 'rehab'}), 'forbidden');
    expectProblem(await ask(mallory, 'PATCH', path, {team: slug}), 'forbidden');
    expectProblem(await ask(mallory, 'DELETE', path), 'forbidden');
    expect((await ask(owner, 'GET', path)).body).toMatchObject({reason: 'Vacation', team: null});
  });

  it('cannot accept a membership for them by giving another role, or by adding them again', async () => {
    const slug = await trap();
    const path = `/v1/teams/${slug}/members/${owner.id}`;
    for (const role of ['lead', 'member']) {
      expect((await ask(mallory, 'PUT', path, {role})).body).toMatchObject({role, accepted: false});
    }
    await ask(mallory, 'DELETE', path);
    await ask(mallory, 'PUT', path);
    expectProblem(await ask(mallory, 'POST', '/v1/standups', forOwner(slug)), 'forbidden');
  });
});

describe('a membership of a team', () => {
  it.each([
    ['by posting', (slug: string) => ask(owner, 'POST', '/v1/standups', {team: slug, update: 'Mine.'})],
    ['by a blocker', (slug: string) => ask(owner, 'POST', '/v1/blockers', {team: slug, text: 'CI is red.'})],
    [
      'by several at once',
      (slug: string) => ask(owner, 'POST', '/v1/standups', {teams: [slug], update: 'Mine.'}),
    ],
    ['by its member', (slug: string) => ask(owner, 'PUT', `/v1/teams/${slug}/members/${owner.id}`)],
    [
      'by a service account',
      (slug: string) => workspace.request('PUT', `/v1/teams/${slug}/members/${owner.id}`),
    ],
  ])('is accepted %s', async (_, accept) => {
    const slug = await trap();
    expect((await accept(slug)).status).toBeLessThan(300);
    expect(await membershipOf(slug)).toMatchObject({accepted: true, revision: 2});
    expect((await ask(mallory, 'POST', '/v1/standups', forOwner(slug))).status).toBe(201);
  });

  it('is accepted at once for members added by managers of the workspace, and for the creator of the team', async () => {
    const slug = await trap();
    const grace = await addPerson(service, workspace, {name: 'Grace', team: slug});
    const path = `/v1/teams/${slug}/members`;
    expect((await ask(mallory, 'GET', `${path}/${grace.id}`)).body.accepted).toBe(true);
    expect((await ask(mallory, 'GET', `${path}/${mallory.id}`)).body.accepted).toBe(true);
  });

  it('is not accepted by members who change their own role or add others, which only leads may do', async () => {
    const slug = await trap();
    const path = `/v1/teams/${slug}/members`;
    const grace = await addPerson(service, workspace, {name: 'Grace'});
    await ask(mallory, 'PUT', `${path}/${grace.id}`);
    expectProblem(await ask(grace, 'PUT', `${path}/${grace.id}`, {role: 'lead'}), 'forbidden');
    expectProblem(await ask(grace, 'PUT', `${path}/${owner.id}`), 'forbidden');
  });
});

describe('regression: a lead of a team', () => {
  it('enters and changes absences only for that team, and only of members who have accepted their membership', async () => {
    const lead = await addPerson(service, workspace, {name: 'Lea Lead', team: 'platform', as: 'lead'});
    const grace = await addPerson(service, workspace, {name: 'Grace', team: 'platform'});
    expectProblem(await ask(lead, 'POST', '/v1/absences', {member: grace.id}), 'forbidden');
    const {status, body} = await ask(lead, 'POST', '/v1/absences', {member: grace.id, team: 'platform'});
    expect({status, team: body.team, by: body.created_by.id}).toEqual({
      status: 201,
      team: 'platform',
      by: lead.id,
    });
    const path = `/v1/absences/${body.id}`;
    expectProblem(await ask(lead, 'PATCH', path, {team: null}), 'forbidden');
    expect((await ask(lead, 'PATCH', path, {reason: 'Ill'})).status).toBe(200);
    expect((await ask(lead, 'DELETE', path)).status).toBe(204);
    const {body: all} = await ask(grace, 'POST', '/v1/absences', {reason: 'Vacation'});
    expectProblem(await ask(lead, 'PATCH', `/v1/absences/${all.id}`, {team: 'platform'}), 'forbidden');
    expectProblem(await ask(lead, 'DELETE', `/v1/absences/${all.id}`), 'forbidden');
  });
});

describe('regression: a caller who may not act for a member', () => {
  const addresses = ['olga@example.test', 'nobody@example.test'];

  beforeAll(() => ask(owner, 'PATCH', `/v1/members/${owner.id}`, {email: addresses[0]}));

  it.each([
    ['changing them', 'PATCH', (member: string) => `/v1/members/${member}`, () => ({name: 'Zed'})],
    ['removing them', 'DELETE', (member: string) => `/v1/members/${member}`, () => undefined],
    ['entering an absence', 'POST', () => '/v1/absences', (member: string) => ({member, team: 'led'})],
  ])('does not learn whether the member exists by %s', async (_, method, path, body) => {
    await ask(mallory, 'POST', '/v1/teams', {slug: 'led'});
    const answers = await Promise.all(
      addresses.map((member) => ask(mallory, method, path(member), body(member))),
    );
    for (const answer of answers) expectProblem(answer, 'forbidden');
    expect(answers[0]?.body.detail).toBe(answers[1]?.body.detail);
  });
});
