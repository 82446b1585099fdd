import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {standardTimeouts} from '../../src/bot/slack/core/timeouts.js';
import {createClient} from 'redis';
import {namesFromRequest} from '../../src/bot/slack/rich-text/names.js';
import {convertBlocksToPlainText} from '../../src/bot/slack/rich-text/to-plain-text.js';
import {translationFor} from '../../src/bot/slack/blocks/slack-translation.js';
import {addDays} from '../../src/domain/core/dates.js';
import {AppError} from '../../src/domain/core/errors.js';
import {limits} from '../../src/domain/core/limits.js';
import {buildFormMetadata} from '../support/slack-form.js';
import {admin, botToken, channel, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {testRedisUrl} from '../support/redis-server.js';
import {measureTime} from '../support/stopwatch.js';
import {until} from '../support/until.js';
import {asId} from '../support/ids.js';

let slack: SlackHarness;
beforeAll(async () => {
  slack = await startSlack();
});
afterAll(() => slack.close());
afterEach(() => {
  expect(slack.slack.limitViolations).toEqual([]);
  slack.slack.clear();
});

interface HomeElement {
  readonly type: string;
  readonly text?: string | {text: string};
  readonly channel_id?: string;
  readonly action_id?: string;
  readonly value?: string;
  readonly confirm?: {title: {text: string}; text: {text: string}};
  readonly elements?: HomeElement[];
  readonly accessory?: HomeElement;
  readonly options?: {text: {text: string}; value: string}[];
}

interface HomeTab {
  readonly blocks: HomeElement[];
}

/** A new person of the emulated Slack for each test, so that no test sees the actions of another. */
let people = 0;
async function newPerson(harness: SlackHarness) {
  const name = `person${++people}`;
  const {members} = (await harness.api('users.list', {limit: '100'})) as {
    members: {id: string; name: string}[];
  };
  return {id: members.find((member) => member.name === name)!.id, name};
}

/** The Homes shown to a person, in order. */
const homes = (user: {id: string}, harness = slack) =>
  harness.slack
    .of('views.publish')
    .filter(({body}) => body['user_id'] === user.id)
    .map(({body}) => ({hash: body['hash'], view: body['view'] as HomeTab}));

async function published(user: {id: string}, n = 1, harness = slack): Promise<HomeTab> {
  await until(() => homes(user, harness).length >= n, {what: `${n} Homes`});
  return homes(user, harness)[n - 1]!.view;
}

const opening = (user: {id: string}) => ({
  type: 'app_home_opened',
  user: user.id,
  channel: 'D000000001',
  tab: 'home',
  event_ts: '1',
});

async function openHome(user: {id: string}, harness = slack): Promise<HomeTab> {
  const before = homes(user, harness).length;
  expect(await harness.event(opening(user))).toMatchObject({status: 200, text: ''});
  return published(user, before + 1, harness);
}

/** All nodes of a view, from the outside in. */
function* walk(node: unknown): Generator<HomeElement> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) yield node as HomeElement;
  if ('type' in node && node.type === 'button') return;
  for (const child of Object.values(node)) yield* walk(child);
}

/** The text of a Home as a person reads it, one line for each block. */
function linesOf(home: HomeTab): string[] {
  return home.blocks.map((block) =>
    [...walk(block)]
      .map(({type, text, channel_id}) => {
        if (type === 'channel') return `#${channel_id}`;
        if (type === 'button') return `[${(text as {text: string}).text}]`;
        return typeof text === 'string' ? text : '';
      })
      .join(''),
  );
}

function buttonsOf(home: HomeTab, actionId: string): HomeElement[] {
  return [...walk(home)].filter(({type, action_id}) => type === 'button' && action_id === actionId);
}

/** Adds a person to a team as a lead does. */
async function putInto(person: {id: string; name: string}, slug: string, harness = slack): Promise<void> {
  const {people: persons, teams} = harness.core.services;
  const profile = {name: person.name, timezone: null};
  const member = await persons.ensureSlackMember(harness.operator(), person.id, profile);
  const team = (await teams.findDirectory(harness.operator())).byReference(slug);
  await persons.joinTeam(harness.operator(), team!, member.id);
}

