import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {readItem} from '../api/storage.ts';
import {invalidate, meQuery, teamQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {isNotFound, NoSuchTeam} from '../parts/no-such-team.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {mayUse, listObservedTeams, managesWorkspace} from '../parts/rights.ts';
import {Sheet} from '../parts/sheet.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {useAction} from '../parts/use-action.ts';
import {texts} from '../texts/texts.ts';
import {EditStandup} from './edit-standup.tsx';
import {NewStandup} from './new-standup.tsx';
import {ownTeamsQuery} from './queries.ts';
import {useFocusBack} from './use-focus-back.ts';
import {useOpenPanel} from './use-panel.ts';

/** Any page opens the panel by `?write=` (a team's slug, or empty) or `?edit=` (a standup's id). */
export interface WritePanelProps {
  readonly team: string | undefined;
  readonly edit: string | undefined;
  readonly onClose: () => void;
}

export function WritePanel({team, edit, onClose}: WritePanelProps) {
  useFocusBack();
  const {data: me} = useQuery(meQuery);
  const {data: found, error, refetch} = useQuery(ownTeamsQuery);
  const title = edit === undefined ? texts.write.title : texts.write.titleEdit;
  if (me === undefined || found === undefined) {
    return (
      <Sheet isOpen onClose={onClose} title={title}>
        {error === null ? (
          <Skeleton lines={8} />
        ) : (
          <ProblemNote onRetry={() => void refetch()} problem={error} />
        )}
      </Sheet>
    );
  }
  if (edit !== undefined) return <EditStandup id={edit} key={edit} me={me} onClose={onClose} />;
  const observed = listObservedTeams(me);
  const teams = found.filter(({id}) => !observed.has(id));
  const asked = found.find(({slug, id}) => slug === team?.toLowerCase() || id === team);
  const wanted = asked !== undefined && !observed.has(asked.id) ? asked : undefined;
  if (team !== undefined && wanted === undefined) {
    const outside = {me, onClose, team, hasTeams: teams.length > 0, observes: asked !== undefined};
    return <OutsideTeamNote {...outside} />;
  }
  const remembered = readItem('standup:team');
  const first = wanted ?? teams.find(({slug}) => slug === remembered) ?? teams[0];
  if (first === undefined) {
    return (
      <Sheet isOpen onClose={onClose} title={title}>
        <Empty action={<Link to="/">{texts.frame.notFound.cure}</Link>} {...texts.write.noTeam} />
      </Sheet>
    );
  }
  return <NewStandup first={first.slug} key={first.slug} me={me} onClose={onClose} teams={teams} />;
}

/** A note before anything is typed: posting to this team does not make the author a member of it. */
function OutsideTeamNote({
  team,
  me,
  hasTeams,
  observes,
  onClose,
}: {
  readonly team: string;
  readonly me: Schema<'Me'>;
  readonly hasTeams: boolean;
  readonly observes: boolean;
  readonly onClose: () => void;
}) {
  const {outside, title} = texts.write;
  const openPanel = useOpenPanel();
  const joining = useAction(async () => {
    const to = {team, member: me.principal.id};
    await send('put', '/v1/teams/{team}/members/{member}', {...to, body: {}});
    await invalidate('team_member');
  });
  const found = useQuery(teamQuery(team));
  const name = found.data?.name ?? team;
  const others = hasTeams && <Button onPress={() => openPanel({write: ''})}>{outside.others}</Button>;
  if (found.isPending || isNotFound(found.error)) {
    return (
      <Sheet isOpen onClose={onClose} title={title}>
        {found.isPending ? <Skeleton lines={8} /> : <NoSuchTeam action={hasTeams ? others : undefined} />}
      </Sheet>
    );
  }
  const mayJoin = managesWorkspace(me) && mayUse(me, 'teams:write');
  return (
    <Sheet isOpen onClose={onClose} title={title}>
      <div className="grid min-w-0 gap-5">
        {joining.problem !== undefined && <ProblemNote problem={joining.problem} />}
        <Empty
          action={
            <div className="flex flex-wrap gap-2">
              {mayJoin && (
                <Button isPending={joining.isPending} kind="first" onPress={() => void joining.run()}>
                  {outside.join({team: name})}
                </Button>
              )}
              {others}
            </div>
          }
          text={mayJoin ? outside.may : outside.text}
          title={(observes ? outside.observes : outside.title)({team: name})}
        />
      </div>
    </Sheet>
  );
}
