import {formatAnswers} from '../../../domain/questions/answers.js';
import type {Question, StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import {findTodaySection} from '../../../domain/core/text.js';
import {formHeadings, formParts, type FormText} from '../blocks/text.js';
import {
  appendText,
  emptyParts,
  type FormContent,
  type QuestionContent,
  buildQuestionFormContent,
} from './form-content.js';
import {carryAnswersForward} from './find-asker.js';
import {type CarriedAnswer, findOptionByLabel} from './question-inputs.js';

/** A person's last standups before today: the last one in the picked team, and the last one in any team. */
export interface LastStandups {
  readonly ofTeam: Standup | undefined;
  readonly ofAny: Standup | undefined;
}

/** Moves content to another team's inputs; text without an input goes to the end. `cut`: not all fits. */
export function carryContent(
  content: FormContent,
  team: Team,
  last: LastStandups,
): {readonly content: FormContent; readonly cut: boolean} {
  if (content.shape === 'whole') return {content, cut: false};
  if (team.questions.length > 0) {
    const isAsked = content.shape === 'parts';
    return {
      content: isAsked
        ? convertPartsToAnswers(content.parts, team, last)
        : convertAnswersToOtherTeam(content, team),
      cut: false,
    };
  }
  return content.shape === 'parts' ? {content, cut: false} : convertAnswersToParts(content, last);
}

function convertPartsToAnswers(parts: FormText, team: Team, {ofTeam, ofAny}: LastStandups): FormContent {
  // The person did not type this prefilled text, so the person's last standup in the other team replaces it.
  const isGiven = ofAny !== undefined && parts.yesterday === findTodaySection(ofAny.update);
  const typed = isGiven ? {...parts, yesterday: ''} : parts;
  const answers: StandupAnswer[] = [];
  const rest: string[] = [];
  for (const name of formParts) {
    const value = typed[name];
    if (value.trim() === '') continue;
    const question = findSameQuestion(team.questions, {key: name, type: 'text'});
    if (question === undefined) rest.push(`${formHeadings[name]}\n${value}`);
    else answers.push({question: name, type: 'text', label: question.label, value});
  }
  const begun = ofTeam === undefined ? [] : carryAnswersForward(ofTeam, team);
  const unsaid = begun.filter(({question}) => answers.every((one) => one.question !== question));
  return buildQuestionFormContent(team, [...unsaid, ...answers], {after: rest.join('\n\n')});
}

function convertAnswersToOtherTeam({answers, pieces}: QuestionContent, team: Team): FormContent {
  const kept: StandupAnswer[] = [];
  const rest: CarriedAnswer[] = [];
  for (const one of answers) {
    const question = findSameQuestion(team.questions, one);
    if (question !== undefined) {
      const value =
        question.type === 'choice' && typeof one.value === 'object'
          ? one.value.map((option) => findOptionByLabel(option, question))
          : one.value;
      kept.push({question: question.key, type: question.type, label: question.label, value});
    } else if (one.type === 'text') rest.push(one);
  }
  return buildQuestionFormContent(team, kept, {after: composeUnmatchedText(pieces, rest)});
}

function convertAnswersToParts(
  {answers, pieces}: QuestionContent,
  {ofAny}: LastStandups,
): {content: FormContent; cut: boolean} {
  const texts = answers.filter(({type}) => type === 'text');
  const isPart = ({key}: CarriedAnswer) => formParts.some((name) => name === key);
  const typed = Object.fromEntries(texts.filter(isPart).map(({key, value}) => [key, String(value)]));
  const begun = ofAny === undefined ? '' : findTodaySection(ofAny.update);
  const content: FormContent = {shape: 'parts', parts: {...emptyParts, yesterday: begun, ...typed}};
  const text = composeUnmatchedText(
    pieces,
    texts.filter((one) => !isPart(one)),
  );
  return text === '' ? {content, cut: false} : appendText(content, text);
}

function composeUnmatchedText(pieces: readonly string[], answers: readonly CarriedAnswer[]): string {
  return [pieces.join('').trim(), formatAnswers(answers)].filter((text) => text !== '').join('\n\n');
}

function findSameQuestion(questions: readonly Question[], {key, type}: Pick<CarriedAnswer, 'key' | 'type'>) {
  return questions.find((one) => one.key === key && one.type === type);
}