/** Uses a button of the Home. Slack sends a view, but no channel or address for answers. */
const use = (user: {id: string; name: string}, actionId: string, value?: string, harness = slack) =>
  harness.action(
    {action_id: actionId, ...(value !== undefined && {value})},
    {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
    {user},
  );

const toJoin = 'Post in a team’s channel to join it.';

describe('the Home of a new person', () => {
  test('says in three lines what the bot is for and how to begin, and offers the teams', async () => {
    const home = await openHome(await newPerson(slack));
    expect(linesOf(home)).toEqual([
      expect.stringContaining('once a day'),
      expect.stringContaining('/standup'),
      expect.stringContaining('/standup'),
      '[Set up a standup][Open the dashboard]',
      'Other teams',
      `${toJoin}Platform · #${channel}`,
    ]);
    expect([...walk(home)].filter(({type}) => type === 'button').map(({action_id}) => action_id)).toEqual([
      'open-setup',
      'open-dashboard',
    ]);
  });

  test('makes no member by being opened', async () => {
    const person = await newPerson(slack);
    await openHome(person);
    const call = {workspace: slack.workspace, deadline: performance.now() + 5_000};
    expect(await slack.core.services.people.findSlackMember(call, person.id)).toBeUndefined();
  });
});

test('the away switch on Home shows the last day of an absence, moves that day, and ends the absence', async () => {
  const person = await newPerson(slack);
  await putInto(person, 'platform');
  const day = (date: string) =>
    harnessAction(person, {type: 'datepicker', action_id: 'home-away-until', selected_date: date});
  const today = new Date().toISOString().slice(0, 10);
  await openHome(person);
  await use(person, 'home-away');
  const first = linesOf(await published(person, 2));
  expect(first[0]).toMatch(/^You’re away today.*won’t remind/);
  expect(first).toContainEqual(expect.stringContaining('[I’m back]'));
  await day(addDays(today, 5));
  expect(linesOf(await published(person, 3))).toContainEqual(expect.stringMatching(/^Away: today until /));
  await day(addDays(today, -5));
  expect(linesOf(await published(person, 4))[0]).toMatch(/^That day is over/);
  await use(person, 'home-back');
  const last = linesOf(await published(person, 5));
  expect(last[0]).toMatch(/^Welcome back/);
  expect(last).toContain('[I’m away today]Away until …');
  await use(person, 'home-back');
  expect(linesOf(await published(person, 6))[0]).toBe('You’re not away today.');
});

test('Home names the person who entered an absence for the member', async () => {
  const person = await newPerson(slack);
  await putInto(person, 'platform');
  const {people: persons, absences} = slack.core.services;
  const {id} = (await persons.findSlackMember(slack.operator(), person.id))!;
  const principal = await persons.ensureServiceAccount(slack.operator(), 'payroll');
  await absences.enterAbsence({...slack.operator(), principal}, {member: id, until: null});
  expect(linesOf(await openHome(person)).join()).toMatch(/Away: .* Added by payroll\./);
});

test('an absence from one team does not show the member as away altogether', async () => {
  const person = await newPerson(slack);
  await putInto(person, 'platform');
  const {people: persons, absences} = slack.core.services;
  const {id, name} = (await persons.findSlackMember(slack.operator(), person.id))!;
  const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
  await absences.enterAbsence(call, {team: 'platform', until: null, reason: 'On loan'});
  const lines = linesOf(await openHome(person));
  expect(lines).toContain('[I’m away today]Away until …');
  expect(lines.join()).not.toContain('On loan');
});

test('Home shows the one of several absences that ends last, and its switch ends or shortens all of them', async () => {
  const person = await newPerson(slack);
  await putInto(person, 'platform');
  const {people: persons, absences} = slack.core.services;
  const {id, name} = (await persons.findSlackMember(slack.operator(), person.id))!;
  const call = {...slack.operator(), principal: {type: 'member', id, name} as const};
  const day = (days: number) => addDays(new Date().toISOString().slice(0, 10), days);
  await absences.enterAbsence(call, {from: day(-2), until: day(2), reason: 'First'});
  await absences.enterAbsence(call, {from: day(-1), until: day(9), reason: 'Second'});
  expect(linesOf(await openHome(person)).join()).toContain('Second');
  const picked = {type: 'datepicker', action_id: 'home-away-until', selected_date: day(1)};
  await harnessAction(person, picked);
  await published(person, 2);
  const left = await absences.listAbsencesOf(call, id, {from: day(0), until: null});
  expect(left.map(({until}) => until)).toEqual([day(1), day(1)]);
});

/** Uses a menu or picker of the Home. */
const harnessAction = (
  user: {id: string; name: string},
  action: {readonly action_id: string; readonly type: string; readonly selected_date: string},
) =>
  slack.action(
    {action_id: action.action_id},
    {
      channel: undefined,
      response_url: undefined,
      container: {type: 'view'},
      view: {type: 'home'},
      actions: [{block_id: 'b', action_ts: '1', ...action}],
    },
    {user},
  );

describe('the Home of a member of a team', () => {
  test('shows that they have not posted today, how many have, and the channel as a mention', async () => {
    const person = await newPerson(slack);
    await putInto(person, 'platform');
    const home = await openHome(person);
    const lines = linesOf(home);
    expect(lines[1]).toBe('No reminders: none of your teams sends reminders.');
    expect(lines[2]).toBe('[Your settings][Your updates]');
    expect(lines[3]).toMatch(/^Platform · \w+,? \d+ \w+ · not posted yet$/);
    expect(lines[4]).toBe('[Post]');
    expect(lines[5]).toBe('[I’m away today]Away until …');
    expect(lines[7]).toMatch(new RegExp(`^Platform · #${channel} · \\d of \\d posted today$`));
    expect(buttonsOf(home, 'home-post')[0]?.value).toBe(slack.team);
    expect(lines.at(-1)).toBe('[Set up a standup][Open the dashboard]');
  });

  test('shows what they have posted, with an Edit button, and counts them as having posted', async () => {
    const person = await newPerson(slack);
    await slack.command('ship the <b>parser</b> &amp; rest', {user: person});
    const home = await openHome(person);
    const mine = (await slack.standups()).find(({update}) => update.startsWith('ship'));
    expect(linesOf(home)[3]).toMatch(/^Platform · .* · postedship the <b>parser<\/b> & rest$/);
    expect(buttonsOf(home, 'home-edit')[0]?.value).toBe(mine?.id);
    expect(buttonsOf(home, 'home-post')).toEqual([]);
  });

  test('cuts a long update between characters, and says that it is cut', async () => {
    const person = await newPerson(slack);
    await slack.command('😀'.repeat(2_000), {user: person});
    const line = linesOf(await openHome(person))[3] ?? '';
    expect(line).toMatch(/(?:😀)+ … \(shortened, press Edit to see all\)$/u);
    expect(line.length).toBeLessThan(400);
  });

  test('lets them leave the team once, after a confirmation, and keeps what they have posted', async () => {
    const person = await newPerson(slack);
    await slack.command('before I go', {user: person});
    const [leave] = buttonsOf(await openHome(person), 'home-leave');
    expect(leave?.confirm?.text.text).toContain('won’t be asked to post in Platform');
    await use(person, 'home-leave', leave?.value);
    const home = await published(person, 2);
    expect(linesOf(home)[0]).toBe('You left Platform.');
    expect(linesOf(home)).toContain(`${toJoin}Platform · #${channel}`);
    await use(person, 'home-leave', leave?.value);
    expect(linesOf(await published(person, 3))[0]).toBe('You left Platform.');
    expect((await slack.standups()).some(({update}) => update === 'before I go')).toBe(true);
  });

  test('offers no button to join a team, and refuses the button of an earlier version', async () => {
    const person = await newPerson(slack);
    await slack.core.services.teams.createTeam(slack.operator(), {slug: 'closed', name: 'Closed'});
    expect(await use(person, 'home-join', 'closed')).toMatchObject({status: 200});
    const call = {workspace: slack.workspace, deadline: performance.now() + 5_000};
    expect(await slack.core.services.people.findSlackMember(call, person.id)).toBeUndefined();
    expect(homes(person)).toEqual([]);
    await slack.core.services.teams.deleteTeam(slack.operator(), 'closed', {force: false});
  });

  test('counts only members of the team, even when others have posted', async () => {
    const [person, leaver] = [await newPerson(slack), await newPerson(slack)];
    await slack.command('post: here', {user: person});
    const inToday = async () => {
      const line = linesOf(await openHome(person)).find((text) => text.includes(' posted today')) ?? '';
      return /(\d+) of (\d+) posted today/.exec(line)?.slice(1).map(Number);
    };
    const [people = 0, size = 0] = (await inToday()) ?? [];
    await slack.command('before I go', {user: leaver});
    expect(await inToday()).toEqual([people + 1, size + 1]);
    const {principal} = await findMember(slack, leaver);
    await slack.core.services.teamMembers.removeTeamMember(slack.operator(), slack.team, principal.id);
    expect(await inToday()).toEqual([people, size]);
  });

  test.each(['owner', 'admin'] as const)(
    'has Settings for an %s of the workspace, whether they are in the team or not',
    async (role) => {
      const person = await newPerson(slack);
      await slack.command('to be a member', {user: person});
      const {principal} = await findMember(slack, person);
      await slack.core.services.members.changeMember(slack.operator(), principal.id, {role});
      const [inTeam] = buttonsOf(await openHome(person), 'home-settings');
      expect(inTeam?.value).toBe(slack.team);
      await slack.core.services.teamMembers.removeTeamMember(slack.operator(), slack.team, principal.id);
      const menu = [...walk(await openHome(person))].find(({type}) => type === 'static_select');
      const chosen = menu?.options?.find(({value}) => value === slack.team);
      slack.slack.clear();
      const choice = {action_id: 'home-settings', type: 'static_select', selected_option: chosen};
      await slack.action(
        choice,
        {channel: undefined, response_url: undefined, container: {type: 'view'}, view: {type: 'home'}},
        {user: person},
      );
      await until(() => slack.slack.of('views.open').length === 1);
      expect(JSON.stringify(slack.slack.of('views.open')[0]?.body)).toContain('team-settings');
    },
  );

  test('has Settings for the team’s leads, and not for its other members', async () => {
    const person = await newPerson(slack);
    await slack.command('to be in', {user: person});
    expect(buttonsOf(await openHome(person), 'home-settings')).toEqual([]);
    const {principal} = await findMember(slack, person);
    await slack.core.services.teamMembers.setTeamMember(slack.operator(), slack.team, principal.id, 'lead');
    const home = await openHome(person);
    const [settings] = buttonsOf(home, 'home-settings');
    expect(linesOf(home)).toContainEqual(expect.stringMatching(/ posted today · you’re a lead$/));
    slack.slack.clear();
    await use(person, 'home-settings', settings?.value);
    await until(() => slack.slack.of('views.open').length === 1);
    expect(JSON.stringify(slack.slack.of('views.open')[0]?.body)).toContain('Platform');
  });

  test('asks an observer for nothing, and says that they observe the team', async () => {
    const person = await newPerson(slack);
    await slack.command('to be in', {user: person});
    const {principal} = await findMember(slack, person);
    const {teamMembers} = slack.core.services;
    await teamMembers.setTeamMember(slack.operator(), slack.team, principal.id, 'observer');
    const home = await openHome(person);
    expect(linesOf(home)).toContainEqual(expect.stringMatching(/ posted today · you’re an observer$/));
    expect(buttonsOf(home, 'home-post')).toEqual([]);
    const refused = await slack.command('not to be posted', {user: person});
    expect(JSON.stringify(refused)).toContain('You’re an observer of this team, so you can’t post.');
  });

  test('says when the team to leave no longer exists', async () => {
    const person = await newPerson(slack);
    await use(person, 'home-leave', 'team_none');
    expect(linesOf(await published(person))[0]).toBe('This team was deleted.');
  });

  test('opens the form with the first call to Slack', async () => {
    const person = await newPerson(slack);
    await slack.command('to be in', {user: person});
    slack.slack.clear();
    await use(person, 'home-post', slack.team);
    await until(() => slack.slack.of('views.open').length === 1);
    // The profiles of people from earlier tests are read in the background.
    const own = slack.slack.calls.filter(
      ({method, body}) => method !== 'users.info' || body.user === person.id,
    );
    expect(own.map(({method}) => method)).toEqual(['views.open']);
  });
});

test('texts and names on Home cause no mention and no channel ping', async () => {
  const person = await newPerson(slack);
  await slack.core.services.teams.createTeam(slack.operator(), {
    slug: 'hostile',
    name: '<!channel> *bold* <@U1> & `x`',
  });
  const listed = await openHome(await newPerson(slack));
  expect(linesOf(listed).at(-1)).toContain('<!channel> *bold* <@U1> & `x` · A lead can add you.');
  await putInto(person, 'hostile');
  const hostile = '<!channel> <@U1> <https://evil.example|here> *b* &lt;!here&gt;';
  const member = await findMember(slack, person);
  await slack.core.services.standups.postStandup(member, {team: 'hostile', update: hostile, source: 'api'});
  const home = await openHome(person);
  expect(convertBlocksToPlainText(home.blocks, namesFromRequest(translationFor().texts))).toContain(
    `> ${hostile}`,
  );
  expect(linesOf(home)[3]).toMatch(/^<!channel> \*bold\* <@U1> & `x` · /);
  const types = new Set([...walk(home)].map(({type}) => type));
  expect([...types].toSorted()).toEqual(
    [
      'actions',
      'button',
      'channel',
      'datepicker',
      'header',
      'home',
      'link',
      'plain_text',
      'rich_text',
      'rich_text_list',
      'rich_text_quote',
      'rich_text_section',
      'text',
    ].toSorted(),
  );
});

test('each team on Home has its own today: tomorrow on one side of the world is yesterday on the other', async () => {
  const person = await newPerson(slack);
  const zones = [
    ['east', 'Pacific/Kiritimati'],
    ['west', 'Pacific/Pago_Pago'],
  ] as const;
  for (const [slug, timezone] of zones) {
    await slack.core.services.teams.createTeam(slack.operator(), {slug, name: slug, timezone});
    await putInto(person, slug);
  }
  const member = await findMember(slack, person);
  const {standups} = slack.core.services;
  await standups.postStandup(member, {team: 'east', update: 'of today', source: 'api'});
  // Tomorrow in the west is a day that has already begun in the east.
  const date = addDays(dayIn('Pacific/Pago_Pago'), 1);
  await standups.postStandup(member, {team: 'west', update: 'of tomorrow', date, source: 'api'});
  const lines = linesOf(await openHome(person));
  expect(lines.filter((line) => line.startsWith('east'))).toEqual([
    expect.stringMatching(/^east · .* · postedof today$/),
    'east · no channel · 1 of 1 posted today',
  ]);
  expect(lines.filter((line) => line.startsWith('west'))).toEqual([
    expect.stringMatching(/^west · .* · not posted yet$/),
    'west · no channel · 0 of 1 posted today',
  ]);
});

describe('a large workspace', () => {
  let large: SlackHarness;
  let redisUrl: string;
  beforeAll(async () => {
    redisUrl = await testRedisUrl();
    large = await startSlack({redisUrl});
    const {teams, people: persons, standups} = large.core.services;
    await large.command('to be a member', {user: admin});
    const member = await findMember(large, admin);
    for (let i = 1; i < limits.teamsPerWorkspace; i++) {
      const slug = `team-${String(i).padStart(3, '0')}`;
      const {id = ''} = await teams.createTeam(large.operator(), {slug, name: `${slug} ${'団'.repeat(71)}`});
      if (i > 29) continue;
      await persons.joinTeam(member, {id: asId(id), slug}, member.principal.id);
      await standups.postStandup(member, {team: slug, update: '漢'.repeat(limits.update), source: 'api'});
    }
  });
  afterAll(() => large.close());
  afterEach(() => {
    expect(large.slack.limitViolations).toEqual([]);
    large.slack.clear();
  });

  test('has a Home within Slack’s limits, which says what it does not show and links to it', async () => {
    const home = await openHome(admin, large);
    const shown = linesOf(home);
    expect(home.blocks.length).toBeLessThanOrEqual(100);
    expect(shown).toContain('Teams 1 to 20 of 30.');
    expect(shown).toContain('Teams 1 to 20 of 470.');
    expect(buttonsOf(home, 'home-leave')).toHaveLength(20);
    const [mine, others] = buttonsOf(home, 'home-further');
    await use(admin, 'home-further', mine?.value, large);
    const second = await published(admin, 2, large);
    expect(linesOf(second)).toContain('Teams 21 to 30 of 30.');
    expect(buttonsOf(second, 'home-leave')).toHaveLength(10);
    await use(admin, 'home-further', others?.value, large);
    expect(linesOf(await published(admin, 3, large))).toContain('Teams 21 to 40 of 470.');
  });

  test('shows a new person the last page of the other teams', async () => {
    const ada = await newPerson(large);
    await use(ada, 'home-further', JSON.stringify({mine: 0, others: 480}), large);
    const lines = linesOf(await published(ada, 1, large));
    expect(lines).toContain('Teams 481 to 500 of 500.');
    expect(lines).toContainEqual(expect.stringMatching(/team-499 団+ · A lead can add you\.$/));
  });

  // The 6 include one for the open run and one for the observers. The 24 include one each for the signature
  // of the request, blockers, days away, and channels of other teams; two for owners and admins; seven for
  // the next reminder.
  test('needs 6 commands of Redis for each team shown on Home and 24 more, however many people there are', async () => {
    const asked = await redisCalls(redisUrl, () => openHome(admin, large));
    expect(asked.filter((name) => name === 'ZCARD')).toHaveLength(40);
    expect(asked.length).toBeLessThanOrEqual(24 + 20 * 6);
    const alone = await redisCalls(redisUrl, async () => openHome(await newPerson(large), large));
    expect(alone.length).toBeLessThanOrEqual(7);
  });
});

describe('when a Home cannot be shown normally', () => {
  test('a small Home with a reference and Try again is shown while the store is unavailable, and Try again shows all of it', async () => {
    let away = true;
    const broken = await startSlack({
      services: (services) => ({
        ...services,
        teamDays: {
          ...services.teamDays,
          findPersonDay: async (...args) => {
            if (away) throw new AppError('service_unavailable', 'away');
            return services.teamDays.findPersonDay(...args);
          },
        },
      }),
    });
    const lines = linesOf(await openHome(admin, broken));
    const reference = /can’t reach its data .*\(Reference: (\w{8})\)$/.exec(lines[0] ?? '')?.[1];
    expect(lines[1]).toBe('[Try again]');
    expect(broken.lines.some(({fields}) => fields['reference'] === reference)).toBe(true);
    away = false;
    await use(admin, 'home-again', undefined, broken);
    expect(linesOf(await published(admin, 2, broken))).toContain(`${toJoin}Platform · #${channel}`);
    await broken.close();
  });

  test('a small Home is shown within 3 s from a slow store, and the whole one when the store has answered', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slow = await startSlack({
      timeouts: standardTimeouts,
      services: (services) => ({
        ...services,
        teamDays: {
          ...services.teamDays,
          findPersonDay: async (...args) => {
            await gate;
            return services.teamDays.findPersonDay(...args);
          },
        },
      }),
    });
    const [reply, answeredMs] = await measureTime(() => slow.event(opening(admin)));
    expect(reply.status).toBe(200);
    expect(answeredMs).toBeLessThan(1_500);
    const [view, shownMs] = await measureTime(() => published(admin, 1, slow));
    const first = linesOf(view);
    expect(answeredMs + shownMs).toBeLessThan(3_000);
    expect(first).toEqual([expect.stringMatching(/^Still loading.*\(Reference: \w{8}\)$/), '[Try again]']);
    release();
    expect(linesOf(await published(admin, 2, slow))).toContain(`${toJoin}Platform · #${channel}`);
    await slow.close();
  });

  test('a Home that Slack refuses is logged with a reference and not tried again', async () => {
    const person = await newPerson(slack);
    slack.slack.fail('views.publish', {kind: 'limited', seconds: 30});
    await openHome(person);
    await until(() => slack.lines.some(({message}) => message === 'could not show a Slack Home'));
    expect(homes(person)).toHaveLength(1);
  });
});

