import {useQuery} from '@tanstack/react-query';
import {getRouteApi} from '@tanstack/react-router';
import {meQuery, teamQuery} from '../api/queries.ts';
import type {Schema, Team} from '../api/schema.ts';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayLeadTeam, managesWorkspace} from '../parts/rights.ts';
import {Skeleton} from '../parts/skeleton.tsx';
import {TeamPages} from '../parts/team-pages.tsx';
import {texts} from '../texts/texts.ts';
import {DeleteSection} from './delete.tsx';
import {GeneralSection} from './general.tsx';
import {LateSection} from './late.tsx';
import {MembersSection} from './members.tsx';
import {QuestionSection} from './questions.tsx';
import {ScheduleSection} from './schedule.tsx';
import {SlackSection} from './slack.tsx';
import {VisibilitySection} from './visibility.tsx';

const route = getRouteApi('/framed/t/$team/settings');

export function TeamPage() {
  const {team: slug} = route.useParams();
  const {data: me, error: noMe} = useQuery(meQuery);
  const {data: team, error, refetch} = useQuery(teamQuery(slug));
  const t = texts.team;
  if (isNotFound(error)) {
    return (
      <>
        <PageHead title={t.title} />
        <NoSuchTeam />
      </>
    );
  }
  if (team === undefined || me === undefined) {
    const problem = error ?? noMe;
    return (
      <>
        <PageHead title={t.title} />
        {problem === null ? <Skeleton height={320} /> : <ProblemNote onRetry={refetch} problem={problem} />}
      </>
    );
  }
  // The key resets typed text when the page shows another team.
  return <TeamSettings key={team.id} me={me} team={team} />;
}

function TeamSettings({team, me}: {readonly team: Team; readonly me: Schema<'Me'>}) {
  const t = texts.team;
  const isReadOnly = !mayLeadTeam(me, team.slug);
  return (
    <div className="grid gap-4 *:min-w-0 [&>header]:mb-1! [&>nav]:mb-1!">
      <PageHead sub={isReadOnly ? t.readOnly : undefined} title={t.titleOf({team: team.name})} />
      <TeamPages team={team.slug} />
      <MembersSection isReadOnly={isReadOnly} me={me} team={team} />
      <ScheduleSection isReadOnly={isReadOnly} team={team} />
      <QuestionSection isReadOnly={isReadOnly} team={team} />
      <LateSection isReadOnly={isReadOnly} team={team} />
      <SlackSection isManager={managesWorkspace(me)} isReadOnly={isReadOnly} team={team} />
      <VisibilitySection isReadOnly={isReadOnly} team={team} />
      <GeneralSection isReadOnly={isReadOnly} team={team} />
      {!isReadOnly && <DeleteSection team={team} />}
    </div>
  );
}
