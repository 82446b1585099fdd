import {parseWire} from '../../domain/core/resource.js';
import {wholeText} from '../../domain/questions/answers.js';
import {dayNumber} from '../../domain/core/dates.js';
import {lists, placeOf} from '../../domain/core/lists.js';
import {type Id, drawnPart, type IdSuffix} from '../../domain/core/ids.js';
import type {Run} from '../../domain/runs/run.js';
import type {RunReport} from '../../domain/runs/run-report.js';
import type {Team} from '../../domain/teams/team.js';
import type {DigestContent, DigestStandup} from './digest-content.js';
import {within} from './channel-work.js';
import type {RunOfDay} from './day-messages.js';
import type {FindDigest} from './digest-posts.js';
import type {SlackPosts} from '../../store/slack/slack-posts.js';
import type {Records} from '../../store/core/records.js';

export interface FindRunsParts {
  readonly records: Pick<Records, 'list' | 'findByDrawn'>;
  readonly posts: Pick<SlackPosts, 'listPlaces' | 'listModes'>;
  readonly runReports: {
    findReport: (
      call: {workspace: Id<'workspace'>; deadline: number},
      run: Run,
    ) => Promise<{readonly report: RunReport}>;
  };
  /** By the drawn half of its id. */
  readonly findTeam: (workspace: Id<'workspace'>, drawn: IdSuffix<'team'>) => Promise<Team | undefined>;
  readonly actionsOf?: DigestContent['actionsOf'];
}

/** What Slack shows of a team's run of a date. */
export interface FindRuns {
  readonly findRun: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ) => Promise<RunOfDay | undefined>;
  readonly findDigest: FindDigest;
  readonly find: (
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ) => Promise<Run | undefined>;
}

export function createFindRuns(parts: FindRunsParts): FindRuns {
  const {records, posts, runReports, findTeam, actionsOf} = parts;

  async function find(
    workspace: Id<'workspace'>,
    team: IdSuffix<'team'>,
    date: string,
  ): Promise<Run | undefined> {
    const day = dayNumber(date);
    const range = {list: lists.runsOfTeam(team), from: placeOf(day, 0), to: placeOf(day + 1, 0), limit: 1};
    const {rows} = await records.list(workspace, range, within());
    const [row] = rows;
    return row === undefined ? undefined : parseWire(row.json);
  }

  async function report(workspace: Id<'workspace'>, run: Run): Promise<RunReport> {
    return (await runReports.findReport({workspace, deadline: within()}, run)).report;
  }

  async function findStandups(
    workspace: Id<'workspace'>,
    {lines}: RunReport,
  ): Promise<Map<string, DigestStandup>> {
    const ids = lines.flatMap(({standups}) => standups.map(({id}) => id));
    const drawn = ids.map((id) => drawnPart(id));
    const [places, modes] = await Promise.all([
      posts.listPlaces(workspace, drawn, within()),
      posts.listModes(workspace, drawn, within()),
    ]);
    const shownHere = drawn.filter((_, i) => modes[i] === 'digest');
    const texts = await Promise.all(shownHere.map((one) => records.findByDrawn(workspace, one, within())));
    return new Map(
      ids.flatMap((id, i): [string, DigestStandup][] => {
        const permalink = places[i]?.permalink ?? null;
        if (modes[i] !== 'digest') return [[id, {text: null, permalink}]];
        const standup = texts[shownHere.indexOf(drawnPart(id))];
        if (standup === undefined) return [];
        const text = wholeText({update: standup.update, answers: standup.answers ?? []});
        return [[id, {text, permalink}]];
      }),
    );
  }

  return {
    find,
    async findRun(workspace, team, date) {
      const run = await find(workspace, team, date);
      if (run === undefined || (run.state !== 'open' && run.state !== 'closed')) return undefined;
      const {counts} = await report(workspace, run);
      return {
        count: {in: counts.posted + counts.late, of: counts.expected},
        closing: run.state === 'closed' ? 'closed' : Date.parse(run.closes_at),
      };
    },

    async findDigest(workspace, drawn, date) {
      const [team, run] = await Promise.all([findTeam(workspace, drawn), find(workspace, drawn, date)]);
      if (team === undefined || run?.state !== 'closed') return undefined;
      const whole = await report(workspace, run);
      const {names_missing: namesMissing} = team;
      const standups = await findStandups(workspace, whole);
      return {
        team: drawn,
        date,
        report: {...whole, blockers: whole.blockers.filter(isOf(run, whole))},
        namesMissing,
        standups,
        actionsOf,
      };
    },
  };
}

/**
 * A blocker that was raised after the run had closed is told by the next one, unless somebody has raised it
 * by a late post.
 */
function isOf({closed_at}: Run, {lines}: RunReport): (blocker: RunReport['blockers'][number]) => boolean {
  const late = new Set<string>(
    lines.flatMap(({member, standups}) => (standups.some((standup) => standup.late) ? [member.id] : [])),
  );
  return ({created_at, author}) => created_at <= (closed_at ?? '') || late.has(author.id);
}