describe('openings of the app', () => {
  test('show nothing on another tab, and show Home once when Slack reports one opening twice', async () => {
    const person = await newPerson(slack);
    await slack.event({...opening(person), tab: 'messages'});
    const again = {event_id: 'EvTWICE'};
    await slack.event(opening(person), again);
    await slack.event(opening(person), {...again, event_time: 1});
    await published(person);
    await use(person, 'home-leave', slack.team);
    await until(() => homes(person).some(({view}) => linesOf(view)[0]?.startsWith('You left')));
    expect(homes(person)).toHaveLength(2);
  });

  test('are shown one after the other when they come at the same time, the last with the hash of the one before', async () => {
    const person = await newPerson(slack);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    slack.slack.fail('views.publish', {kind: 'slow', until: gate});
    const all = [1, 2, 3].map(() => slack.event(opening(person)));
    await published(person);
    await Promise.all(all);
    release();
    await published(person, 2);
    await openHome(person);
    const [first, second, last] = homes(person);
    expect(homes(person)).toHaveLength(3);
    expect(first?.hash).toBeUndefined();
    expect(second?.hash).toMatch(/./);
    expect(last?.hash).toMatch(/./);
  });

  test('never replace newer data that another process has shown with older data', async () => {
    const person = await newPerson(slack);
    await openHome(person);
    const other = JSON.stringify({type: 'home', blocks: [{type: 'divider'}]});
    await until(
      async () => (await slack.api('views.publish', {user_id: person.id, view: other}, botToken))['ok'],
    );
    const events = {...opening(person), view: {hash: 'an-older-hash'}};
    await slack.event(events);
    await published(person, 3);
    expect(homes(person).map(({hash}) => hash)).toEqual([undefined, 'an-older-hash', undefined]);
  });
});

