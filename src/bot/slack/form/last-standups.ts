import {parseWire} from '../../../domain/core/resource.js';
import type {Caller} from '../../../domain/core/access.js';
import {addDays} from '../../../domain/core/dates.js';
import {findPrefillSourceKey, type StandupAnswer} from '../../../domain/questions/question.js';
import type {Standup} from '../../../domain/standups/standup.js';
import type {Team} from '../../../domain/teams/team.js';
import type {SlackContext} from '../core/context.js';
import type {Dates} from './find-dates.js';

export async function listPostedStandups(
  {services}: SlackContext,
  access: Caller | undefined,
  dates: Dates,
): Promise<readonly Standup[]> {
  if (access === undefined) return [];
  const found = await Promise.all(
    [...dates].map(async ([team, date]) => {
      const query = {author: access.principal.id, team, dateFrom: date, dateTo: date, limit: 1};
      const {rows} = await services.standups.listStandups(access, query);
      return rows.map(parseWire);
    }),
  );
  return found.flat().toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
}

export async function findLastStandupBefore(
  {services: {standups}}: SlackContext,
  access: Caller,
  only: Team | undefined,
  date: string,
): Promise<Standup | undefined> {
  const {rows} = await standups.listStandups(access, {
    author: access.principal.id,
    team: only?.id,
    dateTo: addDays(date, -1),
    limit: 1,
  });
  return rows[0] === undefined ? undefined : parseWire(rows[0]);
}

/** Returns answers prefilled from the last standup: what was planned then is now done. */
export function carryAnswersForward({answers}: Standup, {questions}: Team): readonly StandupAnswer[] {
  return questions.flatMap((asked) => {
    const from = findPrefillSourceKey(asked);
    const last = answers.find(({question, type}) => question === from && type === 'text');
    return last === undefined ? [] : [{...last, question: asked.key, label: asked.label}];
  });
}
