import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Problem} from '../api/problem.ts';
import {meQuery} from '../api/queries.ts';
import type {ShownStandup} from '../api/schema.ts';
import {Empty} from '../parts/empty.tsx';
import {Icon} from '../parts/icon.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useRemovals} from '../parts/standups/removals.ts';
import {StandupItem} from '../parts/standups/standup-item.tsx';
import {ListSkeleton} from '../parts/standups/standup-list.tsx';
import {standupQuery} from '../parts/standups/standup-pages.ts';
import {useTeamName} from '../parts/standups/team-name.tsx';
import {formatDay, formatDayLong} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

export function OneStandup({id}: {readonly id: string}) {
  const {data: standup, error, refetch} = useQuery(standupQuery(id));
  const removal = useRemovals().get(id);
  const {one} = texts.history;
  const isGone =
    (error instanceof Problem && (error.status === 404 || error.status === 410)) ||
    (removal !== undefined && removal.problem === undefined);
  if (isGone) {
    const all = <Link to="/history">{one.back}</Link>;
    return (
      <>
        <PageHead title={one.title} />
        <Empty action={all} icon="history" text={one.goneText} title={one.gone} />
      </>
    );
  }
  return (
    <>
      <p className="mb-2">
        <Link className="inline-flex min-h-6 items-center gap-1" to="/history">
          <Icon name="arrow-left" size={16} /> {one.back}
        </Link>
      </p>
      {standup === undefined ? (
        <>
          <PageHead title={one.title} />
          {error === null ? <ListSkeleton /> : <ProblemNote onRetry={refetch} problem={error} />}
        </>
      ) : (
        <StandupDetails standup={standup} />
      )}
    </>
  );
}

function StandupDetails({standup}: {readonly standup: ShownStandup}) {
  const me = useQuery(meQuery).data?.principal.id;
  const team = useTeamName(standup.team);
  const {author, date} = standup;
  const {one} = texts.history;
  return (
    <>
      <PageHead sub={formatDayLong(date)} title={one.of({name: author.name})} />
      <ol className="mt-5 mb-4 max-w-narrow">
        <StandupItem isOwn={author.id === me} opensThread showsRevisions={standup.edited} standup={standup} />
      </ol>
      <ul className="flex max-w-narrow flex-wrap gap-x-6 gap-y-1 [&_a]:inline-block [&_a]:min-h-6">
        <li>
          <Link search={{team: standup.team, from: date, to: date}} to="/history">
            {one.ofDay({team, day: formatDay(date)})}
          </Link>
        </li>
        <li>
          <Link search={{author: author.id}} to="/history">
            {one.ofAuthor({name: author.name})}
          </Link>
        </li>
      </ul>
    </>
  );
}
