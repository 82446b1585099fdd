import type {RespondArguments} from '@slack/bolt';
import type {Button, KnownBlock} from '@slack/types';
import {
  type MissingPerson,
  missingReasons,
  type MissingWhy,
  type TeamMissing,
} from '../../../domain/runs/missing.js';
import {isolateName} from '../../texts/bidi.js';
import {plainTextBlock, createPrivateMarkupAnswer, richTextSentence} from '../blocks/blocks.js';
import {actions, slackLimits} from '../blocks/names.js';
import {cutText, takeFitting} from '../../texts/cut-text.js';
import {escapeText} from '../blocks/text.js';
import {
  bulletList,
  button,
  paragraph,
  actionsRowIfAny,
  textElement,
  richTextSection,
} from '../blocks/shapes.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import type {Texts} from '../../texts/translation.js';

/** The maximum length of all names in one answer. Each name appears twice: in the blocks and in the text. */
const namesLength = 3_000;
const lineLength = 1_800;
const homeLength = 1_500;
const nameLength = 60;

/** The reasons for which a member is not expected to post. The day's message leaves them out too. */
const isOff: ReadonlySet<MissingWhy> = new Set(['skipped', 'away', 'holiday']);

interface MissingSection {
  readonly heading: string;
  readonly closesAt: number | undefined;
  readonly lines: readonly string[];
  readonly note?: string | undefined;
  readonly buttons: readonly Button[];
}

/** Presents the members who have not posted, and why. `more`: the number of teams that are left out. */
export function presentMissing(
  translation: SlackTranslation,
  teams: readonly TeamMissing[],
  {more = 0, note}: {readonly more?: number; readonly note?: string | undefined} = {},
): RespondArguments {
  const {leads} = translation.texts;
  const parts = listMissingSections(translation, teams, namesLength);
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(more > 0 ? [leads.moreTeams({count: more})] : []),
  ];
  return {
    ...createPrivateMarkupAnswer(
      joinAndCutLines([
        ...parts.flatMap((part) => composeSectionText(translation, part)),
        ...notes.map((one) => escapeText(one)),
      ]),
    ),
    blocks: [
      ...parts.flatMap((part): KnownBlock[] => presentMissingSection(translation, part)),
      ...notes.map((one) => plainTextBlock(one)),
    ],
  };
}

export function presentMissingBlocks(
  translation: SlackTranslation,
  teams: readonly TeamMissing[],
): KnownBlock[] {
  return listMissingSections(translation, teams, homeLength).flatMap((part) =>
    presentMissingSection(translation, part),
  );
}

function listMissingSections(
  translation: SlackTranslation,
  teams: readonly TeamMissing[],
  length: number,
): MissingSection[] {
  const {leads} = translation.texts;
  const room = Math.floor(length / Math.max(1, teams.length));
  return teams.map((one): MissingSection => {
    const {team, date, posted, closesAt, manages, counts} = one;
    const of =
      posted + missingReasons.reduce((sum, why) => sum + (isOff.has(why) ? 0 : (counts[why] ?? 0)), 0);
    const name = isolateName(cutText(team.name, nameLength));
    const lines = [...listMissingLines(translation, one, room)];
    const isClosed = manages && closesAt === undefined && (counts.expected ?? 0) > 0;
    const note =
      lines.length === 0
        ? of === 0
          ? leads.noneExpected
          : leads.everybody
        : one.people === undefined
          ? leads.visibility
          : isClosed
            ? leads.noRun
            : undefined;
    const buttons = canRemind(one) ? [createRemindButton(translation, one)] : [];
    return {
      heading: leads.heading({team: name, day: translation.day(date), posted, of}),
      closesAt,
      lines,
      note,
      buttons,
    };
  });
}

/** True if the person may send a reminder, a run is open, and a member can still be reached. */
export function canRemind({manages, closesAt, counts}: TeamMissing): boolean {
  return manages && closesAt !== undefined && (counts.expected ?? 0) + (counts.unreachable ?? 0) > 0;
}

/** Returns a line for each reason: names while there is room, otherwise a number. */
function listMissingLines(
  translation: SlackTranslation,
  {people, counts}: TeamMissing,
  room: number,
): string[] {
  const {leads} = translation.texts;
  let left = room;
  return missingReasons.flatMap((why) => {
    const count = counts[why] ?? 0;
    if (count === 0) return [];
    const named = people?.filter((person) => person.why === why) ?? [];
    const {text, length} = joinMemberNames(translation, named, count, left);
    left -= length;
    return [leads.why[why]({names: text})];
  });
}

