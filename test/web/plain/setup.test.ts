import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {createSetup} from '../../../src/domain/workspaces/setup.js';
import {newQuestionsSchema} from '../../../src/domain/questions/question.js';
import {newScheduleSchema} from '../../../src/domain/schedules/schedule.js';
import type {Team} from '../../../web/api/schema.ts';
import {questionSection} from '../../../web/team/question-drafts.ts';
import {scheduleSection, toSchedule} from '../../../web/team/schedule-draft.ts';
import {
  createTemplateQuestions,
  fitsTemplate,
  questionTemplateNames,
  scheduleTemplateNames,
  scheduleTemplates,
} from '../../../web/team/templates.ts';
import {loadTexts, texts} from '../../../web/texts/texts.ts';
import {chooseGuide, countSteps, listLeftSteps} from '../../../web/today/setup/guide.ts';
import {addSkip, readSkips} from '../../../web/today/setup/skips.ts';
import {describeTeam} from '../../../web/today/setup/welcome-lines.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
  await loadTexts('leading');
  await loadTexts('setup');
});
afterAll(() => browser.close());

const nothing: ReadonlySet<string> = new Set();
const fresh = {
  workspace: 'open',
  sign_in: 'off',
  invite: 'done',
  schedule: 'open',
  questions: 'open',
  first_standup: 'open',
} as const;
const manager = {isManager: true, hasPosted: false};
const stepsOf = (states: Parameters<typeof createSetup>[0]) => createSetup(states).steps;

describe('the guide of the first run', () => {
  it('is a checklist for who runs the workspace until the first standup, and then a card', () => {
    expect(chooseGuide(stepsOf(fresh), {...manager, skips: nothing})).toBe('checklist');
    const posted = stepsOf({...fresh, first_standup: 'done'});
    expect(chooseGuide(posted, {...manager, skips: nothing})).toBe('card');
  });

  it('is over when every needed step is done or skipped, whatever is left of the optional ones', () => {
    const posted = stepsOf({...fresh, first_standup: 'done'});
    const skips = new Set(['workspace']);
    expect(listLeftSteps(posted, skips).map(({step}) => step)).toEqual(['schedule', 'questions']);
    expect(chooseGuide(posted, {...manager, skips})).toBe('card');
    const planned = stepsOf({...fresh, first_standup: 'done', schedule: 'done'});
    expect(chooseGuide(planned, {...manager, skips})).toBeUndefined();
  });

  it('counts neither optional steps nor those that the installation does not offer', () => {
    expect(countSteps(stepsOf(fresh))).toEqual({done: 1, all: 4});
  });

  it('is a welcome for a member, until their first standup or until they close it', () => {
    const own = {you: 'done', timezone: 'open', first_standup: 'open'} as const;
    const member = {isManager: false, hasPosted: false};
    expect(chooseGuide(stepsOf(own), {...member, skips: nothing})).toBe('welcome');
    expect(chooseGuide(stepsOf(own), {...member, skips: new Set(['welcome'])})).toBeUndefined();
    const posted = stepsOf({...own, first_standup: 'done'});
    expect(chooseGuide(posted, {...member, skips: nothing})).toBeUndefined();
  });

  it('gives way to a standup that is on the board before the service has it', () => {
    const posted = {skips: nothing, hasPosted: true};
    expect(chooseGuide(stepsOf(fresh), {...posted, isManager: true})).toBe('card');
    expect(chooseGuide(stepsOf({first_standup: 'open'}), {...posted, isManager: false})).toBeUndefined();
  });

  it('keeps what is skipped for each member of this browser', () => {
    addSkip('mem_1', 'invite');
    addSkip('mem_1', 'zone');
    addSkip('mem_1', 'zone');
    expect([...readSkips('mem_1')]).toEqual(['invite', 'zone']);
    expect([...readSkips('mem_2')]).toEqual([]);
  });
});

describe('a new member', () => {
  const at = (schedule: object | null, rest: object = {}) =>
    ({timezone: 'Europe/Berlin', prompt_at: 'both', schedule, ...rest}) as Team;
  const weekly = {
    frequency: 'weekly',
    interval: 1,
    days: ['mon', 'tue', 'wed', 'thu', 'fri'],
    opens: '09:00',
    closes: '11:00',
    clock: 'team',
  };
  const inBerlin = {zone: 'Europe/Berlin'};

  it.each<[string, Team, {isReminded: boolean; zone: string}, string[]]>([
    [
      'where there is no Slack',
      at(weekly),
      {isReminded: false, ...inBerlin},
      [
        'Your team shares a short update Monday to Friday.',
        'You can post from 09:00 to 11:00.',
        'Answer here. It takes two minutes.',
      ],
    ],
    [
      'where Slack asks people',
      at(weekly),
      {isReminded: true, ...inBerlin},
      [
        'Your team shares a short update Monday to Friday.',
        'You’re asked at 09:00 and have until 11:00.',
        'Answer here, or from the reminder.',
      ],
    ],
    [
      'to a member in another time zone than the team',
      at({...weekly, days: ['fri', 'mon'], interval: 2}, {prompt_at: 'before_closing'}),
      {isReminded: true, zone: 'Asia/Tokyo'},
      [
        'Your team shares a short update on Monday and Friday, every 2 weeks.',
        'You can post from 09:00 to 11:00, Berlin time.',
        'Answer here, or from the reminder.',
      ],
    ],
    [
      'where each member’s own clock counts, once a month',
      at({...weekly, frequency: 'monthly', clock: 'member'}),
      {isReminded: false, zone: 'Asia/Tokyo'},
      [
        'Your team shares a short update once a month.',
        'You can post from 09:00 to 11:00.',
        'Answer here. It takes two minutes.',
      ],
    ],
    [
      'where there is no schedule',
      at(null),
      {isReminded: false, ...inBerlin},
      ['Your team shares short updates, on any day.', 'Answer here. It takes two minutes.'],
    ],
  ])('the welcome says on which days, at which time and where to post: %s', (_, team, viewer, lines) => {
    expect(describeTeam(team, viewer)).toEqual(lines);
  });
});

describe('templates', () => {
  const none = scheduleSection.read({schedule: null, prompt_at: 'opening', paused: false} as unknown as Team);

  it.each(scheduleTemplateNames)('the schedule "%s" is valid, and marks itself alone as chosen', (name) => {
    const draft = {...none, ...scheduleTemplates[name]};
    expect(newScheduleSchema.safeParse(toSchedule(draft)).error).toBeUndefined();
    expect(scheduleTemplateNames.filter((one) => fitsTemplate(draft, one))).toEqual([name]);
    expect(fitsTemplate({...draft, opens: '08:00'}, name)).toBe(false);
    expect(fitsTemplate(none, name)).toBe(false);
  });

  it.each(['en-GB', 'de-DE'])('every set of questions is valid and has texts in %s', async (language) => {
    await browser.speak(language);
    for (const name of questionTemplateNames) {
      const drafts = createTemplateQuestions(name);
      const {questions} = questionSection.write(drafts);
      expect(newQuestionsSchema.safeParse(questions).error).toBeUndefined();
      const labels = Object.values(texts.team.questions.templates[name]);
      expect(drafts.map(({label}) => label).toSorted()).toEqual(labels.toSorted());
    }
  });
});
