import {expect, it} from '@jest/globals';
import {Problem} from '../../../web/api/problem.ts';
import type {Schema} from '../../../web/api/schema.ts';
import {mayManageRole} from '../../../web/members/rights.ts';
import {readMembersSearch} from '../../../web/members/search.ts';
import {buildMemberPatch, toNewMember, toMemberFields} from '../../../web/members/member-fields.ts';
import {mayUse} from '../../../web/parts/rights.ts';
import {toPreferenceFields, buildPreferencesPatch} from '../../../web/people/choices.ts';
import {assemblePersonData} from '../../../web/people/found-person.ts';
import {readPersonSearch} from '../../../web/people/search.ts';
import {splitAbsences} from '../../../web/people/split-absences.ts';

const none = {data: undefined, error: null, isLoading: false};
const refused = (status: number) => ({
  ...none,
  error: new Problem({status, code: 'x', title: '', detail: ''}),
});
const me = {principal: {id: 'ada', name: 'Ada', type: 'member'}, timezone: 'Europe/London', teams: []};
const find = (reads: object) =>
  assemblePersonData({
    id: 'grace',
    me,
    member: {...none, refetch: () => undefined},
    last: none,
    listed: none,
    today: [],
    ...reads,
  });
const wrote = {...none, data: {data: [{author: {name: 'Grace'}}]}};
const team = {id: 'team_p', slug: 'platform', name: 'Platform'};
const day = {
  ...none,
  data: {team_id: 'team_p', people: [{member: {id: 'grace', name: 'Grace H'}, timezone: 'America/New_York'}]},
};

it('a person’s page takes name, teams and today’s status from the list of members', () => {
  const member = {...none, data: {id: 'grace', name: 'Grace Hopper', timezone: null}};
  const found = find({member, listed: {...none, data: {data: [team]}}, today: [day]});
  expect(found).toMatchObject({
    kind: 'found',
    person: {name: 'Grace Hopper', isMe: false, teams: [team], timezone: 'America/New_York'},
  });
  expect(found.kind === 'found' && [...found.person.days.keys()]).toEqual(['team_p']);
});

it('a person’s page takes the name from standups, or from their teams’ day, without the list of members', () => {
  expect(find({last: wrote, today: [day]})).toMatchObject({
    kind: 'found',
    person: {name: 'Grace', timezone: 'America/New_York'},
  });
  expect(find({today: [day]})).toMatchObject({kind: 'found', person: {name: 'Grace H'}});
  expect(find({})).toMatchObject({kind: 'hidden', person: {name: undefined}});
  expect(find({last: refused(404)})).toEqual({kind: 'none'});
});

it('a removed person is shown by their standups, an unknown id as unknown, and a failed request as a failure', () => {
  expect(find({member: refused(404), last: wrote})).toMatchObject({kind: 'left', person: {name: 'Grace'}});
  expect(find({member: refused(400), last: {...none, data: {data: []}}})).toEqual({kind: 'none'});
  expect(find({member: refused(500)})).toMatchObject({kind: 'failed', problem: {status: 500}});
});

it('the viewer’s own page is shown at once, while another person’s waits for all sources of the name', () => {
  const waiting = {...none, isLoading: true};
  expect(find({id: 'ada', last: waiting, today: [waiting]})).toMatchObject({
    kind: 'found',
    person: {name: 'Ada', isMe: true, timezone: 'Europe/London'},
  });
  for (const reads of [{member: waiting}, {last: waiting}, {listed: waiting}, {today: [waiting]}]) {
    expect(find(reads)).toEqual({kind: 'loading'});
  }
});

it('a session may use a scope only if it has that scope, and only once its scopes are known', () => {
  expect(mayUse({scopes: ['members:read']}, 'members:read')).toBe(true);
  expect(mayUse({scopes: ['members:read']}, 'members:write')).toBe(false);
  expect(mayUse(undefined, 'members:read')).toBe(false);
});

it('an absence is upcoming until its last day is over, and the next one comes first', () => {
  const absence = (from: string, until: string | null) => ({from, until}) as Schema<'Absence'>;
  const all = [
    absence('2035-12-24', '2035-12-31'),
    absence('2035-11-23', null),
    absence('2035-11-20', '2035-11-23'),
    absence('2035-10-01', '2035-11-22'),
  ];
  const {coming, past} = splitAbsences(all, '2035-11-23');
  expect(coming.map(({from}) => from)).toEqual(['2035-11-20', '2035-11-23', '2035-12-24']);
  expect(past.map(({from}) => from)).toEqual(['2035-10-01']);
});

