import {formatAnswers} from '../../../domain/questions/answers.js';
import type {Question, StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {TextFormat} from '../../../domain/core/markdown.js';
import {findPlan} from '../../../domain/standups/plan.js';
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
        ? convertPartsToAnswers(content, team, last)
        : convertAnswersToOtherTeam(content, team),
      cut: false,
    };
  }
  return content.shape === 'parts' ? {content, cut: false} : convertAnswersToParts(content, last);
}

function convertPartsToAnswers(
  {parts, format}: {readonly parts: FormText} & Pick<FormContent, 'format'>,
  team: Team,
  {ofTeam, ofAny}: LastStandups,
): FormContent {
  // The person did not type this prefilled text, so the person's last standup in the other team replaces it.
  const isGiven = ofAny !== undefined && parts.yesterday === findPlan(ofAny);
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
  // Text that was carried forward is plain.
  const begun = ofTeam === undefined || format !== undefined ? [] : carryAnswersForward(ofTeam, team);
  const unsaid = begun.filter(({question}) => answers.every((one) => one.question !== question));
  return buildQuestionFormContent(team, [...unsaid, ...answers], {after: rest.join('\n\n')}, format);
}

function convertAnswersToOtherTeam({answers, pieces, format}: QuestionContent, team: Team): FormContent {
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
  const after = composeUnmatchedText(pieces, rest, format);
  return buildQuestionFormContent(team, kept, {after}, format);
}

function convertAnswersToParts(
  {answers, pieces, format}: QuestionContent,
  {ofAny}: LastStandups,
): {content: FormContent; cut: boolean} {
  const texts = answers.filter(({type}) => type === 'text');
  const isPart = ({key}: CarriedAnswer) => formParts.some((name) => name === key);
  const typed = Object.fromEntries(texts.filter(isPart).map(({key, value}) => [key, String(value)]));
  const begun = ofAny === undefined || format !== undefined ? '' : findPlan(ofAny);
  const content: FormContent = {
    ...(format !== undefined && {format}),
    shape: 'parts',
    parts: {...emptyParts, yesterday: begun, ...typed},
  };
  const text = composeUnmatchedText(
    pieces,
    texts.filter((one) => !isPart(one)),
  );
  return text === '' ? {content, cut: false} : appendText(content, text);
}

function composeUnmatchedText(
  pieces: readonly string[],
  answers: readonly CarriedAnswer[],
  format?: TextFormat,
): string {
  return [pieces.join('').trim(), formatAnswers(answers, format)].filter((text) => text !== '').join('\n\n');
}

function findSameQuestion(questions: readonly Question[], {key, type}: Pick<CarriedAnswer, 'key' | 'type'>) {
  return questions.find((one) => one.key === key && one.type === type);
}
