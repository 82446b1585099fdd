import type {SharedBlocker, SharedWeek} from '../domain/runs/shared-week.js';
import {limits} from '../domain/core/limits.js';
import {findSundayOf} from '../domain/schedules/week.js';
import {html, type Html} from './html.js';
import type {PageLanguage} from './language.js';

type Week = SharedWeek['week'];
type Counts = Week['participation']['counts'];
type Trends = NonNullable<Week['trends']>;
type Row = readonly [head: string, ...cells: readonly string[]];

/** The texts and the formats of one language. */
interface Words {
  readonly say: PageLanguage['texts']['sharedWeek'];
  readonly number: (value: number) => string;
  readonly percent: (value: number) => string;
  readonly mean: (value: number) => string;
  readonly day: (date: string) => string;
  readonly span: (from: string, until: string) => string;
}

/** Writes the title and the content of a shared week. */
export function writeSharedWeek(
  {workspace, team, sharedBy, expiresAt, timezone, week}: SharedWeek,
  {locale, texts: {sharedWeek: say}}: PageLanguage,
): {readonly title: string; readonly content: Html} {
  const words = createWords(locale, say);
  const end = new Intl.DateTimeFormat(locale, {dateStyle: 'full', timeZone: timezone, calendar: 'gregory'});
  const {participation, blockers, trends} = week;
  return {
    title: say.title({team, days: words.span(week.monday, week.sunday)}),
    content: html`<p class="quiet">${workspace === '' ? say.fromNoOne({person: sharedBy}) : say.from({workspace, person: sharedBy})}</p>
${writeParticipation(participation, words)}
<h2>${say.blockers}</h2>
<p>${say.blockerCounts({raised: blockers.raised, resolved: blockers.resolved, open: blockers.open.length})}</p>
${writeOpenBlockers(blockers.open, words)}
${trends === null ? html`` : writeTrends(trends, words)}
<p class="quiet">${say.ends({day: end.format(Date.parse(expiresAt))})}</p>`,
  };
}

function createWords(locale: string, say: Words['say']): Words {
  const shape = {timeZone: 'UTC', calendar: 'gregory'} as const;
  const day = new Intl.DateTimeFormat(locale, {...shape, weekday: 'short', month: 'short', day: 'numeric'});
  const span = new Intl.DateTimeFormat(locale, {...shape, month: 'short', day: 'numeric', year: 'numeric'});
  // A format takes far longer to make than to use, and a page may have thousands of numbers.
  const whole = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, {style: 'percent'});
  const decimal = new Intl.NumberFormat(locale, {maximumFractionDigits: 2});
  const toDate = (date: string) => new Date(`${date}T00:00:00Z`);
  return {
    say,
    number: (value) => whole.format(value),
    percent: (value) => share.format(value),
    mean: (value) => decimal.format(value),
    day: (date) => day.format(toDate(date)),
    span: (from, until) => span.formatRange(toDate(from), toDate(until)),
  };
}

function writeParticipation(
  {counts, by_date: dates, by_member: members}: Week['participation'],
  words: Words,
) {
  const {say, number, percent, day} = words;
  if (dates.length === 0) return html`<p>${say.noRun}</p>`;
  const sum =
    counts.participation === null
      ? say.notAsked({runs: dates.length})
      : say.sum({
          written: number(counts.posted + counts.late),
          expected: number(counts.expected),
          share: percent(counts.participation),
          runs: dates.length,
        });
  const heads = [say.expected, say.written, say.late, say.share];
  const cellsOf = ({expected, posted, late, participation}: Counts): readonly string[] => [
    number(expected),
    number(posted + late),
    number(late),
    participation === null ? '–' : percent(participation),
  ];
  const people = members
    .slice(0, limits.sharedWeekPeople)
    .map(({member, counts: own}): Row => [member.name ?? say.gone, ...cellsOf(own)]);
  return html`<p>${sum}</p>
${writeTable(
  say.byDate,
  [say.date, ...heads],
  dates.map(({date, counts: own}): Row => [day(date), ...cellsOf(own)]),
)}
${people.length === 0 ? html`` : writeTable(say.byMember, [say.member, ...heads], people)}
${writeRest(members.length - people.length, words)}`;
}

/** Says how many rows the page leaves out. */
function writeRest(left: number, {say, number}: Words): Html {
  return left === 0 ? html`` : html`<p class="quiet">${say.more({left: number(left)})}</p>`;
}

function writeOpenBlockers(open: readonly SharedBlocker[], words: Words): Html {
  const {say} = words;
  if (open.length === 0) return html``;
  const shown = open.slice(0, limits.sharedWeekBlockers);
  const items = shown.map(({author, text, days}) => {
    const who = author === null ? html`` : html`<strong><bdi>${author}</bdi></strong> `;
    return html`<li>${who}<bdi>${text ?? say.blocker}</bdi> <span class="quiet">${say.openFor({days})}</span></li>\n`;
  });
  return html`<ul>\n${items}</ul>
${writeRest(open.length - shown.length, words)}`;
}

function writeTrends({questions, blockers}: Trends, words: Words): Html {
  const {say, number, span} = words;
  const week = (from: string) => span(from, findSundayOf(from));
  const tables = questions.map(({type, label, periods}) =>
    type === 'choice'
      ? writeChoices(label, periods, week, words)
      : writeTable(
          label,
          [say.week, type === 'yes_no' ? say.yes : say.average, say.answers],
          periods.map(
            ({from, mean, answers}): Row => [
              week(from),
              mean === null ? '–' : (type === 'yes_no' ? words.percent : words.mean)(mean),
              number(answers),
            ],
          ),
        ),
  );
  const rows = blockers.map(
    ({from, raised, resolved, open_at_end: open, median_hours: hours}): Row => [
      week(from),
      number(raised),
      number(resolved),
      number(open),
      hours === null ? '–' : say.hourCount({hours: Math.round(hours)}),
    ],
  );
  return html`<h2>${say.trends}</h2>
${tables}
${writeTable(say.blockers, [say.week, say.raised, say.resolved, say.openAtEnd, say.hours], rows)}`;
}

function writeChoices(
  label: string,
  periods: Trends['questions'][number]['periods'],
  week: (from: string) => string,
  {say, number}: Words,
): Html {
  const values = [...new Set(periods.flatMap(({counts}) => counts.map(({value}) => String(value))))];
  const rows = periods.map(({from, counts}): Row => {
    const found = new Map(counts.map(({value, count}) => [String(value), count]));
    return [week(from), ...values.map((value) => number(found.get(value) ?? 0))];
  });
  return writeTable(label, [say.week, ...values], rows);
}

function writeTable(title: string, heads: readonly string[], rows: readonly Row[]): Html {
  return html`<div class="wide"><table>
<caption><bdi>${title}</bdi></caption>
<thead><tr>${heads.map((head) => html`<th scope="col"><bdi>${head}</bdi></th>`)}</tr></thead>
<tbody>
${rows.map(
  ([head, ...cells]) =>
    html`<tr><th scope="row"><bdi>${head}</bdi></th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
)}</tbody>
</table></div>
`;
}