it('the address of a person’s page stores its section; the address of the members page stores search, team, role and erasure', () => {
  expect(readPersonSearch({tab: 'blockers'})).toEqual({tab: 'blockers'});
  expect(readPersonSearch({tab: 'salary'})).toEqual({});
  const erasure = `era_${'0'.repeat(26)}`;
  expect(readMembersSearch({q: 7, team: 'platform', role: 'admin', erasure})).toEqual({
    q: '7',
    team: 'platform',
    role: 'admin',
    erasure,
  });
  expect(readMembersSearch({q: '', team: '', role: 'king', erasure: 'era_1'})).toEqual({});
});

it('only changed personal settings are sent, and nothing when there is no change', () => {
  const member = {
    name: 'Ada',
    timezone: null,
    reminders: {
      enabled: true,
      prompt_at: null,
      quiet_from: null,
      quiet_until: null,
      channels: ['slack', 'mail'],
    },
    reports: {daily: false, weekly: true, notices: true},
    notify: {mention: 'now', reply: 'now', thread: 'inbox', blocker: 'now'},
    slack_status: 'ask',
    holidays: {country: 'DE', region: null, calendar: null},
  } as unknown as Schema<'Member'>;
  const kept = toPreferenceFields(member);
  expect(buildPreferencesPatch(kept, kept)).toBeUndefined();
  expect(
    buildPreferencesPatch(kept, {...kept, name: 'Ada King', quietFrom: '18:00', promptAt: 'both'}),
  ).toEqual({
    name: 'Ada King',
    reminders: {quiet_from: '18:00', prompt_at: 'both'},
  });
  expect(buildPreferencesPatch({...kept, quietFrom: '18:00'}, kept)).toEqual({
    reminders: {quiet_from: null},
  });
  expect(
    buildPreferencesPatch(kept, {...kept, channels: 'mail,slack', weekly: false, notices: false}),
  ).toEqual({
    reminders: {channels: ['mail', 'slack']},
    reports: {weekly: false, notices: false},
  });
  expect(buildPreferencesPatch(kept, {...kept, reply: false, thread: true})).toEqual({
    notify: {reply: 'inbox', thread: 'now'},
  });
  expect(buildPreferencesPatch(kept, {...kept, slackStatus: 'always'})).toEqual({slack_status: 'always'});
  expect(buildPreferencesPatch(kept, {...kept, region: 'BY'})).toEqual({
    holidays: {country: 'DE', region: 'BY'},
  });
});

it('owners manage everyone, admins all but owners, members no one', () => {
  const by = (role: string) => ['owner', 'admin', 'member'].map((of) => mayManageRole({role} as never, of));
  expect(by('owner')).toEqual([true, true, true]);
  expect(by('admin')).toEqual([false, true, true]);
  expect(by('member')).toEqual([false, false, false]);
});

it('regression: saving a member sends only the fields that were edited', () => {
  const member = {name: 'Kat', email: 'kj@example.com', role: 'member', slack_user_id: 'U1'} as never;
  const typed = {...toMemberFields(member), name: ' Katherine '};
  expect(buildMemberPatch(member, typed)).toEqual({name: 'Katherine'});
  expect(buildMemberPatch(member, toMemberFields(member))).toEqual({});
  expect(buildMemberPatch(member, {...typed, email: ' '})).toEqual({name: 'Katherine', email: null});
  expect(toNewMember({name: ' Bo ', email: '', role: 'admin'})).toEqual({
    name: 'Bo',
    email: null,
    role: 'admin',
  });
});

it('a new owner is saved with the e-mail address and Slack account that the form has shown', () => {
  const member = {name: 'Kat', email: 'kj@example.com', role: 'member', slack_user_id: 'U1'} as never;
  const owner = {email: 'kj@example.com', slack_user_id: 'U1', role: 'owner'};
  expect(buildMemberPatch(member, {...toMemberFields(member), role: 'owner'})).toEqual(owner);
});
