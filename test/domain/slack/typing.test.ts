import {describe, expect, it} from '@jest/globals';
import fc from 'fast-check';
import {completeQuestion, type Question} from '../../../src/domain/questions/question.js';
import {parseTypedAnswer} from '../../../src/domain/slack/typed-answer.js';
import {
  compareMessageTs,
  replayConversation,
  type TypedDraft,
  editMessageOfDraft,
  removeMessageOfDraft,
  addMessageToDraft,
} from '../../../src/domain/slack/typing.js';
import {asId} from '../../support/ids.js';

const text = completeQuestion({key: 'done', label: 'Done?', type: 'text', required: true});
const mood = completeQuestion({key: 'mood', label: 'Mood?', type: 'mood'});
const ship = completeQuestion({key: 'ship', label: 'Shipped?', type: 'yes_no'});
const hours = completeQuestion({key: 'hours', label: 'Hours?', type: 'number', min: 0, max: 24});
const where = completeQuestion({
  key: 'where',
  label: 'Where?',
  type: 'choice',
  options: ['Office', 'Home', 'Train'],
});
const some = completeQuestion({
  key: 'some',
  label: 'Which?',
  type: 'choice',
  multiple: true,
  options: ['Front end', 'Back end', 'Tests', '2'],
});

describe('an answer typed in Slack', () => {
  it.each<[Question, string, unknown]>([
    [text, '  Fixed it  ', 'Fixed it'],
    [mood, '4', 4],
    [mood, 'very bad', 1],
    [mood, 'Sehr gut!', 5],
    [mood, 'geht so', 3],
    [mood, 'Great!', 5],
    [mood, 'meh', 3],
    [mood, 'not great', 2],
    [mood, 'All right.', 3],
    [ship, 'Yes!', true],
    [ship, 'Ja!', true],
    [ship, 'nein', false],
    [ship, 'y', true],
    [ship, ':+1:', true],
    [ship, '👎', false],
    [ship, 'nope', false],
    [hours, '7', 7],
    [hours, '7.5 h', 7.5],
    [hours, '7,5', 7.5],
    [where, 'home', ['Home']],
    [where, 'Off', ['Office']],
    [where, '3', ['Train']],
    [some, 'tests, front end', ['Tests', 'Front end']],
    [some, '1, 3', ['Front end', 'Tests']],
    [some, '1 3', ['Front end', 'Tests']],
    [some, 'Front end and back end', ['Front end', 'Back end']],
    [some, 'Tests und Front end', ['Tests', 'Front end']],
    [some, '2', ['2']],
    [some, 'tests, Tests', ['Tests']],
  ])('is understood for the question %j: %s', (question, typed, value) => {
    expect(parseTypedAnswer(question, typed)).toEqual({value});
  });

  it.each<[Question, string, string]>([
    [mood, '6', 'mood'],
    [mood, 'purple', 'mood'],
    [ship, 'perhaps', 'yes_no'],
    [hours, '25', 'number'],
    [hours, 'many', 'number'],
    [where, 'Moon', 'choice'],
    [where, '4', 'choice'],
    [where, '0', 'choice'],
    [where, '', 'choice'],
    [some, 'tests, moon', 'choice'],
    [text, 'x'.repeat(2_001), 'long'],
  ])('is refused for the question %j: %s', (question, typed, kind) => {
    expect(parseTypedAnswer(question, typed)).toMatchObject({error: {kind}});
  });
});

const empty: TypedDraft = {
  id: 'd',
  teams: [{id: asId('team'), date: '2026-11-24'}],
  asks: 'questions',
  version: 1,
  questions: [text, mood, ship],
  given: {},
  words: [],
};
const typed = (...replies: string[]) =>
  replies.reduce((draft, reply, i) => addMessageToDraft(draft, {ts: `${i + 1}.000000`, text: reply}), empty);
const answersOf = (draft: TypedDraft) => Object.fromEntries(replayConversation(draft).answers);

