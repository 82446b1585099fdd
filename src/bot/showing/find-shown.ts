import type {Id, IdSuffix} from '../../domain/core/ids.js';
import type {WeekContent} from '../../domain/runs/week-content.js';
import type {PlacedStandup} from '../../domain/slack/standup-content.js';

/** The standup at one revision; undefined when retention or erasure has taken it. */
export type FindStandup = (
  workspace: Id<'workspace'>,
  drawn: IdSuffix<'standup'>,
  revision: number,
  deadline: number,
) => Promise<PlacedStandup | undefined>;

/** A team's week as far as it is known now; undefined when no run of it has closed, or the team is gone. */
export type FindWeek = (
  workspace: Id<'workspace'>,
  team: IdSuffix<'team'>,
  monday: string,
) => Promise<Omit<WeekContent, 'links'> | undefined>;
