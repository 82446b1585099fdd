import {useState} from 'react';
import {invalidate} from '../api/queries.ts';
import type {Team} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Badge} from '../parts/badge.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Icon} from '../parts/icon.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {formatTime, formatZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {ClockLine} from './clocks.ts';
import type {Membership} from './queries.ts';
import {describeOddHours, formatTimeOnDay} from './schedule-draft.ts';
import {parseRole, roles, type TeamRole} from './roles.ts';

interface TeamMemberRowProps {
  readonly membership: Membership;
  readonly team: Team;
  readonly zone: string | undefined;
  readonly window: ClockLine | undefined;
  readonly now: number;
  readonly isYou: boolean;
  readonly isReadOnly: boolean;
  readonly onSaid: (sentence: string) => void;
}

export function MemberRow(props: TeamMemberRowProps) {
  const {membership, team, zone, window, now, isYou, isReadOnly, onSaid} = props;
  const t = texts.team.members;
  const id = membership.member.id ?? '';
  const name = membership.member.name ?? '';
  const role = parseRole(membership.role);
  const change = useAction(async (next: TeamRole) => {
    const {revision} = membership;
    const to = {team: team.slug, member: id};
    try {
      await send('put', '/v1/teams/{team}/members/{member}', {...to, revision, body: {role: next}});
    } finally {
      await invalidate('team_member');
    }
    onSaid(t.changed({name, role: next}));
  });
  return (
    <li
      className="grid min-h-row grid-cols-[minmax(160px,1fr)_minmax(200px,1.4fr)_150px] items-center gap-x-4 gap-y-1 border-b border-line py-2 *:min-w-0 max-md:grid-cols-[1fr_auto]"
      data-member={id}
    >
      <div className="grid gap-0.5">
        <PersonName isYou={isYou} name={name} />
        {!membership.accepted && <span className="text-xs text-quiet">{t.notAccepted}</span>}
      </div>
      <div className="grid gap-0.5 text-xs text-quiet tabular-nums max-md:col-span-full max-md:row-2">
        {zone !== undefined && (
          <span>{t.clock({time: formatTime(now, zone), zone: formatZone(zone, now)})}</span>
        )}
        {role === 'observer' ? (
          <span>{t.notAsked}</span>
        ) : (
          window !== undefined && (
            <span>
              {t.window({
                opens: formatTimeOnDay(window.opens, window.opensOn),
                closes: formatTimeOnDay(window.closes, window.closesOn),
              })}
              {window.isOdd && (
                <span className="inline-flex items-center gap-1 ps-1.5 text-late">
                  {' '}
                  <Icon name="warning" size={16} />
                  {describeOddHours()}
                </span>
              )}
            </span>
          )
        )}
      </div>
      {isReadOnly ? (
        <div className="flex items-center gap-1 justify-self-end">
          <Badge>{t.roles[role]}</Badge>
          {isYou && <RemoveMember {...props} />}
        </div>
      ) : (
        <div className="flex items-center gap-1 justify-self-end">
          <select
            aria-label={t.role({name})}
            className="min-h-row rounded-md border border-edge bg-card px-2"
            disabled={change.isPending}
            onChange={({target}) => void change.run(parseRole(target.value))}
            title={t.roleHints[role]}
            value={role}
          >
            {roles.map((one) => (
              <option key={one} title={t.roleHints[one]} value={one}>
                {t.roles[one]}
              </option>
            ))}
          </select>
          <RemoveMember {...props} />
        </div>
      )}
      {change.problem !== undefined && (
        <div className="col-span-full">
          <ProblemNote problem={change.problem} />
        </div>
      )}
    </li>
  );
}

function RemoveMember({membership, team, isYou, onSaid}: TeamMemberRowProps) {
  const t = texts.team.members;
  const name = membership.member.name ?? '';
  const [isOpen, setOpen] = useState(false);
  const {run, isPending, problem} = useAction(async () => {
    const member = membership.member.id ?? '';
    await send('delete', '/v1/teams/{team}/members/{member}', {team: team.slug, member});
    setOpen(false);
    await invalidate('team_member');
    onSaid(t.removed({name}));
  });
  return (
    <>
      <IconButton
        icon={isYou ? 'sign-out' : 'trash'}
        label={isYou ? t.leave : t.remove({name})}
        onPress={() => setOpen(true)}
      />
      <ConfirmDialog
        confirm={isYou ? t.leaveConfirm : t.removeConfirm}
        isOpen={isOpen}
        isPending={isPending}
        onClose={() => setOpen(false)}
        onConfirm={() => void run()}
        problem={problem}
        text={isYou ? t.removeSelf : t.removeText({name})}
        title={isYou ? t.leaveTitle({team: team.name}) : t.removeTitle({name})}
      />
    </>
  );
}