describe('a typed conversation with the bot', () => {
  it('asks one question after the other, and ignores skip, back and wrong answers where they do not apply', () => {
    expect(answersOf(typed('Fixed it', 'skip', 'yes'))).toEqual({done: 'Fixed it', ship: true});
    expect(answersOf(typed('Fixed it', '4', 'back', '2', 'yes'))).toEqual({
      done: 'Fixed it',
      mood: 2,
      ship: true,
    });
    expect(answersOf(typed('Fixed it', 'bad?!x', '4', 'yes'))).toEqual({
      done: 'Fixed it',
      mood: 4,
      ship: true,
    });
    const refused = replayConversation(typed('skip'));
    expect(refused.asked?.key).toBe('done');
    expect([...refused.effects.values()]).toEqual([{does: 'required', key: 'done'}]);
    expect(replayConversation(typed('Fixed it', '4', 'yes')).asked).toBeUndefined();
  });

  it('continues where it was after two steps back, and skips answered questions', () => {
    const draft = typed('Fixed it', '4', 'back', 'back', 'Mended it');
    expect(replayConversation(draft).asked?.key).toBe('ship');
    expect(answersOf(draft)).toEqual({done: 'Mended it', mood: 4});
  });

  it('has the same result whatever the order of its messages, and even if they arrive twice', () => {
    const replies = fc.array(
      fc.constantFrom('a', 'skip', 'back', '4', 'yes', 'later', 'x y', 'help', 'post'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(replies, fc.infiniteStream(fc.nat()), (said, order) => {
        const all = said.map((reply, i) => ({ts: `10.${String(i).padStart(6, '0')}`, text: reply}));
        const inOrder = all.reduce(addMessageToDraft, empty);
        const mixed = [...all, ...all]
          .map((message) => ({message, at: order.next().value as number}))
          .toSorted((a, b) => a.at - b.at);
        const disorderly = mixed.reduce((draft, {message}) => addMessageToDraft(draft, message), empty);
        expect(disorderly).toEqual(inOrder);
        expect([...replayConversation(disorderly).answers]).toEqual([...replayConversation(inOrder).answers]);
      }),
    );
  });

  it('changes only the answer of an edited message, and keeps the old answer if the new text is not valid', () => {
    const draft = typed('Fixed it', '4', 'yes');
    expect(answersOf(editMessageOfDraft(draft, '2.000000', '5', '9.0'))).toEqual({
      done: 'Fixed it',
      mood: 5,
      ship: true,
    });
    const refused = editMessageOfDraft(draft, '2.000000', 'splendid', '9.0');
    expect(answersOf(refused)).toEqual({done: 'Fixed it', mood: 4, ship: true});
    expect(replayConversation(refused).effects.get('2.000000')).toMatchObject({editError: {kind: 'mood'}});
    const late = editMessageOfDraft(
      editMessageOfDraft(draft, '2.000000', '5', '9.0'),
      '2.000000',
      '1',
      '8.0',
    );
    expect(answersOf(late)['mood']).toBe(5);
    expect(answersOf(editMessageOfDraft(typed('Fixed it', 'sixish'), '2.000000', '2', '9.0'))).toEqual({
      done: 'Fixed it',
      mood: 2,
    });
  });

  it('retains no text of a deleted message, and asks that question again', () => {
    const draft = removeMessageOfDraft(typed('Fixed it', '4', 'yes'), '1.000000');
    expect(JSON.stringify(draft)).not.toContain('Fixed it');
    expect(answersOf(draft)).toEqual({mood: 4, ship: true});
    expect(replayConversation(draft).asked?.key).toBe('done');
    expect(answersOf(addMessageToDraft(draft, {ts: '9.0', text: 'Anew'}))).toEqual({
      done: 'Anew',
      mood: 4,
      ship: true,
    });
  });

  it('accepts 60 messages and no more', () => {
    const draft = typed(...Array.from({length: 100}, () => 'help'));
    expect(draft.words.length).toBeLessThanOrEqual(61);
    expect(replayConversation(draft).effects.get('61.000000')).toEqual({does: 'full'});
  });

  it('refuses an answer that makes the standup too long', () => {
    const questions = ['a', 'b', 'c'].map((key) => completeQuestion({key, label: key, type: 'text'}));
    const draft = ['x', 'y', 'z'].reduce<TypedDraft>(
      (before, letter, i) => addMessageToDraft(before, {ts: `${i + 1}.0`, text: letter.repeat(1_990)}),
      {...empty, questions},
    );
    const {effects} = replayConversation(draft);
    expect([...effects.values()].map(({does}) => does)).toEqual(['answer', 'answer', 'invalid']);
  });
});

it('the timestamps that identify messages in Slack sort by time', () => {
  expect(compareMessageTs('1732.000100', '1732.000099')).toBe(1);
  expect(compareMessageTs('999.5', '1000.4')).toBe(-1);
  expect(compareMessageTs('1.000000', '1.000000')).toBe(0);
});
