import type {MailBlock, MailContent, WrittenMail} from '../../domain/mail/mail-content.js';
import {formatMean} from '../../domain/runs/week-trends.js';
import {showName} from '../names.js';
import type {Reader} from '../reader.js';

/** The report of a run that has closed. It names the missing people only if the team shows them. */
export function writeReport(
  report: MailContent & {readonly kind: 'report'},
  {texts: {report: texts}, date, list}: Reader,
): WrittenMail {
  const {posted, expected, missingCount, url} = report;
  const [missing, away] = [report.missing, report.away].map((names) => list(names.map(showName)));
  const lines = [
    ...(missingCount > 0 ? [texts.missing({names: missing || null, count: missingCount})] : []),
    ...(away ? [texts.away({names: away})] : []),
  ];
  return {
    subject: texts.subject({team: showName(report.team), day: date(report.date), posted, expected}),
    blocks: [
      {type: 'paragraph', text: lines.length > 0 ? lines.join('\n') : texts.all},
      {type: 'button', label: texts.board, url},
    ],
  };
}

/** The summary of a team's week. */
export function writeWeek(
  week: MailContent & {readonly kind: 'week'},
  {texts: {week: texts}, date, locale}: Reader,
): WrittenMail {
  const {posted, expected, runs, raised, resolved, open, url} = week;
  const {questions, hours} = week.trends;
  const answers = questions.map(({type, label, mean, answers: count, change}) =>
    texts.mean({
      question: showName(label),
      value: formatMean(locale, type, mean),
      answers: count,
      way: change?.way ?? 'none',
      amount: change === null ? '' : formatMean(locale, type, change.amount),
    }),
  );
  const counts = [
    texts.blockers({raised, resolved}),
    ...(hours === null ? [] : [texts.hours({hours: Math.round(hours)})]),
  ];
  const blockers: MailBlock[] =
    open.length === 0
      ? []
      : [
          {
            type: 'list',
            title: texts.open,
            items: open.map(({author, text}) =>
              texts.blocker({author: showName(author), text: showName(text)}),
            ),
          },
        ];
  return {
    subject: texts.subject({team: showName(week.team), day: date(week.monday)}),
    blocks: [
      {type: 'paragraph', text: texts.posted({posted, expected, runs})},
      ...(answers.length === 0 ? [] : [{type: 'list', title: texts.answers, items: answers} as const]),
      {type: 'paragraph', text: counts.join('\n')},
      ...blockers,
      {type: 'button', label: texts.page, url},
    ],
  };
}

/** Tells a lead what needs them when a run has closed: who is missing, who is away, and what blocks. */
export function writeLeadSummary(
  {summary, url}: MailContent & {readonly kind: 'lead_summary'},
  {texts: {closing: texts}, date, list}: Reader,
): WrittenMail {
  const {team, posted, expected, blockers} = summary;
  const [missing, away] = [summary.missing, summary.away].map((names) => list(names.map(showName)));
  const people = [
    ...(missing ? [texts.missing({names: missing})] : []),
    ...(away ? [texts.away({names: away})] : []),
  ];
  return {
    subject: texts.subject({team: showName(team.name), day: date(summary.date), posted, expected}),
    blocks: [
      ...(people.length === 0 ? [] : [{type: 'paragraph', text: people.join('\n')} as const]),
      ...(blockers.length === 0
        ? []
        : [
            {
              type: 'list',
              title: texts.blocked,
              items: blockers.map(({author, text, days, owner}) =>
                texts.blocker({
                  name: showName(author),
                  text: showName(text),
                  days,
                  owner: owner === null ? null : showName(owner),
                }),
              ),
            } as const,
          ]),
      {type: 'button', label: texts.day, url},
    ],
  };
}
