import {afterAll, afterEach, beforeAll, describe, expect, test} from '@jest/globals';
import {createTranslationFinder} from '../../src/bot/slack/core/find-translation.js';
import {suffixOf} from '../../src/domain/core/ids.js';
import {de} from '../../src/bot/texts/compiled/de.js';
import {en} from '../../src/bot/texts/compiled/en.js';
import {openStandupForm} from '../support/slack-form.js';
import {botToken, type SlackHarness, startSlack} from '../support/slack-harness.js';
import {until} from '../support/until.js';
import {minute, type PromptPerson, type PromptScene, newDeadline, startPromptScene} from './prompt-scene.js';

const origin = {team: 'T000000001', orgWide: false};
let suffix = 0;
const newPerson = () => ({id: `U0LANG${(suffix += 1)}`, name: `lang${suffix}`});

/** Makes Slack answer every request for a profile with this locale. */
function answerLocale({slack}: SlackHarness, user: {id: string}, locale: string | undefined): void {
  const profile = {id: user.id, team_id: 'T000000001', ...(locale !== undefined && {locale})};
  slack.failAlways('users.info', {kind: 'replied', reply: {ok: true, user: profile}});
}

async function openHome(harness: SlackHarness, user: {id: string}): Promise<string> {
  const event = {type: 'app_home_opened', user: user.id, channel: 'D1', tab: 'home', event_ts: '1'};
  await harness.event(event);
  await until(() => harness.slack.of('views.publish').length > 0);
  return JSON.stringify(harness.slack.of('views.publish')[0]?.body['view']);
}

describe.each<[language: 'en' | 'de', reads: (readonly [locale: string | undefined, words: typeof en])[]]>([
  [
    'en',
    [
      ['de-DE', de],
      ['en-US', en],
      ['fr-FR', en],
      [undefined, en],
    ],
  ],
  [
    'de',
    [
      ['de-DE', de],
      ['en-GB', en],
      ['fr-FR', de],
      [undefined, de],
    ],
  ],
])('where the language of the installation is %s', (language, reads) => {
  let slack: SlackHarness;
  beforeAll(async () => {
    slack = await startSlack({language});
  });
  afterAll(() => slack.close());
  afterEach(() => {
    expect(slack.slack.limitViolations).toEqual([]);
    slack.slack.clear();
  });

  test.each(reads)(
    'a person of %s reads their language in answers, the form and their Home',
    async (locale, texts) => {
      const user = newPerson();
      answerLocale(slack, user, locale);
      expect((await slack.command('help', {user})).body.text).toContain(
        texts.typed.help[0]?.replaceAll('*', ''),
      );
      const view = await openStandupForm(slack, {user});
      expect(view.title.text).toBe(texts.form.title);
      expect(view.blocks.map(({label}) => label?.text)).toContain(texts.form.blockers);
      const posted = (await slack.command('post: written by me', {user})).body.text as string;
      expect(posted).toContain(texts.command.posted({where: '<#C000000001>', day: ''}).slice(0, 12));
      expect(await openHome(slack, user)).toContain(texts.home.mine);
      // The only request to Slack, which admits a new person, has brought the locale.
      expect(slack.slack.of('users.info')).toHaveLength(1);
      expect(slack.slack.of('users.info')[0]?.body).toMatchObject({include_locale: 'true'});
    },
  );

  test('a guest is refused in their language', async () => {
    const user = newPerson();
    const guest = {id: user.id, team_id: 'T000000001', locale: 'de-DE', is_restricted: true};
    slack.slack.failAlways('users.info', {kind: 'replied', reply: {ok: true, user: guest}});
    expect((await slack.command('post: my words', {user})).body.text).toContain(de.outsider.guest);
  });

  test('a channel is in the language of the installation, no matter who posts', async () => {
    for (const locale of ['de-DE', 'en-US']) {
      const user = newPerson();
      answerLocale(slack, user, locale);
      await slack.command('post: to be shown', {user});
    }
    await slack.work();
    const [parent] = await slack.parents();
    expect(parent?.text).toMatch(
      language === 'de' ? /Standup · \w\w\.?, \d+\. .* geschrieben/ : /Standup · \w{3} \d+ \w{3} · .* posted/,
    );
    expect(JSON.stringify(parent?.blocks)).toContain(language === 'de' ? de.leads.missing : en.leads.missing);
  });
});