/** The commands that Redis gets from the bot during `act`, except those inside scripts. */
async function redisCalls(redisUrl: string, act: () => Promise<unknown>): Promise<string[]> {
  const database = new URL(redisUrl).pathname.slice(1);
  const watcher = createClient({url: redisUrl, RESP: 2});
  await watcher.connect();
  const asked: string[] = [];
  await watcher.monitor((line) => {
    const [, from, name = ''] = /^[\d.]+ \[(\d+) (?!lua)[^\]]*\] "(\w+)"/.exec(line) ?? [];
    // Periodic commands of the process are for all workspaces.
    const isBeside =
      line.includes('{global}:') || ['PING', 'SET', 'SELECT', 'TIME'].includes(name.toUpperCase());
    if (from === database && !isBeside) asked.push(name.toUpperCase());
  });
  await act();
  watcher.destroy();
  return asked;
}

const dayIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', {timeZone, dateStyle: 'short'}).format(Date.now());

describe('an action elsewhere', () => {
  test('updates the Home of members who have opened it recently, and no other', async () => {
    const [opener, other] = [await newPerson(slack), await newPerson(slack)];
    await openHome(opener);
    await slack.command('post: from elsewhere', {user: other});
    await slack.command('from a command', {user: opener});
    expect(linesOf(await published(opener, 2))[3]).toContain('postedfrom a command');
    const form = {
      id: 'V_HOME',
      callback_id: 'standup-form',
      private_metadata: buildFormMetadata({form: 'new', team: slack.team, by: 'itself', dates: {}}),
      blocks: [],
      state: {values: {today: {value: {value: 'by the form'}}}},
    };
    await slack.submit(form, {user: opener});
    expect(linesOf(await published(opener, 3))[3]).toContain('postedToday\nby the form');
    expect(homes(other)).toEqual([]);
  });

  test('does not change a shown Home when the store is unavailable', async () => {
    let away = false;
    const flaky = await startSlack({
      services: (services) => ({
        ...services,
        teamDays: {
          ...services.teamDays,
          findPersonDay: async (...args) => {
            if (away) throw new AppError('service_unavailable', 'away');
            return services.teamDays.findPersonDay(...args);
          },
        },
      }),
    });
    await openHome(admin, flaky);
    away = true;
    expect((await flaky.command('posted all the same')).body).toMatchObject({
      text: expect.stringMatching(/^✅ Posted/),
    });
    await until(() => flaky.lines.some(({fields}) => fields['code'] === 'service_unavailable'));
    expect(homes(admin, flaky)).toHaveLength(1);
    await flaky.close();
  });
});

async function findMember(harness: SlackHarness, person: {id: string}) {
  const call = harness.operator();
  const found = await harness.core.services.people.findSlackMember(call, person.id);
  return {...call, principal: {type: 'member', id: found!.id, name: found!.name} as const};
}
