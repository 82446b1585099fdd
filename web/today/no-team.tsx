import {useQuery} from '@tanstack/react-query';
import {useNavigate} from '@tanstack/react-router';
import {lazy, Suspense} from 'react';
import {queryClient} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {Empty} from '../parts/empty.tsx';
import {PageHead} from '../parts/page-head.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useAction} from '../parts/use-action.ts';
import {managesWorkspace, mayCreateTeams, mayUse} from '../parts/rights.ts';
import {hasSlack} from '../parts/has-slack.ts';
import {loadTexts, texts} from '../texts/texts.ts';
import {teamsQuery} from './queries.ts';
import {Teams} from './team-list.tsx';

const FirstTeam = lazy(async () => {
  const [module] = await Promise.all([import('./setup/first-team.tsx'), loadTexts('setup')]);
  return {default: module.FirstTeam};
});

export function NoTeam({me}: {readonly me: Schema<'Me'>}) {
  const navigate = useNavigate();
  const {data, error, refetch} = useQuery(teamsQuery(''));
  const {noTeam: say} = texts.noMembers;
  const isManager = managesWorkspace(me);
  if (data?.data.length === 0 && isManager && mayUse(me, 'members:read'))
    return (
      <>
        <PageHead title={texts.frame.pages.today} />
        <Suspense fallback={<Skeleton lines={3} />}>
          <FirstTeam me={me} />
        </Suspense>
      </>
    );
  const text = data?.data.length === 0 ? say.noTeams : isManager ? say.owner : addSlackHint(say.text);
  return (
    <>
      <PageHead title={texts.frame.pages.today} />
      <Card as="div">
        <Empty
          action={
            mayCreateTeams(me) && (
              <Button icon="plus" kind="first" onPress={() => void navigate({to: '/teams/new'})}>
                {texts.frame.newTeam}
              </Button>
            )
          }
          icon="people"
          text={text}
          title={say.title}
        />
        {data === undefined && error === null && <Skeleton lines={3} />}
        {error !== null && <ProblemNote onRetry={refetch} problem={error} />}
        {data !== undefined && data.data.length > 0 && <Teams label={texts.frame.teams} teams={data.data} />}
        {data?.has_more === true && <p>{say.more}</p>}
      </Card>
    </>
  );
}

function addSlackHint(text: string): string {
  return hasSlack() ? `${text} ${texts.noMembers.slackJoins}` : text;
}

export function NoMembers({
  team,
  me,
  isManager,
}: {
  readonly team: string;
  readonly me: Schema<'Me'> | undefined;
  readonly isManager: boolean;
}) {
  const {empty: say} = texts.noMembers;
  const {run, isPending, problem} = useAction(async (member: string) => {
    await send('put', '/v1/teams/{team}/members/{member}', {team, member, body: {}});
    await queryClient.invalidateQueries();
  });
  const member = me?.principal.id;
  return (
    <Card as="div">
      <Empty
        action={
          isManager &&
          member !== undefined && (
            <Button isPending={isPending} kind="first" onPress={() => void run(member)}>
              {say.join}
            </Button>
          )
        }
        icon="people"
        text={addSlackHint(isManager ? say.owner : say.lead)}
        title={say.title}
      />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Card>
  );
}