describe('a reminder', () => {
  let scene: PromptScene;
  beforeAll(async () => {
    scene = await startPromptScene();
  });
  afterAll(() => scene.close());
  afterEach(() => {
    expect(scene.slack.slack.limitViolations).toEqual([]);
    scene.slack.slack.clear();
  });

  const remindIn = ({user}: PromptPerson, locale: string) =>
    scene.slack.core.services.people.keepSlackLocale(scene.slack.operator(), user, locale);

  async function remind(person: PromptPerson): Promise<void> {
    const closesAt = scene.clock.now() + 60 * minute;
    await scene.remind(person, await scene.openRun(closesAt), closesAt);
    await scene.work(person);
  }

  test.each([
    ['de-DE', /^Dein Standup ist bald fällig\.\n• Platform: schließt .*am \{date_num\} um \{time\}/],
    ['fr-FR', /^Your standup is due soon\.\n• Platform: open until/],
    [undefined, /^Your standup is due soon\.\n• Platform: open until/],
  ])('is in the language of a person whose Slack is in %s', async (locale, text) => {
    const person = await scene.addPerson();
    if (locale !== undefined) await remindIn(person, locale);
    await remind(person);
    const [message] = await scene.messagesOf(person);
    expect(scene.slack.slack.of('chat.postMessage')[0]?.body['text']).toMatch(text);
    expect(message).toBeDefined();
  });

  test('keeps its language, and changes to another language of the person in one edit', async () => {
    const person = await scene.addPerson();
    await remindIn(person, 'de-DE');
    await remind(person);
    const updates = () => scene.slack.slack.of('chat.update').map(({body}) => String(body['text']));
    const lookAgain = async () => {
      const prompt = {member: suffixOf(person.member.id), date: scene.date(), user: person.user};
      await scene.slack.core.store.prompts.ask(scene.slack.workspace, [prompt], newDeadline());
      await scene.work(person);
    };
    await lookAgain();
    expect(updates()).toEqual([]);
    await remindIn(person, 'en-US');
    await lookAgain();
    await lookAgain();
    expect(updates()).toEqual([expect.stringMatching(/^Your standup is due soon/)]);
  });
});

describe('the language of a person', () => {
  const installation = {id: 'token', botToken, workspace: 'wsp_1'};
  function finding(stored: string | undefined, answer: () => Promise<string | undefined>) {
    const asked: string[] = [];
    const find = createTranslationFinder({
      people: {
        findSlackLocale: async (_, user) => {
          asked.push(`store ${user}`);
          return stored;
        },
      },
      installations: {find: async () => installation as never},
      clients: {interactive: () => ({}) as never},
      newcomers: {
        find: async (_, {id}) => {
          asked.push(`Slack ${id}`);
          const locale = await answer();
          return {outsider: 'guest', locale};
        },
      },
      language: 'en',
      waitMs: 30,
    });
    return {asked, find: async (id = 'U1') => (await find(origin, {id, name: ''})).locale};
  }

  test('is read from the store, without a request to Slack, and then kept for a while', async () => {
    const {asked, find} = finding('de-DE', async () => 'en-US');
    expect([await find(), await find(), await find()]).toEqual(['de', 'de', 'de']);
    expect(asked).toEqual(['store U1']);
  });

  test('is requested from Slack once if the store has none', async () => {
    const {asked, find} = finding(undefined, async () => 'de-DE');
    expect([await find(), await find(), await find('U2')]).toEqual(['de', 'de', 'de']);
    expect(asked).toEqual(['store U1', 'Slack U1', 'store U2', 'Slack U2']);
  });

  test('delays an answer only for a short time, and is used from the next answer on', async () => {
    let answer: (locale: string) => void = () => undefined;
    const {find} = finding(undefined, () => new Promise((resolve) => (answer = resolve)));
    const began = performance.now();
    expect(await find()).toBe('en-GB');
    expect(performance.now() - began).toBeLessThan(1_000);
    answer('de-DE');
    await until(async () => (await find()) === 'de');
  });

  test('that cannot be found is not looked for at every use', async () => {
    const {asked, find} = finding(undefined, () => Promise.reject(new Error('Slack is away')));
    expect([await find(), await find()]).toEqual(['en-GB', 'en-GB']);
    expect(asked).toEqual(['store U1', 'Slack U1']);
  });
});