export function presentReminderOutcome(
  translation: SlackTranslation,
  missing: TeamMissing,
  reminded: ReadonlySet<string>,
): RespondArguments {
  const {leads} = translation.texts;
  const team = isolateName(cutText(missing.team.name, nameLength));
  const all = missing.people ?? [];
  const got = all.filter(({id}) => reminded.has(id));
  const names = joinMemberNames(translation, got, got.length, namesLength / 2);
  let left = namesLength / 2;
  const others = missingReasons.flatMap((why: MissingWhy) => {
    const those = all.filter((person) => person.why === why && !got.includes(person));
    if (those.length === 0) return [];
    const {text, length} = joinMemberNames(translation, those, those.length, left);
    left -= length;
    return [leads.notReminded[why]({names: text})];
  });
  const heading = got.length === 0 ? leads.noneReminded({team}) : leads.reminders({team});
  const lines = [
    ...(got.length === 0 ? [] : [leads.reminded({names: names.text})]),
    ...others,
    ...(missing.posted > 0 ? [leads.posted({count: missing.posted})] : []),
  ];
  const part = {heading, closesAt: undefined, lines, buttons: []};
  return {
    ...createPrivateMarkupAnswer(joinAndCutLines(composeSectionText(translation, part))),
    blocks: presentMissingSection(translation, part),
  };
}

/** Returns names as plain text, which notifies no one. */
function joinMemberNames(
  translation: SlackTranslation,
  people: readonly MissingPerson[],
  count: number,
  room: number,
): {readonly text: string; readonly length: number} {
  const {leads} = translation.texts;
  if (people.length === 0) return {text: leads.people({count}), length: 0};
  const said = people.map(({name, until}) => {
    const plain = isolateName(cutText(name, nameLength));
    return until === null ? plain : leads.awayUntil({name: plain, day: translation.day(until)});
  });
  const shown = takeFitting(said, Math.min(room, lineLength));
  const listed = shown.join(', ');
  const left = people.length - shown.length;
  return {
    text: left === 0 ? listed : leads.more({names: listed, count: left}),
    length: shown.reduce((sum, {length}) => sum + length + 2, 0),
  };
}

function createRemindButton({texts: {leads}}: SlackTranslation, {team}: TeamMissing): Button {
  return button(
    actions.remindMissing,
    leads.remind,
    {team: team.id},
    {
      part: team.id,
      style: 'primary',
      spoken: leads.remindFor({team: isolateName(team.name)}),
    },
  );
}

function describeHeading(
  {texts: {leads}}: SlackTranslation,
  {heading, closesAt}: MissingSection,
  at: (ms: number) => string,
): string {
  return closesAt === undefined ? heading : leads.closes({heading, at: at(closesAt)});
}

function composeSectionText(translation: SlackTranslation, part: MissingSection): string[] {
  const heading = describeHeading(
    translation,
    {...part, heading: escapeText(part.heading)},
    translation.instant,
  );
  const note = part.note === undefined ? [] : [escapeText(part.note)];
  return [heading, ...part.lines.map((line) => `• ${escapeText(line)}`), ...note];
}

function joinAndCutLines(lines: readonly string[]): string {
  return cutText(lines.join('\n'), slackLimits.messageText);
}

function presentMissingSection(translation: SlackTranslation, part: MissingSection): KnownBlock[] {
  const heading = richTextSentence(
    (gap) => describeHeading(translation, part, (ms) => gap(translation.richInstant(ms))),
    {
      bold: true,
    },
  );
  const list = bulletList(part.lines.map((line) => [textElement(line)]));
  const note = part.note === undefined ? [] : [richTextSection([textElement(part.note)])];
  return [paragraph(heading, [...list, ...note]), ...actionsRowIfAny(part.buttons)];
}

/** Returns the buttons in the message of a day. `team`: the team's id suffix. */
export function createDayButtons({leads}: Texts, team: string, date: string): Button[] {
  return [
    button(actions.ofDay, leads.postMine, {act: 'post', team, date}, {part: 'post'}),
    button(actions.ofDay, leads.missing, {act: 'missing', team}, {part: 'missing'}),
  ];
}
